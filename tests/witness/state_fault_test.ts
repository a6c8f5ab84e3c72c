/**
 * Each operation on a witness's state fails once, before and after its write, while a gateway presents
 * two trees in turn. The witness must never sign both.
 */

import assert from "node:assert/strict";
import { hasCode } from "../../src/base/errors.ts";
import type { WitnessState } from "../../src/witness/ports.ts";
import type { Witness } from "../../src/witness/witness.ts";
import { fork, log, tree } from "./asking.ts";
import { testWitness, verifiesHead } from "./fixture.ts";
import { MemoryWitnessState, NO_ROUNDS } from "./memory_state.ts";
import { openOrCreateState } from "../witness_states.ts";

type StateFault = "not stored" | "but stored";

/** The environment of a witness's process. */
interface OpenedState {
  readonly state: WitnessState;
  close(): void;
}

interface Place {
  open(): Promise<OpenedState>;
  remove(): Promise<void>;
}

/** What happens after a failed operation. */
type Sequel = "goes on" | "is started again";

/** `state` with a failure of operation `at`, counted from 1; none for 0. */
class FaultyState implements WitnessState {
  readonly #state: WitnessState;
  readonly #count: { operations: number };
  readonly #at: number;
  readonly #fault: StateFault;

  constructor(
    state: WitnessState,
    count: { operations: number },
    fault: { readonly at: number; readonly fault: StateFault },
  ) {
    this.#state = state;
    this.#count = count;
    this.#at = fault.at;
    this.#fault = fault.fault;
  }

  load(origin: string): ReturnType<WitnessState["load"]> {
    return this.#operate(() => this.#state.load(origin));
  }

  replace(...swap: Parameters<WitnessState["replace"]>): ReturnType<WitnessState["replace"]> {
    return this.#operate(() => this.#state.replace(...swap));
  }

  loadSigned(): ReturnType<WitnessState["loadSigned"]> {
    return this.#operate(() => this.#state.loadSigned());
  }

  appendSigned(
    ...runs: Parameters<WitnessState["appendSigned"]>
  ): ReturnType<WitnessState["appendSigned"]> {
    return this.#operate(() => this.#state.appendSigned(...runs));
  }

  loadReleases(): ReturnType<WitnessState["loadReleases"]> {
    return this.#state.loadReleases();
  }

  probe(): Promise<void> {
    return this.#state.probe();
  }

  async #operate<T>(act: () => Promise<T>): Promise<T> {
    const isFailing = ++this.#count.operations === this.#at;
    if (isFailing && this.#fault === "not stored") throw new Error("failed, not stored");
    const answer = await act();
    if (isFailing) throw new Error("failed, but stored");
    return answer;
  }
}

function inMemory(): Promise<Place> {
  const state = new MemoryWitnessState();
  return Promise.resolve({
    open: () => Promise.resolve({ state, close: () => {} }),
    remove: () => Promise.resolve(state.assertSound()),
  });
}

async function onDisk(): Promise<Place> {
  const folder = await Deno.makeTempDir();
  return {
    open: async () => {
      const state = await openOrCreateState(`${folder}/state.kv`);
      return { state, close: () => state.close() };
    },
    remove: () => Deno.remove(folder, { recursive: true }),
  };
}

const TREES = { tree, fork };
const STEPS = 10;

/** Asserts that all signed heads belong to one tree. */
function assertAgree(signed: readonly (readonly [keyof typeof TREES, number])[]): void {
  // Up to 4 leaves the trees are the same.
  const names = new Set(signed.filter(([, size]) => size > 4).map(([name]) => name));
  assert.ok(names.size <= 1, `both trees are signed: ${signed.join(" ")}`);
}

/** Presents both trees in turn, from the witness's size; returns the signed heads. */
async function show(
  place: Place,
  fault: { readonly at: number; readonly fault: StateFault },
  sequel: Sequel,
) {
  const count = { operations: 0 };
  const signed: [keyof typeof TREES, number][] = [];
  let opened = await place.open();
  const start = (): Witness => testWitness({ state: new FaultyState(opened.state, count, fault) });
  let witness = start();
  let failures = 0;
  const ask = async (name: keyof typeof TREES) => {
    try {
      const size = await witness.cosignedSize();
      const request = log.request(TREES[name], size, size + 2);
      const answer = await witness.cosign(request);
      if (answer.kind !== "cosigned") return;
      assert.ok(verifiesHead(request.treeHead, answer.signature));
      signed.push([name, size + 2]);
    } catch (error) {
      if (hasCode(error, "consistency_refused")) return;
      assert.ok(hasCode(error, "storage_failed"), String(error));
      failures++;
      if (sequel === "goes on") return;
      opened.close();
      opened = await place.open();
      witness = start();
    }
  };
  for (let step = 0; step < STEPS; step++) {
    await ask(step % 2 === 0 ? "tree" : "fork");
    await ask(step % 2 === 0 ? "fork" : "tree");
  }
  opened.close();
  return { operations: count.operations, signed, failures };
}

async function sweep(make: () => Promise<Place>, fault: StateFault, sequel: Sequel): Promise<void> {
  let operations = Infinity;
  for (let at = 0; at <= operations; at++) {
    const place = await make();
    try {
      const shown = await show(place, { at, fault }, sequel);
      assertAgree(shown.signed);
      assert.equal(shown.failures, at === 0 ? 0 : 1);
      // It must have grown: a witness that signs nothing passes trivially.
      assert.ok(shown.signed.length >= STEPS - 1, `${shown.signed.length} signed`);
      if (at === 0) operations = shown.operations;
    } finally {
      await place.remove();
    }
  }
}

for (
  const [name, make] of [["MemoryWitnessState", inMemory], ["KvWitnessState", onDisk]] as const
) {
  for (const sequel of ["goes on", "is started again"] as const) {
    for (const fault of ["not stored", "but stored"] as const) {
      Deno.test(`whichever operation on ${name} fails, ${fault}, a witness that ${sequel} signs one tree`, () =>
        sweep(make, fault, sequel));
    }
  }
}

Deno.test("the sweep detects a state that reverts a write", async () => {
  let noticed = 0;
  for (let at = 1; at <= 12; at++) {
    const state = new MemoryWitnessState();
    const forgetful: WitnessState = {
      ...NO_ROUNDS,
      load: (origin) => state.load(origin),
      replace: async (origin, expected, next) => {
        const before = state.backup();
        const version = await state.replace(origin, expected, next);
        if (next.size > 4 && next.size % 4 === 2) state.restore(before);
        return version;
      },
    };
    const place: Place = {
      open: () => Promise.resolve({ state: forgetful, close: () => {} }),
      remove: () => Promise.resolve(),
    };
    const { signed } = await show(place, { at, fault: "but stored" }, "is started again");
    noticed += Number(
      new Set(signed.filter(([, size]) => size > 4).map(([name]) => name)).size > 1,
    );
  }
  assert.ok(noticed > 0);
});
