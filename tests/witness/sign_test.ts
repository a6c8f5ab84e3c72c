import assert from "node:assert/strict";
import { concat, utf8 } from "../../src/base/bytes.ts";
import { verifyNative } from "../../src/proof/crypto/ed25519_native.ts";
import { type RoundRequest, SequenceConflict } from "../../src/proof/format/witness_request.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { buildRoundTree } from "../../src/proof/merkle/round_tree.ts";
import { leafHash, ReferenceTree } from "../proof/merkle/reference.ts";
import {
  digestsOf,
  forkedTree,
  manyDigests,
  NETWORK,
  NOW,
  signerOf,
  StandingClock,
  TestLog,
  testWitness,
  withCode,
  WITNESS_ID,
} from "./fixture.ts";
import { MemoryWitnessState } from "./memory_state.ts";

const round = (change: Partial<RoundRequest> = {}): RoundRequest => ({
  networkId: NETWORK,
  timestamp: NOW,
  firstSequence: 0,
  digests: digestsOf("a", "b", "c"),
  beacon: null,
  ...change,
});

/** The message of protocol.md "Signed messages", implemented a second time. */
function messageOf({ timestamp, firstSequence, digests }: RoundRequest): Uint8Array {
  const leaves = Array.from({ length: digests.length / 32 }, (_, i) => {
    const hash = digests.slice(i * 32, i * 32 + 32).toHex();
    return leafHash(utf8(
      `countersign/attestation/v1\n${NETWORK}\n${hash}\n${timestamp}\n${firstSequence + i}\n`,
    ));
  });
  const root = new ReferenceTree(leaves).root(leaves.length).toHex();
  return utf8(
    `countersign/round/v1\n${NETWORK}\n${timestamp}\n${leaves.length}\n${root}\nnone\n`,
  );
}

function verifies(request: RoundRequest, signature: Uint8Array): boolean {
  return verifyNative(signerOf(WITNESS_ID).publicKey, messageOf(request), signature);
}

Deno.test("Witness.sign() signs the rebuilt round, at every size", async () => {
  const witness = testWitness();
  for (const size of [1, 2, 3, 255, 256, 257, 511, 512]) {
    const request = round({
      digests: manyDigests(size, `size ${size}`),
      firstSequence: size * 512,
    });
    const signature = await witness.sign(request);
    assert.ok(verifies(request, signature), `size ${size}`);
    assert.equal(verifies({ ...request, timestamp: NOW + 1 }, signature), false);
    assert.equal(verifies({ ...request, firstSequence: 1 }, signature), false);
  }
});

Deno.test("Witness.sign() rejects another network", async () => {
  for (const networkId of ["log.example/other", "", `${NETWORK}/`, NETWORK.toUpperCase()]) {
    await assert.rejects(testWitness().sign(round({ networkId })), withCode("network_refused"));
  }
});

Deno.test("Witness.sign() rejects rounds of a log whose heads it only cosigns", async () => {
  const other = new TestLog("log.example/other");
  const witness = testWitness({ logs: [new TestLog().witnessed, other.witnessed] });
  await assert.rejects(
    witness.sign(round({ networkId: other.origin })),
    withCode("network_refused"),
  );
});

Deno.test("Witness.sign() requires 1 to 512 hashes", async () => {
  for (const digests of [manyDigests(513), new Uint8Array(), manyDigests(2).slice(0, 63)]) {
    const request = round({ digests, firstSequence: 5 });
    await assert.rejects(testWitness().sign(request), withCode("malformed_request"));
  }
});

Deno.test("Witness.sign() rejects a duplicate hash at any position", async () => {
  const many = manyDigests(512);
  for (const [from, to] of [[0, 1], [0, 511], [510, 511], [255, 256]] as const) {
    const digests = many.slice();
    digests.copyWithin(to * 32, from * 32, from * 32 + 32);
    await assert.rejects(testWitness().sign(round({ digests })), withCode("malformed_request"));
  }
});

Deno.test("Witness.sign() requires sequences in [0, 2^53)", async () => {
  const digests = digestsOf("a", "b");
  const last = { digests, firstSequence: Number.MAX_SAFE_INTEGER - 1 };
  const state = new MemoryWitnessState();
  const root = new Uint8Array(32);
  await state.replace(NETWORK, undefined, { size: last.firstSequence, root, timestamp: NOW });
  assert.ok(verifies(round(last), await testWitness({ state }).sign(round(last))));
  for (const firstSequence of [Number.MAX_SAFE_INTEGER, 2 ** 53, -1, 0.5, NaN]) {
    const request = round({ digests, firstSequence });
    await assert.rejects(testWitness().sign(request), withCode("malformed_request"));
  }
});

Deno.test("Witness.sign() accepts times from 60 s behind to 5 s ahead of its clock", async () => {
  for (const [seconds, good] of [[-61, false], [-60, true], [5, true], [6, false]] as const) {
    const request = round({ timestamp: NOW + seconds });
    const signing = testWitness().sign(request);
    if (good) assert.ok(verifies(request, await signing));
    else await assert.rejects(signing, withCode("time_refused"));
  }
});

Deno.test("Witness.sign() signs one text for a sequence, again at any time", async () => {
  const clock = new StandingClock();
  const witness = testWitness({ clock });
  const first = round({ firstSequence: 10 });
  const signature = await witness.sign(first);
  const others = [
    { timestamp: NOW + 1 },
    { timestamp: NOW + 1000 },
    { beacon: { chain_hash: "00".repeat(32), round: 1, signature: "00".repeat(48) } },
    { digests: digestsOf("a", "b") },
    { digests: digestsOf("a", "b", "c", "d") },
    { firstSequence: 9, digests: digestsOf("z", "a", "b", "c") },
    { firstSequence: 11, digests: digestsOf("b", "c") },
    { firstSequence: 12, digests: digestsOf("c", "x") },
  ];
  for (const seconds of [0, 1000, 1_000_000, -1_000_000]) {
    clock.seconds = NOW + seconds;
    for (const other of others) {
      await assert.rejects(
        witness.sign(round({ firstSequence: 10, ...other })),
        withCode("round_conflict"),
      );
    }
    assert.deepEqual(await witness.sign(first), signature);
  }
  clock.seconds = NOW;
  await witness.sign(round({ firstSequence: 9, digests: digestsOf("z") }));
  await witness.sign(round({ firstSequence: 13, digests: digestsOf("d") }));
});

Deno.test("Witness.sign() refuses an old time only for sequences that it has not signed", async () => {
  const clock = new StandingClock();
  const witness = testWitness({ clock });
  await witness.sign(round());
  clock.seconds += 61;
  await witness.sign(round());
  const next = round({ firstSequence: 3 });
  await assert.rejects(witness.sign(next), withCode("time_refused"));
  assert.deepEqual((await witness.roundsFrom(0)).map(({ first }) => first), [0]);
});

Deno.test("Witness.roundsFrom() names signed rounds, ascending, in pages", async () => {
  const witness = testWitness();
  const size = (n: number) => 1 + n % 3;
  const requests: RoundRequest[] = [];
  for (let n = 0, first = 0; n < 40; n++) {
    requests.push(round({
      firstSequence: first,
      timestamp: NOW - n,
      digests: digestsOf(...Array.from({ length: size(n) }, (_, i) => `${n} ${i}`)),
    }));
    first += size(n);
  }
  for (const request of requests.toReversed()) await witness.sign(request);
  const [page, rest] = [
    await witness.roundsFrom(0),
    await witness.roundsFrom(requests[32]!.firstSequence),
  ];
  assert.deepEqual([page.length, rest.length], [32, 8]);
  for (const [n, text] of [...page, ...rest].entries()) {
    const { firstSequence: first, timestamp, digests } = requests[n]!;
    const { root } = buildRoundTree(portableKernels, {
      networkId: NETWORK,
      timestamp,
      first,
      digests,
    });
    assert.deepEqual(text, { first, size: digests.length / 32, timestamp, beacon: null, root });
  }
  // A round that ends beyond the sequence counts, one that ends there does not.
  const { firstSequence } = requests[2]!;
  assert.equal((await witness.roundsFrom(firstSequence))[0]!.first, firstSequence);
  assert.equal((await witness.roundsFrom(firstSequence + 1))[0]!.first, firstSequence);
  assert.deepEqual(await witness.roundsFrom(2 ** 52), []);
});

Deno.test("Witness.sign() rejects another hash for a signed sequence", async () => {
  const witness = testWitness();
  await witness.sign(round({ firstSequence: 10 }));
  const conflicts: [number, string[]][] = [
    [10, ["a", "b", "d"]],
    [10, ["x"]],
    [12, ["x"]],
    [8, ["y", "z", "b"]],
    [11, ["b", "d", "e"]],
  ];
  for (const [firstSequence, texts] of conflicts) {
    const request = round({ firstSequence, digests: digestsOf(...texts) });
    await assert.rejects(witness.sign(request), (error) => {
      assert.ok(error instanceof SequenceConflict);
      assert.equal(error.code, "sequence_conflict");
      assert.equal(error.size, 0);
      return true;
    });
  }
});

Deno.test("Witness.sign() remembers nothing of a rejected round", async () => {
  const witness = testWitness();
  await witness.sign(round({ firstSequence: 1, digests: digestsOf("b") }));
  const refused = [
    round({ digests: digestsOf("a", "x") }),
    round({ digests: digestsOf("a", "b") }),
    round({ timestamp: NOW + 6, digests: digestsOf("a") }),
    round({ networkId: "other", digests: digestsOf("a") }),
  ];
  for (const request of refused) await assert.rejects(witness.sign(request));
  await witness.sign(round({ digests: digestsOf("c") }));
});

Deno.test("Witness.sign() treats the all-zero digest like any other", async () => {
  const witness = testWitness();
  await witness.sign(round({ digests: concat(new Uint8Array(32)) }));
  await assert.rejects(
    witness.sign(round({ digests: digestsOf("a") })),
    withCode("sequence_conflict"),
  );
});

Deno.test("Witness.sign() rejects sequences below the cosigned size", async () => {
  const witness = testWitness();
  const log = new TestLog();
  const tree = forkedTree("t", 0, 8);
  await witness.cosign(log.request(tree, 0, 5));
  for (const firstSequence of [0, 4]) {
    await assert.rejects(witness.sign(round({ firstSequence })), (error) => {
      assert.ok(error instanceof SequenceConflict);
      assert.equal(error.size, 5);
      return true;
    });
  }
  await witness.sign(round({ firstSequence: 5 }));
});

Deno.test("Witness.sign() remembers digests from the cosigned size on", async () => {
  const witness = testWitness();
  const log = new TestLog();
  // More leaves than the memory holds; any root of that size will do.
  const treeHead = { ...log.head(forkedTree("t", 0, 1), 1), tree_size: 2 ** 21 };
  const logSignature = log.sign(treeHead);
  await witness.cosign({ treeHead, logSignature, oldSize: 0, consistencyPath: [] });
  const firstSequence = 2 ** 21;
  await witness.sign(round({ firstSequence }));
  await assert.rejects(
    witness.sign(round({ firstSequence, digests: digestsOf("x") })),
    withCode("sequence_conflict"),
  );
});

Deno.test("Witness.sign() rejects a round that begins 2^20 or more beyond the cosigned size", async () => {
  for (const size of [0, 5]) {
    const state = new MemoryWitnessState();
    if (size > 0) {
      await testWitness({ state }).cosign(new TestLog().request(forkedTree("t", 0, 8), 0, size));
    }
    const witness = testWitness({ state });
    for (const beyond of [2 ** 20, 2 ** 21, 2 ** 52]) {
      const firstSequence = size + beyond;
      await assert.rejects(witness.sign(round({ firstSequence })), withCode("overloaded"));
    }
    const firstSequence = size + 2 ** 20 - 1;
    await witness.sign(round({ firstSequence }));
    // The part of a round beyond the bound is remembered as well.
    const another = round({ firstSequence, digests: digestsOf("a", "b", "x") });
    await assert.rejects(witness.sign(another), withCode("sequence_conflict"));
  }
});

Deno.test("Witness.sign() uses the stored cosigned size after a restart", async () => {
  const state = new MemoryWitnessState();
  await testWitness({ state }).cosign(new TestLog().request(forkedTree("t", 0, 5), 0, 5));
  const restarted = testWitness({ state });
  await assert.rejects(restarted.sign(round({ firstSequence: 4 })), withCode("sequence_conflict"));
  await restarted.sign(round({ firstSequence: 5 }));
});

Deno.test("Witness.sign() uses its own network's cosigned size", async () => {
  const other = new TestLog("log.example/other");
  const witness = testWitness({ logs: [new TestLog().witnessed, other.witnessed] });
  await witness.cosign(other.request(forkedTree("t", 0, 5), 0, 5));
  await witness.sign(round());
});

Deno.test("Witness.sign() rejects while its state cannot be read", async () => {
  const state = new MemoryWitnessState();
  const witness = testWitness({ state });
  state.failNextLoad = true;
  await assert.rejects(witness.sign(round()), withCode("storage_failed"));
  await witness.sign(round());
});

Deno.test("Witness.sign() reads its state once", async () => {
  const state = new MemoryWitnessState();
  const witness = testWitness({ state });
  const requests = Array.from(
    { length: 20 },
    (_, i) => round({ firstSequence: i, digests: digestsOf(`${i}`) }),
  );
  await Promise.all(requests.map((request) => witness.sign(request)));
  const { load, loadSigned } = state.calls;
  assert.deepEqual({ load, loadSigned }, { load: 1, loadSigned: 1 });
});
