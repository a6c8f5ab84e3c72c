import assert from "node:assert/strict";
import { concat, textOf } from "../../src/base/bytes.ts";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { buildRoundTree, roundLeaves } from "../../src/proof/merkle/round_tree.ts";
import { encodeAttestation } from "../../src/proof/format/attestation.ts";
import { namedSignatures, UPPER_NODE_HEIGHT } from "../../src/proof/format/records.ts";
import type { SignatureSet } from "../../src/proof/format/signature_set.ts";
import { AttestationReader } from "../../src/gateway/proving/attestation_reader.ts";
import { NO_FEDERATION } from "../../src/proof/format/network_check.ts";
import { Epochs } from "../../src/gateway/succession/epochs.ts";
import { ConfirmedRounds } from "../../src/gateway/proving/confirmed_rounds.ts";
import { HashIndex } from "../../src/gateway/index/hash_index.ts";
import type { ReadAttestation } from "../../src/gateway/proving/attestation_json.ts";
import { rootFromInclusion } from "../../src/proof/merkle/proof.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { round } from "../storage/log_records.ts";
import { hashesOf } from "./checker.ts";
import { randomDigests } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { partOf } from "./scenario.ts";

const NETWORK = "reader.example";
const EPOCHS = new Epochs({
  id: NETWORK,
  signature_scheme: "ed25519",
  threshold: 2,
  witnesses: ["a", "b", "c"].map((id) => ({ id, pubkey: "00".repeat(32) })),
  federation: NO_FEDERATION,
});
const SIZES = [1, 2, 3, 31, 32, 33, 63, 64, 65, 100, 511, 512];
const TOTAL = SIZES.reduce((sum, size) => sum + size, 0);

/** Two readers of one log: one with recent rounds in memory, one with the store only. */
async function makeReaders(damage: (log: MemoryLog) => void = () => {}) {
  const digests = randomDigests(TOTAL);
  const log = new MemoryLog(KV_LOG_LIMITS);
  for (let first = 0; first < TOTAL; first += 28) {
    log.rows.set(first, {
      first,
      acceptedAt: 1,
      digests: digests.slice(first * 32, first * 32 + 896),
    });
  }
  const confirmed = new ConfirmedRounds(0, []);
  const roots: { first: number; root: Uint8Array }[] = [];
  let first = 0;
  for (const size of SIZES) {
    const timestamp = 1_000_000 + size;
    const part = digests.slice(first * 32, (first + size) * 32);
    const tree = buildRoundTree(kernels, { networkId: NETWORK, timestamp, first, digests: part });
    const upperNodes = tree.levels[UPPER_NODE_HEIGHT] ?? tree.root;
    const record = { ...round(first, size), timestamp, upperNodes };
    log.rounds.set(first, record);
    confirmed.add({ record, tree });
    roots.push({ first, root: tree.root });
    first += size;
  }
  const store = new MemoryLogStore(log);
  const index = await HashIndex.open(store.index, store.rounds, TOTAL);
  damage(log);
  const context = {
    networkId: NETWORK,
    epochs: EPOCHS,
    rounds: store.rounds,
    index,
    kernels,
    // The signatures of these rounds do not verify.
    check: { round: () => Promise.resolve() },
    durable: () => TOTAL,
  };
  const recent = new AttestationReader({ ...context, confirmed });
  const stored = new AttestationReader({ ...context, confirmed: new ConfirmedRounds(TOTAL, []) });
  // As in a log so long that the digests of its first rounds are not in memory.
  const long: HashIndex = Object.create(index, {
    digests: {
      value: (start: number, end: number) => Promise.resolve(digests.slice(start * 32, end * 32)),
    },
    acceptedInMemory: { value: () => undefined },
  });
  const sealed = new AttestationReader({
    ...context,
    index: long,
    confirmed: new ConfirmedRounds(TOTAL, []),
  });
  return { digests, log, recent, stored, sealed, roots };
}

/** An attestation without the cached texts of its round. */
function partsOf({ round: { record }, ...parts }: ReadAttestation) {
  return { record, ...parts };
}

Deno.test("attestations from the store equal those in memory, at every index of a round", async () => {
  const { recent, stored, roots, digests } = await makeReaders();
  const hashes = hashesOf(digests);
  // The first reads of a round load its corners; later ones use the cached tree.
  for (const pass of ["corner", "corner", "tree", "tree"]) {
    for (let sequence = 0; sequence < TOTAL; sequence++) {
      const fromMemory = recent.read(sequence);
      assert.ok(!(fromMemory instanceof Promise));
      const fromStore = await stored.read(sequence);
      assert.deepEqual(partsOf(fromStore!), partsOf(fromMemory!), pass);
      const { round: { record }, pathJson, hash, leafHash } = fromStore!;
      assert.equal(hash, hashes[sequence]);
      const digest = partOf(digests, sequence, 1);
      const leaf = roundLeaves(kernels, {
        networkId: NETWORK,
        timestamp: record.timestamp,
        first: sequence,
        digests: digest,
      });
      assert.equal(leafHash, leaf.toHex());
      const root = rootFromInclusion(kernels, {
        leafHash: leaf,
        index: sequence - record.first,
        size: record.size,
        path: (JSON.parse(pathJson) as string[]).map((node) => Uint8Array.fromHex(node)),
      });
      assert.deepEqual(root, roots.find(({ first }) => first === record.first)!.root);
    }
  }
  assert.equal(await recent.read(TOTAL), undefined);
  assert.equal(await stored.read(TOTAL), undefined);
});

Deno.test("sharedOf() contains the round's witnesses, and is encoded once", async () => {
  const { recent, stored } = await makeReaders();
  for (const reader of [recent, stored]) {
    const read = (await reader.read(4))!;
    const { round, ...members }: SignatureSet & { round: unknown } = JSON.parse(
      `{"round":{${reader.sharedOf(read)}}`,
    );
    assert.deepEqual(round, { beacon: null });
    assert.deepEqual(members, namedSignatures(read.round.record.signatures, ["a", "b", "c"]));
    assert.ok("signatures" in members);
    assert.deepEqual(members.signatures.map(({ witness_id }) => witness_id), ["a", "c"]);
    assert.equal(read.round.sharedJson, reader.sharedOf((await reader.read(3))!));
  }
});

Deno.test("leaves and attestations of any range are the same from memory and from the store", async () => {
  const { recent, stored, digests } = await makeReaders();
  const hashes = hashesOf(digests);
  const all = await recent.leaves(0, TOTAL);
  for (const [start, end] of [[0, 0], [0, 1], [0, TOTAL], [2, 5], [5, 6], [68, 70], [37, 1000]]) {
    const expected = all.slice(start! * 32, end! * 32);
    assert.deepEqual(await recent.leaves(start!, end!), expected);
    assert.deepEqual(await stored.leaves(start!, end!), expected);
    const attestations = await stored.attestations(start!, end!);
    assert.deepEqual(attestations.map(({ hash }) => hash), hashes.slice(start, end));
    assert.deepEqual(
      attestations.map(({ sequence }) => sequence),
      Array.from({ length: end! - start! }, (_, i) => start! + i),
    );
    assert.deepEqual(
      concat(...attestations.map(({ timestamp, sequence }) =>
        roundLeaves(kernels, {
          networkId: NETWORK,
          timestamp,
          first: sequence,
          digests: partOf(digests, sequence, 1),
        })
      )),
      expected,
    );
    const texts = await stored.texts(start!, end!);
    assert.equal(
      texts.map(({ entries }) => textOf(entries)).join(""),
      attestations.map(encodeAttestation).join(""),
    );
    assert.deepEqual(
      concat(...texts.map(({ entries, ends }) => kernels.leafHashes(entries, ends))),
      expected,
    );
  }
});

Deno.test("storedLeaves() has the leaves of one or two rounds, after any reads", async () => {
  const { recent, sealed } = await makeReaders();
  const all = await recent.leaves(0, TOTAL);
  const firsts = SIZES.map((_, i) => SIZES.slice(0, i).reduce((sum, size) => sum + size, 0));
  const roundsIn = (start: number, end: number) =>
    firsts.filter((first, i) => first < end && first + SIZES[i]! > start).length;
  const counts = { some: 0, none: 0 };
  for (const pass of ["first", "after reads"]) {
    for (let start = 0; start + 32 <= TOTAL; start++) {
      if (pass === "after reads") await sealed.read(start + 7);
      const leaves = await sealed.storedLeaves(start, start + 32);
      counts[leaves === undefined ? "none" : "some"]++;
      const expected = roundsIn(start, start + 32) <= 2
        ? all.slice(start * 32, (start + 32) * 32)
        : undefined;
      assert.deepEqual(leaves, expected, `${start}, ${pass}`);
    }
  }
  assert.ok(counts.some > 1_000 && counts.none > 5);
});

Deno.test("storedLeaves() does not read the digests of a subtree again, whose leaves were verified", async () => {
  const { sealed, digests } = await makeReaders();
  await sealed.read(200);
  const leavesOf = (sequence: number) => sealed.storedLeaves(sequence, sequence + 1);
  const [kept, unread] = [await leavesOf(200), await leavesOf(500)];
  digests.fill(0);
  assert.deepEqual(await leavesOf(200), kept);
  assert.notDeepEqual(await leavesOf(500), unread, "control: those of another subtree");
});

Deno.test("reads of a missing round are refused", async () => {
  const damages: readonly ((log: MemoryLog) => void)[] = [
    (log) => log.rounds.delete(0),
    (log) => log.rounds.delete(3),
    (log) => log.rounds.delete([...log.rounds.keys()].at(-1)!),
  ];
  for (const damage of damages) {
    const { stored } = await makeReaders(damage);
    await assert.rejects(stored.leaves(0, TOTAL), { code: "store_corrupt" });
    await assert.rejects(stored.attestations(0, TOTAL), { code: "store_corrupt" });
  }
  const { stored } = await makeReaders((log) => log.rounds.delete(3));
  await assert.rejects(async () => await stored.read(4), { code: "store_corrupt" });
  assert.notEqual(await stored.read(2), undefined);
});

Deno.test("a digest that is damaged after the tree of its round was read is refused", async () => {
  const { digests, sealed } = await makeReaders();
  const [sequence, damaged] = [100, 101];
  // The tree is cached by now.
  for (let read = 0; read < 64; read++) await sealed.read(sequence + read % 2);
  digests[damaged * 32]! ^= 1;
  await assert.rejects(async () => await sealed.read(damaged), { code: "store_corrupt" });
  // An index that leads to the sequence of another digest is damaged as well.
  const [hash] = hashesOf(digests.slice(sequence * 32));
  await assert.rejects(async () => await sealed.read(sequence + 1, hash), {
    code: "store_corrupt",
  });
  assert.equal((await sealed.read(sequence))!.hash, hashesOf(digests)[sequence]);
});
