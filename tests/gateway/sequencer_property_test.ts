/**
 * Random histories of a gateway whose fronts lag, lose updates and join at any time: the snapshot that a
 * front received, with all later updates applied, is the state of the gateway.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Bytes } from "../../src/base/bytes.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { FakeClock } from "../fake_clock.ts";
import { LocalLink } from "./local_link.ts";
import type { MemoryLogStore } from "./memory_store.ts";
import { assertCurrent, RecordingFollower } from "./recording_follower.ts";
import { Scenario } from "./scenario.ts";

type Failure = "store" | "witnesses" | "one witness" | "silent witnesses";

type Step =
  | {
    readonly do: "submit";
    readonly front: number;
    readonly first: number;
    readonly count: number;
  }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "join" | "heal" }
  | { readonly do: "lap" | "end"; readonly front: number }
  | { readonly do: "fail"; readonly what: Failure };

const steps = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("submit"),
      front: fc.nat(3),
      // Few different digests, so that fronts submit the same ones.
      first: fc.nat(30),
      count: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("wait"), ms: fc.constantFrom(0, 1, 30, 400, 7_000) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("join", "heal") }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("lap", "end"), front: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("fail"),
      what: fc.constantFrom("store", "witnesses", "one witness", "silent witnesses"),
    }),
  },
) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>;

function digest(number: number): Bytes {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

interface LinkedFront {
  readonly follower: RecordingFollower;
  readonly link: LocalLink;
}

/** A gateway and its fronts. */
class History {
  readonly #scenario = new Scenario("ed25519");
  readonly #store: MemoryLogStore = this.#scenario.open();
  /** Of each digest, as any front was answered. */
  readonly #sequences = new Map<number, number>();
  readonly #fronts: LinkedFront[] = [];
  readonly #delays: readonly number[];
  #nextDelay = 0;
  #gateway: Gateway | undefined;

  /** Messages of fronts take `delays` in turn. */
  constructor(delays: readonly number[]) {
    this.#delays = delays;
  }

  get #clock(): FakeClock {
    return this.#scenario.clock;
  }

  async run(steps: readonly Step[]): Promise<void> {
    const { gateway, faults } = await this.#scenario.start(this.#store);
    this.#gateway = gateway;
    this.#join();
    for (const step of steps) {
      await this.#take(step);
      for (const { link, follower } of this.#fronts) {
        link.catchUp();
        // The load and the status change between two updates.
        const { load, status } = this.#current();
        assertCurrent({ ...follower.state, load, status }, gateway.sequencer);
      }
    }
    this.#heal();
    await this.#submit(0, 100, 1);
    await this.#clock.until(() => (this.#current().latest?.size ?? 0) === this.#current().durable);
    await this.#clock.advance(1_000);
    for (const { link, follower } of this.#fronts) {
      link.catchUp();
      assertCurrent({ ...follower.state, status: gateway.status.facts() }, gateway.sequencer);
    }
    for (const { link } of this.#fronts) link.end();
    await gateway.stop();
    assert.deepEqual(faults, []);
    assert.equal(this.#clock.sleeping, 0);
  }

  #current() {
    const follower = new RecordingFollower();
    this.#gateway!.sequencer.follow(follower, AbortSignal.abort());
    return follower.state;
  }

  #join(): void {
    const delay = () => this.#delays[this.#nextDelay++ % this.#delays.length]!;
    const follower = new RecordingFollower();
    const schedule = { clock: this.#clock, requestMs: delay, updateMs: delay };
    const link = new LocalLink(this.#gateway!.sequencer, schedule);
    link.follow(follower);
    this.#fronts.push({ link, follower });
  }

  async #take(step: Step): Promise<void> {
    if (step.do === "wait") await this.#clock.advance(step.ms);
    else if (step.do === "join" && this.#fronts.length < 4) this.#join();
    else if (step.do === "heal") this.#heal();
    else if (step.do === "submit") await this.#submit(step.front, step.first, step.count);
    else if (step.do === "lap") this.#at(step.front).link.lap();
    else if (step.do === "end" && this.#fronts.length > 1) {
      const [front] = this.#fronts.splice(step.front % this.#fronts.length, 1);
      front!.link.end();
    } else if (step.do === "fail") this.#fail(step.what);
  }

  #at(number: number): LinkedFront {
    return this.#fronts[number % this.#fronts.length]!;
  }

  /** Does not wait for the answer. */
  async #submit(front: number, first: number, count: number): Promise<void> {
    const { link, follower } = this.#at(front);
    const digests = new Uint8Array(32 * count);
    for (let i = 0; i < count; i++) digests.set(digest(first + i), 32 * i);
    void link.assign({ digests, sealedRuns: 0 }).then((assigned) => {
      assigned!.sequences.forEach((sequence, i) => {
        const known = this.#sequences.get(first + i) ?? sequence;
        assert.equal(sequence, known, "another sequence");
        this.#sequences.set(first + i, sequence);
        assert.ok(sequence < follower.state.durable, "answered before it was accepted");
      });
    }, (error) => assert.equal(error.code, "storage_failed"));
    await this.#clock.advance(0);
  }

  #fail(what: Failure): void {
    const { witnesses } = this.#scenario.network;
    if (what === "store") {
      this.#store.fault = (operation) => operation === "read" ? undefined : "fail_not_stored";
    } else if (what === "one witness") witnesses[0]!.down = true;
    else for (const witness of witnesses) witness.down = true;
  }

  #heal(): void {
    this.#store.fault = () => undefined;
    for (const witness of this.#scenario.network.witnesses) witness.down = false;
  }
}

Deno.test("a snapshot with all later updates is the state of the gateway", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 0, 1, 5, 60), { minLength: 1, maxLength: 10 }),
      fc.array(steps, { maxLength: 30 }),
      (delays, steps) => new History(delays).run(steps),
    ),
    { numRuns: 40 },
  );
});
