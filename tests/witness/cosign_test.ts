import assert from "node:assert/strict";
import type { CosignRequest, WitnessWarning } from "../../src/witness/ports.ts";
import { Witness } from "../../src/witness/witness.ts";
import { ReferenceTree } from "../merkle/reference.ts";
import {
  forkedTree,
  NETWORK,
  NOW,
  signerOf,
  StandingClock,
  TestLog,
  testWitness,
  verifiesHead,
  withCode,
} from "./fixture.ts";
import { MemoryWitnessState } from "./memory_state.ts";

const log = new TestLog();
const tree = forkedTree("tree", 4, 40);
const fork = forkedTree("fork", 4, 40);

async function cosigned(witness: Witness, request: CosignRequest): Promise<void> {
  const answer = await witness.cosign(request);
  assert.equal(answer.kind, "cosigned");
  assert.ok(answer.kind === "cosigned" && verifiesHead(request.treeHead, answer.signature));
}

async function conflicts(witness: Witness, request: CosignRequest, size: number): Promise<void> {
  assert.deepEqual(await witness.cosign(request), { kind: "size_conflict", size });
}

async function refused(witness: Witness, request: CosignRequest, code: string): Promise<void> {
  await assert.rejects(witness.cosign(request), withCode(code));
}

/** A witness that stands at `size` of `tree`. */
async function standingAt(size: number, state = new MemoryWitnessState()): Promise<Witness> {
  const witness = testWitness({ state });
  await cosigned(witness, log.request(tree, 0, size));
  return witness;
}

Deno.test("new Witness() wants its own network among distinct logs", () => {
  const other = new TestLog("log.example/other").witnessed;
  for (const logs of [[], [other], [log.witnessed, other, log.witnessed]]) {
    assert.throws(() => testWitness({ logs }), withCode("invalid_configuration"));
  }
});

Deno.test("Witness.cosign() follows a log from size to size", async () => {
  const witness = testWitness();
  const sizes = [0, 1, 2, 3, 4, 7, 8, 9, 31, 32, 33, 40];
  let from = 0;
  for (const to of sizes) {
    await cosigned(witness, log.request(tree, from, to));
    assert.equal(await witness.cosignedSize(), to);
    from = to;
  }
});

Deno.test("Witness.cosign() refuses an origin that it does not follow", async () => {
  const witness = testWitness();
  for (const origin of ["log.example/other", "", `${NETWORK}\n`]) {
    const request = log.request(tree, 0, 3);
    await refused(
      witness,
      { ...request, treeHead: { ...request.treeHead, network_id: origin } },
      "network_refused",
    );
  }
});

Deno.test("Witness.cosign() verifies with the key of that origin's log", async () => {
  const other = new TestLog("log.example/other");
  const witness = testWitness({ logs: [log.witnessed, other.witnessed] });
  const request = log.request(tree, 0, 3);
  const flipped = request.logSignature.slice();
  flipped[40]! ^= 1;
  const wrong = [
    flipped,
    new Uint8Array(64),
    request.logSignature.slice(0, 63),
    other.sign(request.treeHead),
    log.sign({ ...request.treeHead, tree_size: 4 }),
    signerOf(`${NETWORK}/w1`).sign(request.logSignature),
  ];
  for (const logSignature of wrong) {
    await refused(witness, { ...request, logSignature }, "log_signature_refused");
  }
  await cosigned(witness, request);
});

Deno.test("Witness.cosign() keeps its logs apart", async () => {
  const other = new TestLog("log.example/other");
  const witness = testWitness({ logs: [log.witnessed, other.witnessed] });
  await cosigned(witness, log.request(tree, 0, 3));
  await cosigned(witness, other.request(fork, 0, 7));
  await cosigned(witness, log.request(tree, 3, 5));
  await conflicts(witness, other.request(fork, 5, 8), 7);
});

Deno.test("Witness.cosign() holds the time to 5 s ahead and 60 s behind its clock", async () => {
  for (const [seconds, good] of [[-61, false], [-60, true], [5, true], [6, false]] as const) {
    const request = log.request(tree, 0, 3, NOW + seconds);
    if (good) await cosigned(testWitness(), request);
    else await refused(testWitness(), request, "time_refused");
  }
});

Deno.test("Witness.cosign() refuses an old size above the size, before it tells its own", async () => {
  await refused(testWitness(), { ...log.request(tree, 3, 3), oldSize: 4 }, "malformed_request");
});

Deno.test("Witness.cosign() tells its size when asked from another", async () => {
  await conflicts(testWitness(), log.request(tree, 1, 3), 0);
  const witness = await standingAt(5);
  for (const [from, to] of [[0, 8], [4, 8], [6, 8], [8, 8], [0, 3], [3, 3]] as const) {
    await conflicts(witness, log.request(tree, from, to), 5);
  }
  await cosigned(witness, log.request(tree, 5, 8));
});

Deno.test("Witness.cosign() refuses every proof but the one", async () => {
  const witness = await standingAt(5);
  const request = log.request(tree, 5, 11);
  const path = request.consistencyPath;
  assert.ok(path.length > 2);
  const wrong = [
    [],
    path.slice(1),
    path.slice(0, -1),
    path.toReversed(),
    [...path, path[0]!],
    path.map((hash, i) => i === 1 ? hash.with(0, hash[0]! ^ 1) : hash),
    path.map((hash) => hash.slice(0, 31)),
    log.request(tree, 4, 11).consistencyPath,
    log.request(fork, 5, 11).consistencyPath,
  ];
  for (const consistencyPath of wrong) {
    await refused(witness, { ...request, consistencyPath }, "consistency_refused");
  }
  assert.equal(await witness.cosignedSize(), 5);
  await cosigned(witness, request);
});

Deno.test("Witness.cosign() refuses a fork, however well it is proved", async () => {
  const witness = await standingAt(5);
  await refused(witness, log.request(fork, 5, 11), "consistency_refused");
  await refused(witness, log.request(fork, 5, 5), "consistency_refused");
  await refused(
    witness,
    { ...log.request(fork, 5, 11), consistencyPath: log.request(tree, 5, 11).consistencyPath },
    "consistency_refused",
  );
});

Deno.test("Witness.cosign() refreshes the same head with an empty proof only", async () => {
  const clock = new StandingClock();
  const witness = testWitness({ clock });
  await cosigned(witness, log.request(tree, 0, 5));
  clock.seconds += 600;
  const refresh = log.request(tree, 5, 5, clock.seconds);
  await cosigned(witness, refresh);
  const consistencyPath = [new Uint8Array(32)];
  await refused(witness, { ...refresh, consistencyPath }, "consistency_refused");
});

Deno.test("Witness.cosign() knows one empty tree", async () => {
  const empty = log.request(tree, 0, 0);
  const treeHead = { ...empty.treeHead, root_hash: "00".repeat(32) };
  const bad = { ...empty, treeHead, logSignature: log.sign(treeHead) };
  const proved = { ...empty, consistencyPath: [new Uint8Array(32)] };
  const witness = testWitness();
  for (const request of [bad, proved]) await refused(witness, request, "consistency_refused");
  await cosigned(witness, empty);
  for (const request of [bad, proved]) await refused(witness, request, "consistency_refused");
  await cosigned(witness, empty);
  const grown = log.request(tree, 0, 3);
  await refused(
    witness,
    { ...grown, consistencyPath: [new Uint8Array(32)] },
    "consistency_refused",
  );
  await cosigned(witness, grown);
});

Deno.test("Witness.cosign() remembers across a restart", async () => {
  const state = new MemoryWitnessState();
  await standingAt(5, state);
  const restarted = testWitness({ state });
  await conflicts(restarted, log.request(fork, 0, 9), 5);
  await refused(restarted, log.request(fork, 5, 9), "consistency_refused");
  await cosigned(restarted, log.request(tree, 5, 9));
  state.assertSound();
});

Deno.test("Witness.cosign() signs nothing when a swap fails and is not stored", async () => {
  const state = new MemoryWitnessState();
  const witness = await standingAt(5, state);
  state.nextFault = "fail_not_stored";
  await refused(witness, log.request(tree, 5, 9), "storage_failed");
  assert.equal(await witness.cosignedSize(), 5);
  await cosigned(witness, log.request(tree, 5, 9));
  state.assertSound();
});

Deno.test("Witness.cosign() signs nothing when a swap fails but is stored, and knows it", async () => {
  for (const restart of [false, true]) {
    const state = new MemoryWitnessState();
    let witness = await standingAt(5, state);
    state.nextFault = "fail_but_stored";
    await refused(witness, log.request(tree, 5, 9), "storage_failed");
    if (restart) witness = testWitness({ state });
    // Had it taken the failure at its word, it would sign another tree from 5 on now.
    await conflicts(witness, log.request(tree, 5, 7), 9);
    await refused(witness, log.request(fork, 9, 12), "consistency_refused");
    await cosigned(witness, log.request(tree, 9, 9));
    state.assertSound();
  }
});

Deno.test("Witness.cosign() answers nothing while its state cannot be read", async () => {
  const state = new MemoryWitnessState();
  await standingAt(5, state);
  const witness = testWitness({ state });
  state.failNextLoad = true;
  await refused(witness, log.request(tree, 5, 9), "storage_failed");
  await cosigned(witness, log.request(tree, 5, 9));
});

Deno.test("Witness.cosign() lets one of two concurrent heads of one size through", async () => {
  const state = new MemoryWitnessState();
  const witness = await standingAt(4, state);
  const answers = await Promise.all([
    witness.cosign(log.request(tree, 4, 9)),
    witness.cosign(log.request(fork, 4, 9)),
  ]);
  assert.deepEqual(answers.map(({ kind }) => kind), ["cosigned", "size_conflict"]);
  state.assertSound();
});

Deno.test("Witness.cosign() does not roll back under concurrent growth", async () => {
  // c2sp.org/tlog-witness spells the race out: both are checked against 5, and the smaller one
  // is stored last.
  const state = new MemoryWitnessState();
  const witness = await standingAt(5, state);
  const answers = await Promise.all([
    witness.cosign(log.request(tree, 5, 12)),
    witness.cosign(log.request(tree, 5, 10)),
  ]);
  assert.equal(answers[0].kind, "cosigned");
  assert.deepEqual(answers[1], { kind: "size_conflict", size: 12 });
  assert.equal(await testWitness({ state }).cosignedSize(), 12);
  state.assertSound();
});

Deno.test("Witness.cosign() loses a swap to another process and starts from what won", async () => {
  const state = new MemoryWitnessState();
  const witness = await standingAt(5, state);
  const rival = testWitness({ state });
  await cosigned(rival, log.request(tree, 5, 9));
  // What the first one keeps in memory is out of date by now.
  await conflicts(witness, log.request(tree, 5, 7), 9);
  await refused(witness, log.request(fork, 9, 12), "consistency_refused");
  await cosigned(witness, log.request(tree, 9, 12));
  // Two refreshes of one head are both right, whichever is first.
  await Promise.all([
    cosigned(witness, log.request(tree, 12, 12)),
    cosigned(testWitness({ state }), log.request(tree, 12, 12)),
  ]);
  state.assertSound();
});

Deno.test("Witness.cosign() gives up on a state that never settles", async () => {
  const state = new MemoryWitnessState();
  state.replace = () => Promise.resolve(undefined);
  await refused(testWitness({ state }), log.request(tree, 0, 5), "storage_failed");
});

Deno.test("Witness.cosign() stores before it signs", async () => {
  const state = new MemoryWitnessState();
  const order: string[] = [];
  const replace = state.replace.bind(state);
  state.replace = async (...swap) => {
    const version = await replace(...swap);
    order.push("stored");
    return version;
  };
  const signer = signerOf("w");
  const witness = testWitness({
    state,
    signer: {
      publicKey: signer.publicKey,
      sign: (message) => {
        order.push("signed");
        return signer.sign(message);
      },
    },
  });
  await witness.cosign(log.request(tree, 0, 5));
  assert.deepEqual(order, ["stored", "signed"]);
});

Deno.test("Witness.cosign() reports a stored time ahead of its clock, and goes on", async () => {
  const clock = new StandingClock();
  const warnings: WitnessWarning[] = [];
  const witness = testWitness({ clock, warnings });
  await cosigned(witness, log.request(tree, 0, 5, NOW + 5));
  clock.seconds = NOW;
  await cosigned(witness, log.request(tree, 5, 6, NOW));
  await cosigned(witness, log.request(tree, 6, 6, NOW + 5));
  assert.deepEqual(warnings, []);
  clock.seconds = NOW - 1;
  await cosigned(witness, log.request(tree, 6, 7, NOW));
  assert.deepEqual(warnings, [{
    kind: "stored_time_ahead",
    origin: NETWORK,
    storedTimestamp: NOW + 5,
    now: NOW - 1,
  }]);
});

Deno.test("Witness.cosign() follows a log of sizes near 2^53 by their proofs", async () => {
  // Two subtrees of 2^51 leaves under roots made up: what lies below them is nobody's business.
  const half = ReferenceTree.ofTexts(2);
  const request = log.request(half, 1, 2);
  const size = (leaves: number) => leaves * 2 ** 51;
  const first = { ...request.treeHead, tree_size: size(1), root_hash: half.root(1).toHex() };
  const second = { ...request.treeHead, tree_size: size(2) };
  const witness = testWitness();
  await cosigned(witness, {
    treeHead: first,
    logSignature: log.sign(first),
    oldSize: 0,
    consistencyPath: [],
  });
  const grown = {
    treeHead: second,
    logSignature: log.sign(second),
    oldSize: size(1),
    consistencyPath: request.consistencyPath,
  };
  await refused(witness, { ...grown, consistencyPath: [] }, "consistency_refused");
  await cosigned(witness, grown);
});
