/**
 * A gateway that lies at random to witnesses that share one state, with crashes and storage faults.
 * No two signed heads may be inconsistent.
 *
 * @module
 */

import fc from "fast-check";
import assert from "node:assert/strict";
import { hexOf } from "../../src/base/bytes.ts";
import type { TreeHead } from "../../src/proof/format/tree_head.ts";
import type { CosignRequest } from "../../src/proof/format/witness_request.ts";
import type { WitnessState } from "../../src/witness/ports.ts";
import type { Witness } from "../../src/witness/witness.ts";
import { forkedTree, NOW, pathOf, TestLog, testWitness, verifiesHead } from "./fixture.ts";
import { MemoryWitnessState, NO_ROUNDS, type ReplaceFault } from "./memory_state.ts";

const MAX_SIZE = 24;
const log = new TestLog();
/** All share 6 leaves, two of them 13. */
const forks = [
  forkedTree("a", 13, MAX_SIZE),
  forkedTree("b", 13, MAX_SIZE),
  forkedTree("c", 6, MAX_SIZE),
];

/** One request: witness, tree, old size and proof, true or false. */
const asks = fc.record({
  witness: fc.nat(1),
  fork: fc.nat(forks.length - 1),
  // Small steps, so that there is a history before the end is reached.
  growth: fc.oneof({ weight: 5, arbitrary: fc.nat(3) }, fc.nat(MAX_SIZE)),
  // Mostly with the right old size, since other requests are rejected early.
  oldSize: fc.oneof(
    { weight: 4, arbitrary: fc.constant<"known">("known") },
    fc.nat(MAX_SIZE),
  ),
  proof: fc.oneof(
    { weight: 6, arbitrary: fc.constant<"own">("own") },
    fc.constant<"empty">("empty"),
    fc.nat(forks.length - 1),
  ),
  fault: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    fc.constantFrom<ReplaceFault>("fail_not_stored", "fail_but_stored"),
  ),
});
type Ask = typeof asks extends fc.Arbitrary<infer T> ? T : never;

/** Concurrent requests, then perhaps a crash of both witnesses. */
const turns = fc.array(
  fc.record({ asks: fc.array(asks, { minLength: 1, maxLength: 3 }), crash: fc.boolean() }),
  { minLength: 5, maxLength: 25 },
);
type Turns = typeof turns extends fc.Arbitrary<infer T> ? T : never;

function requestOf(ask: Ask, known: number): CosignRequest {
  const tree = forks[ask.fork]!;
  const oldSize = ask.oldSize === "known" ? known : ask.oldSize;
  const size = Math.min(oldSize + ask.growth, MAX_SIZE);
  const treeHead = log.head(tree, size);
  const consistencyPath = ask.proof === "empty"
    ? []
    : pathOf(ask.proof === "own" ? tree : forks[ask.proof]!, oldSize, size);
  return { treeHead, logSignature: log.sign(treeHead), oldSize, consistencyPath };
}

/** Runs `run` against witnesses of `state` and returns every signed head. */
async function play(run: Turns, state: WitnessState & Partial<MemoryWitnessState>) {
  const signed: TreeHead[] = [];
  const start = (): Witness[] => [testWitness({ state }), testWitness({ state })];
  let witnesses = start();
  for (const { asks, crash } of run) {
    await Promise.all(asks.map(async (ask) => {
      const witness = witnesses[ask.witness]!;
      const request = requestOf(ask, await witness.cosignedSize());
      state.nextFault = ask.fault;
      const answer = await witness.cosign(request).catch(() => undefined);
      if (answer?.kind !== "cosigned") return;
      assert.ok(verifiesHead(request.treeHead, answer.signature));
      signed.push(request.treeHead);
    }));
    state.nextFault = undefined;
    if (crash) witnesses = start();
  }
  return signed;
}

/** True when the smaller tree is a prefix of the larger one. */
function agree(a: TreeHead, b: TreeHead): boolean {
  return forks.some((tree) =>
    [a, b].every((head) => hexOf(tree.root(head.tree_size)) === head.root_hash)
  );
}

function assertAgree(signed: readonly TreeHead[]): void {
  for (const [i, a] of signed.entries()) {
    for (const b of signed.slice(i + 1)) {
      assert.ok(agree(a, b), `${a.tree_size} and ${b.tree_size} disagree`);
    }
  }
}

function model<State extends WitnessState>(
  newState: () => State,
  check: (state: State, signed: readonly TreeHead[]) => Promise<void>,
) {
  return fc.asyncProperty(turns, async (run) => {
    const state = newState();
    const signed = await play(run, state);
    assertAgree(signed);
    await check(state, signed);
  });
}

Deno.test("no two heads that a witness signed are inconsistent", async () => {
  let grown = 0;
  await fc.assert(
    model(() => new MemoryWitnessState(), async (state, signed) => {
      state.assertSound();
      const size = (await state.load(log.origin))?.size ?? 0;
      for (const head of signed) assert.ok(head.tree_size <= size);
      if (new Set(signed.map((head) => head.tree_size)).size > 2) grown++;
    }),
    { numRuns: 300 },
  );
  // The property would also hold if no head were signed.
  assert.ok(grown > 100, `${grown} runs saw growth`);
});

/** Faulty witnesses that the model must detect. */
const unsoundStates: Readonly<Record<string, () => WitnessState>> = {
  "forgets everything": () => ({
    ...NO_ROUNDS,
    load: () => Promise.resolve(undefined),
    replace: () => Promise.resolve("v"),
  }),
  "answers before it has stored": () => {
    const state = new MemoryWitnessState();
    return {
      ...NO_ROUNDS,
      load: (origin) => state.load(origin),
      replace: (origin, expected, next) => {
        // Every other crash loses durable writes.
        const lost = next.size % 2 === 0;
        return lost ? Promise.resolve("lost") : state.replace(origin, expected, next);
      },
    };
  },
  "stores without comparing": () => {
    const state = new MemoryWitnessState();
    return {
      ...NO_ROUNDS,
      load: (origin) => state.load(origin),
      replace: async (origin, _expected, next) =>
        await state.replace(origin, (await state.load(origin))?.version, next),
    };
  },
};

for (const [name, newState] of Object.entries(unsoundStates)) {
  Deno.test(`the model catches a witness that ${name}`, async () => {
    const result = await fc.check(
      model(newState, () => Promise.resolve()),
      { numRuns: 500, seed: 7, endOnFailure: true },
    );
    assert.ok(result.failed);
    assert.match(String(result.errorInstance), /disagree/);
  });
}

Deno.test("the model detects inconsistent trees", () => {
  const head = (fork: number, size: number) => log.head(forks[fork]!, size, NOW);
  assert.ok(agree(head(0, 13), head(1, 20)));
  assert.ok(agree(head(2, 6), head(1, 20)));
  assert.equal(agree(head(0, 14), head(1, 20)), false);
  assert.equal(agree(head(0, 14), head(1, 14)), false);
  assert.equal(agree(head(2, 7), head(1, 20)), false);
});
