/**
 * Whatever befalls a gateway, in whatever order: what it promised is kept. COUNTERSIGN_RUNS is how
 * many lives are lived.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Bytes } from "../../src/bytes.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import type { SignatureScheme } from "../../src/format/signature_set.ts";
import { randomDigests } from "./fixture.ts";
import type { CommitKind, Fault, MemoryLogStore } from "./memory_store.ts";
import { MortalProcess } from "./mortal_process.ts";
import { Scenario } from "./scenario.ts";
import { eachScheme, SWEEP_STRIDE } from "../schemes.ts";

type Event =
  | { readonly kind: "submit"; readonly count: number }
  | { readonly kind: "repeat"; readonly which: number }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "jump"; readonly ms: number }
  | { readonly kind: "crash"; readonly after: number; readonly isStored: boolean }
  | { readonly kind: "restart" }
  | { readonly kind: "takeover" }
  | { readonly kind: "witness"; readonly place: number; readonly isDown: boolean }
  | { readonly kind: "fault"; readonly commit: CommitKind; readonly fault: Fault };

const commits = fc.constantFrom<CommitKind>("intake", "mixed", "rounds", "head", "sth");
const faults = fc.constantFrom<Fault>("fail_not_stored", "fail_but_stored", "conflict");
const events = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("submit"), count: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("repeat"), which: fc.nat(50) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("pass"),
      ms: fc.constantFrom(0, 1, 7, 30, 300, 6_000, 700_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("jump"),
      ms: fc.integer({ min: -90_000, max: 90_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("crash"),
      after: fc.integer({ min: 1, max: 40 }),
      isStored: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("takeover") }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("witness"),
      place: fc.nat(2),
      isDown: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("fault"), commit: commits, fault: faults }),
  },
) as fc.Arbitrary<Event>;

/** One network over its life; gateways come and go. */
class Life {
  readonly scenario: Scenario;
  readonly #submitted: Bytes[] = [];
  /** Those that were not killed, the last one in charge. */
  readonly #gateways: Gateway[] = [];
  #store: MemoryLogStore | undefined;
  #process = new MortalProcess();
  readonly unexpected: unknown[] = [];

  constructor(scheme: SignatureScheme) {
    this.scenario = new Scenario(scheme);
  }

  async start(process = new MortalProcess()): Promise<void> {
    const { scenario } = this;
    const store = scenario.open();
    store.fault = process.fault;
    this.#store = store;
    this.#process = process;
    const started = scenario.start(store, {
      maxAgeMs: 10,
      maxLeaves: 40,
      clock: process.clock(scenario.clock),
      witnesses: process.witnesses(scenario.network.witnesses),
    }).then(({ gateway }) => this.#gateways.push(gateway));
    started.catch((error) => this.unexpected.push(error));
    await scenario.clock.advance(1);
  }

  async meet(event: Event): Promise<void> {
    const { scenario } = this;
    switch (event.kind) {
      case "submit":
        return this.#submit(randomDigests(event.count));
      case "repeat":
        return this.#submit(this.#submitted[event.which] ?? randomDigests(1));
      case "pass":
        await scenario.clock.advance(event.ms);
        return await this.#observe();
      case "jump":
        return scenario.clock.jump(event.ms);
      case "crash":
        // It lives on for some operations, and the next one starts only when it is dead.
        await this.#submitUntilDead(event);
        return await this.start();
      case "restart":
        await this.#stopAll();
        return await this.start();
      case "takeover":
        return await this.start();
      case "witness":
        scenario.network.witnesses[event.place]!.down = event.isDown;
        return;
      case "fault":
        return this.#failNext(event.commit, event.fault);
    }
  }

  /** Better times: all that was acknowledged is confirmed and published. */
  async end(): Promise<void> {
    const { scenario } = this;
    await this.#stopAll();
    for (const witness of scenario.network.witnesses) witness.down = false;
    const { gateway, faults } = await scenario.start(scenario.open(), { maxAgeMs: 10 });
    await scenario.submit(gateway, randomDigests(2));
    await scenario.settle(gateway);
    await scenario.checkFinished(gateway);
    await gateway.stop();
    assert.deepEqual(faults, []);
    assert.deepEqual(this.unexpected, []);
  }

  get #gateway(): Gateway | undefined {
    return this.#process.isDead ? undefined : this.#gateways.at(-1);
  }

  #submit(digests: Bytes): void {
    this.#submitted.push(digests);
    if (this.#gateway === undefined) return;
    this.scenario.submit(this.#gateway, digests).catch((error) => this.#expectRefusal(error));
  }

  /** Looks at all there is to see. It ends within the step, or never: when the process dies. */
  async #observe(): Promise<void> {
    if (this.#gateway === undefined) return;
    this.scenario.observe(this.#gateway).catch((error) => this.#expectRefusal(error));
    await this.scenario.clock.advance(0);
  }

  /** A gateway may refuse, and one that is closed cannot be read; it never contradicts itself. */
  #expectRefusal(error: { readonly code?: string }): void {
    const refusals = ["storage_failed", "shutting_down", "internal"];
    if (!refusals.includes(error.code ?? "")) this.unexpected.push(error);
  }

  async #submitUntilDead({ after, isStored }: Event & { kind: "crash" }): Promise<void> {
    await this.#stopAll();
    await this.start(new MortalProcess(after, isStored ? "hang_but_stored" : "hang_not_stored"));
    this.#submit(randomDigests(9));
    await this.scenario.clock.advance(25);
    await this.#observe();
    // One that had too little to do to die is stopped.
    if (this.#process.isDead) this.#gateways.length = 0;
    else await this.#stopAll();
  }

  async #stopAll(): Promise<void> {
    const stopped = Promise.all(this.#gateways.splice(0).map((gateway) => gateway.stop()));
    await this.scenario.clock.advance(20_000);
    await stopped;
  }

  #failNext(commit: CommitKind, fault: Fault): void {
    const store = this.#store!;
    const { fault: before } = store;
    store.fault = (operation, ordinal) => {
      if (operation !== commit) return before(operation, ordinal);
      store.fault = before;
      return fault;
    };
  }
}

eachScheme.test("whatever befalls a gateway, what it promised is kept", async (scheme) => {
  const runs = Number(Deno.env.get("COUNTERSIGN_RUNS") ?? 25);
  await fc.assert(
    fc.asyncProperty(fc.array(events, { minLength: 3, maxLength: 30 }), async (list) => {
      const life = new Life(scheme);
      await life.start();
      for (const event of list) await life.meet(event);
      await life.end();
    }),
    { numRuns: Math.ceil(runs / SWEEP_STRIDE[scheme]) },
  );
});
