import assert from "node:assert/strict";
import { textOf, utf8 } from "../../src/base/bytes.ts";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { parseAttestation } from "../../src/proof/format/attestation.ts";
import {
  parseBundle,
  parseInclusionProof,
  parseMerkleProof,
} from "../../src/proof/format/bundle.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { TileProver } from "../../src/proof/merkle/tile_proof.ts";
import { treeRoot } from "../../src/proof/merkle/tree.ts";
import { PublishedLog } from "../../src/gateway/proving/published_log.ts";
import { Epochs } from "../../src/gateway/succession/epochs.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import {
  verifyConsistencyProof,
  verifyInclusionProof,
  verifyMerkleProof,
} from "../../src/proof/verify/log_proofs.ts";
import { hashesOf } from "./checker.ts";
import { hashAt, randomDigests } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { Scenario } from "./scenario.ts";
import { eachScheme, nativeCrypto } from "../schemes.ts";

const SIZES = [1, 2, 3, 7, 8, 255, 256, 257, 300, 512, 513, 700];

/** A gateway with exactly the published sizes `SIZES`. */
async function makeHistory(scheme: SignatureScheme) {
  const scenario = new Scenario(scheme, new MemoryLog(KV_LOG_LIMITS));
  const { gateway } = await scenario.start(scenario.open());
  const hashes: string[] = [];
  for (const size of SIZES) {
    const digests = randomDigests(size - hashes.length);
    hashes.push(...hashesOf(digests));
    await scenario.submit(gateway, digests);
    await scenario.settle(gateway);
  }
  return { scenario, gateway, hashes, network: scenario.network.network };
}

type History = Awaited<ReturnType<typeof makeHistory>>;

const histories: Readonly<Record<SignatureScheme, History>> = {
  ed25519: await makeHistory("ed25519"),
  bls: await makeHistory("bls"),
};
const SAMPLE = [0, 1, 2, 6, 7, 254, 255, 256, 299, 511, 512, 699];

/** A new gateway over the same store. */
async function withRestarted(
  history: History,
  run: (history: History) => Promise<void>,
): Promise<void> {
  const { scenario } = history;
  const next = await scenario.start(scenario.open());
  try {
    await run({ ...history, gateway: next.gateway });
  } finally {
    await next.gateway.stop();
  }
}

async function checkConsistency({ gateway, network }: History): Promise<void> {
  for (const first of SIZES) {
    for (const second of SIZES) {
      if (first > second) {
        await assert.rejects(gateway.log.consistency(first, second), {
          code: "malformed_parameter",
        });
        continue;
      }
      const proof = await gateway.log.consistency(first, second);
      const result = await verifyConsistencyProof(nativeCrypto, network, proof, { first, second });
      assert.equal(result.valid, true, `${first} to ${second}`);
      assert.equal(proof.consistency_path.length === 0, first === second);
    }
  }
}

eachScheme.test("any two published heads have a consistency proof, from memory and from the store", async (scheme) => {
  const history = histories[scheme];
  await checkConsistency(history);
  await withRestarted(history, checkConsistency);
  const { gateway } = history;
  await assert.rejects(gateway.log.consistency(0, 3), { code: "malformed_parameter" });
  for (const [first, second] of [[4, 7], [7, 9], [700, 701]]) {
    const refused = gateway.log.consistency(first!, second!);
    await assert.rejects(refused, { code: "tree_size_not_published" });
  }
});

async function checkInclusion({ gateway, network, hashes }: History): Promise<void> {
  for (const treeSize of SIZES) {
    for (const sequence of SAMPLE) {
      if (sequence >= treeSize) {
        const refused = gateway.proofs.inclusion(await hashAt(gateway, sequence), treeSize);
        await assert.rejects(refused, { code: "malformed_parameter" });
        continue;
      }
      const signedAttestation =
        parseBundle(await gateway.proofs.bundle(await hashAt(gateway, sequence)))
          .signed_attestation;
      const proof = parseInclusionProof(
        await gateway.proofs.inclusion(await hashAt(gateway, sequence), treeSize),
      );
      const expected = { hash: hashes[sequence]!, treeSize, signedAttestation };
      const result = await verifyInclusionProof(nativeCrypto, network, proof, expected);
      assert.deepEqual([result.valid, result.unauthenticated], [true, []], `${sequence}`);
    }
  }
}

eachScheme.test("every leaf has an inclusion proof in every later published tree", async (scheme) => {
  const history = histories[scheme];
  await checkInclusion(history);
  await withRestarted(history, checkInclusion);
  const { gateway } = history;
  await assert.rejects(gateway.proofs.inclusion(await hashAt(gateway, 0), 4), {
    code: "tree_size_not_published",
  });
  await assert.rejects(gateway.proofs.inclusion(await hashAt(gateway, 0), 701), {
    code: "tree_size_not_published",
  });
});

async function checkBundles({ gateway, network, hashes }: History): Promise<void> {
  for (const sequence of SAMPLE) {
    const closing = SIZES.find((size) => size > sequence)!;
    const bundle = parseBundle(await gateway.proofs.bundle(await hashAt(gateway, sequence)));
    const verdict = await verifyBundle(nativeCrypto, { network, peers: [] }, bundle);
    assert.equal(verdict.level, "batched");
    assert.equal(bundle.batch_inclusion?.batch.id, closing);
    const proof = parseMerkleProof(
      await gateway.proofs.merkleProof(await hashAt(gateway, sequence)),
    );
    assert.deepEqual(proof, bundle.batch_inclusion.merkle_proof);
    const sth = (await gateway.log.sthAt(closing))!;
    const expected = { hash: hashes[sequence]!, signedAttestation: bundle.signed_attestation };
    const result = await verifyMerkleProof(nativeCrypto, network, { proof, sth }, expected);
    assert.equal(result.valid, true);
  }
}

eachScheme.test("a bundle proves the batch of its attestation", async (scheme) => {
  const history = histories[scheme];
  await checkBundles(history);
  await withRestarted(history, checkBundles);
});

/** The entries of an entry bundle: each has a 16-bit length and a text. */
function entriesOf(bytes: Uint8Array): string[] {
  const entries: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes[at]! * 256 + bytes[at + 1]!;
    entries.push(textOf(bytes.subarray(at + 2, at + 2 + length)));
    at += 2 + length;
  }
  return entries;
}

async function checkTiles({ gateway, hashes }: History): Promise<void> {
  const leaves: Uint8Array[] = [];
  for (const [index, width] of [[0, 256], [1, 256], [2, 188]] as const) {
    const entries = entriesOf((await gateway.log.entries(index, width))!);
    assert.equal(entries.length, width);
    entries.forEach((text, i) => {
      const { hash, sequence } = parseAttestation(text);
      assert.equal(sequence, index * 256 + i);
      assert.equal(hash, hashes[sequence]);
    });
    const hashed = entries.map((text) => {
      const entry = utf8(text);
      return kernels.leafHashes(entry, Uint32Array.of(entry.length));
    });
    const tile = (await gateway.log.tile(0, index, width))!;
    assert.equal(tile.toHex(), hashed.map((leaf) => leaf.toHex()).join(""));
    leaves.push(tile);
    // With the width in any published tree.
    for (const part of [1, 44, width - 1]) {
      assert.deepEqual(await gateway.log.tile(0, index, part), tile.slice(0, 32 * part));
      const partial = (await gateway.log.entries(index, part))!;
      assert.deepEqual(entriesOf(partial), entries.slice(0, part));
    }
  }
  const upper = (await gateway.log.tile(1, 0, 2))!;
  assert.deepEqual(upper.slice(0, 32), treeRoot(kernels, leaves[0]!));
  assert.deepEqual(upper.slice(32), treeRoot(kernels, leaves[1]!));
  for (const [level, index, width] of [[0, 2, 189], [0, 3, 1], [1, 0, 3], [1, 1, 1], [2, 0, 1]]) {
    assert.equal(await gateway.log.tile(level!, index!, width!), undefined);
  }
  assert.equal(await gateway.log.entries(2, 189), undefined);
  assert.equal(await gateway.log.entries(3, 1), undefined);
}

eachScheme.test("full and partial tiles and entries are those of the published tree", async (scheme) => {
  const history = histories[scheme];
  await checkTiles(history);
  await withRestarted(history, checkTiles);
});

eachScheme.test("committed but unpublished heads are not proved", async (scheme) => {
  const own = new Scenario(scheme);
  const { witnesses } = own.network;
  const store = own.open();
  const { gateway } = await own.start(store);
  await own.submit(gateway, randomDigests(3));
  await own.settle(gateway);
  store.fault = (kind) => {
    if (kind === "head") { for (const witness of witnesses) witness.down = true; }
    return undefined;
  };
  await own.submit(gateway, randomDigests(2));
  await own.clock.until(() => own.log.head?.head.size === 5);
  await own.clock.advance(1_000);
  assert.equal(await gateway.log.tile(0, 0, 4), undefined);
  assert.equal(await gateway.log.entries(0, 4), undefined);
  assert.notEqual(await gateway.log.tile(0, 0, 3), undefined);
  const unbatched = await hashAt(gateway, 4);
  await assert.rejects(async () => await gateway.proofs.merkleProof(unbatched), {
    code: "not_batched",
  });
  assert.equal(
    parseBundle(await gateway.proofs.bundle(await hashAt(gateway, 4))).batch_inclusion,
    null,
  );
  assert.equal(await gateway.log.sthAt(5), undefined);
  await assert.rejects(gateway.proofs.inclusion(await hashAt(gateway, 4), 5), {
    code: "tree_size_not_published",
  });
  await assert.rejects(gateway.log.consistency(3, 5), { code: "tree_size_not_published" });
  await own.submit(gateway, randomDigests(1));
  await assert.rejects(gateway.proofs.inclusion(await hashAt(gateway, 5), 3), {
    code: "not_confirmed",
  });
  await gateway.stop();
});

Deno.test("a head whose tiles do not hash to its root has no proofs", async () => {
  const log = new MemoryLog(KV_LOG_LIMITS);
  const scenario = new Scenario("ed25519", log);
  const first = await scenario.start(scenario.open());
  for (const count of [300, 300]) {
    await scenario.submit(first.gateway, randomDigests(count));
    await scenario.settle(first.gateway);
  }
  await first.gateway.stop();
  // In the second tile, which began under the first head; the second head has its root one level
  // above.
  log.tiles.get("0/1")![10 * 32]! ^= 1;
  log.upperNodes.get(1)![3 * 32]! ^= 1;
  const { gateway } = await scenario.start(scenario.open());
  const damaged = { code: "store_corrupt" };
  for (const sequence of [5, 299]) {
    await assert.rejects(
      async () => await gateway.proofs.bundle(await hashAt(gateway, sequence)),
      damaged,
    );
    await assert.rejects(
      async () => await gateway.proofs.merkleProof(await hashAt(gateway, sequence)),
      damaged,
    );
    await assert.rejects(
      async () => await gateway.proofs.inclusion(await hashAt(gateway, sequence), 300),
      damaged,
    );
  }
  await assert.rejects(async () => await gateway.log.consistency(300, 600), damaged);
  await assert.rejects(async () => await gateway.log.tile(0, 1, 256), damaged);
  await assert.rejects(gateway.log.entries(1, 256), damaged);
  const proof = parseInclusionProof(await gateway.proofs.inclusion(await hashAt(gateway, 5), 600));
  const expected = { hash: proof.hash, treeSize: 600 };
  const { network } = scenario.network;
  assert.ok((await verifyInclusionProof(nativeCrypto, network, proof, expected)).valid);
  await gateway.stop();
});

Deno.test("a neighbour that does not hash to the tree leaves no proof of a leaf of another round", async () => {
  const damages: readonly ((log: MemoryLog) => void)[] = [
    // The group of leaves from 288 to 319 has leaves of two rounds.
    (log) => {
      const row = [...log.rows.values()].findLast(({ first }) => first <= 305)!;
      row.digests[(305 - row.first) * 32]! ^= 1;
    },
    (log) => {
      const round = log.rounds.get(300)!;
      log.rounds.set(300, { ...round, timestamp: round.timestamp + 1 });
    },
  ];
  for (const damage of damages) {
    const log = new MemoryLog(KV_LOG_LIMITS);
    const scenario = new Scenario("ed25519", log);
    const first = await scenario.start(scenario.open());
    for (const count of [300, 300]) {
      await scenario.submit(first.gateway, randomDigests(count));
      await scenario.settle(first.gateway);
    }
    await first.gateway.stop();
    damage(log);
    const { gateway } = await scenario.start(scenario.open());
    const [sound, beside] = [await hashAt(gateway, 5), await hashAt(gateway, 299)];
    await assert.rejects(gateway.proofs.inclusion(beside, 600), { code: "store_corrupt" });
    const proof = parseInclusionProof(await gateway.proofs.inclusion(sound, 600));
    const expected = { hash: proof.hash, treeSize: 600 };
    const { network } = scenario.network;
    assert.ok((await verifyInclusionProof(nativeCrypto, network, proof, expected)).valid);
    await gateway.stop();
  }
});

Deno.test("a proof takes few reads of the store, however small the rounds are", async () => {
  for (const size of [1, 2, 20, 600]) {
    const scenario = new Scenario("ed25519", new MemoryLog(KV_LOG_LIMITS));
    const first = await scenario.start(scenario.open());
    await scenario.submitRounds(first.gateway, 600, size);
    await first.gateway.stop();
    const store = scenario.open();
    const { gateway } = await scenario.start(store);
    const hash = await hashAt(gateway, 300);
    const before = store.operations;
    const bundle = parseBundle(await gateway.proofs.bundle(hash));
    const reads = store.operations - before;
    assert.ok(reads <= 6, `${reads} reads with rounds of ${size}`);
    const { network } = scenario.network;
    assert.ok((await verifyBundle(nativeCrypto, { network, peers: [] }, bundle)).valid);
    await gateway.stop();
  }
});

Deno.test("a signed head of another tree has no proofs", async () => {
  const { gateway, network } = histories.ed25519;
  const record = { ...await gateway.log.headAt(700), root: randomDigests(1) };
  const log = new PublishedLog({
    epochs: new Epochs(network),
    heads: {
      latest: record,
      size: record.size,
      at: () => record,
      closing: () => record,
      previous: () => undefined,
      below: () => Promise.resolve([record]),
    },
    tree: { nodes: nodesOf(gateway) },
    tiles: new TileProver(kernels, { nodes: nodesOf(gateway) }, { tiles: 4, sizes: 4 }),
    reader: { texts: () => Promise.reject(new Error("no entry is read")) },
    anchors: undefined,
    kernels,
    report: () => {},
  });
  const damaged = { code: "store_corrupt" };
  const { leaf_hash } = parseMerkleProof(
    await gateway.proofs.merkleProof(await hashAt(gateway, 0)),
  );
  const leaf = { sequence: 0, leafHash: leaf_hash };
  await assert.rejects(async () => await log.inclusionPath(leaf, record), damaged);
  await assert.rejects(log.consistency(1, record.size), damaged);
});

/** Reads the tiles that `gateway` publishes. */
function nodesOf(gateway: History["gateway"]) {
  return async (level: number, index: number, width: number) =>
    (await gateway.log.tile(level, index, width))!;
}
