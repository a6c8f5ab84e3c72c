/**
 * The conformance suite for every {@linkcode GatewayService} over any store: requests everything
 * and verifies it offline.
 *
 * @module
 */

import { textOf } from "../../src/base/bytes.ts";
import assert from "node:assert/strict";
import type { Bytes } from "../../src/base/bytes.ts";
import {
  parseBundle,
  parseInclusionProof,
  parseMerkleProof,
} from "../../src/proof/format/bundle.ts";
import type { JobSnapshotMembers } from "../../src/proof/format/job_snapshot.ts";
import type { GatewayService } from "../../src/gateway/gateway_service.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import {
  verifyConsistencyProof,
  verifyInclusionProof,
  verifyMerkleProof,
} from "../../src/proof/verify/log_proofs.ts";
import { verifyCheckpoint } from "../../src/proof/verify/checkpoint.ts";
import { nativeCrypto } from "../schemes.ts";
import { hashesOf } from "./checker.ts";
import { randomDigests } from "./fixture.ts";

/** A fully published log: its digests, and the sizes of its heads, ascending. */
export interface PublishedLog {
  readonly digests: Bytes;
  readonly sizes: readonly number[];
}

/**
 * Requests everything, without `repeats` only what reads; returns the answers that must never change.
 */
export async function askForEverything(
  service: GatewayService,
  log: PublishedLog,
  { repeats = true } = {},
) {
  const jobs = await askForJobs(service, log);
  if (repeats) await repeatJobs(service, log, jobs);
  return {
    jobs,
    proofs: await askForProofs(service, log),
    heads: await askForHeads(service, log),
    tiles: await askForTiles(service, log),
  };
}

async function askForJobs(service: GatewayService, { digests, sizes }: PublishedLog) {
  const hashes = hashesOf(digests);
  const answers: string[] = [];
  for (const [sequence, hash] of hashes.entries()) {
    const json = (await service.jobs.get(hash, undefined)).json;
    const job = JSON.parse(json) as JobSnapshotMembers;
    assert.equal(job.hash, hash);
    assert.equal(job.progress, "batched");
    assert.equal(job.batch_id, sizes.find((size) => size > sequence));
    answers.push(json);
  }
  const unknown = randomDigests(1);
  await assert.rejects(async () => await service.jobs.get(unknown.toHex(), undefined), {
    code: "hash_unknown",
  });
  return answers;
}

/** Repeated digests are found, not accepted again. */
async function repeatJobs(
  service: GatewayService,
  { digests }: PublishedLog,
  answers: readonly string[],
): Promise<void> {
  const again = await service.jobs.submitAll(digests.slice(0, 32 * 200), undefined);
  // Another answer before the memory of this one is given back, and one after that.
  (await service.jobs.submitAll(digests.slice(32 * 200, 32 * 210), undefined)).reuse();
  await service.jobs.submitAll(digests.slice(32 * 200, 32 * 210), undefined);
  assert.deepEqual(
    JSON.parse(textOf(again.json)),
    answers.slice(0, 200).map((json) => JSON.parse(json)),
  );
  assert.equal(again.waiting, -1);
  assert.equal((await service.jobs.submit(hashesOf(digests)[7]!, 5)).json, answers[7]);
}

async function askForProofs(service: GatewayService, { digests, sizes }: PublishedLog) {
  const { network } = service;
  const answers: string[] = [];
  for (const [sequence, hash] of hashesOf(digests).entries()) {
    const text = await service.proofs.bundle(hash);
    const bundle = parseBundle(text);
    const verdict = await verifyBundle(nativeCrypto, { network, peers: [] }, bundle, { hash });
    assert.equal(verdict.valid, true);
    assert.equal(verdict.layers.batch.status, "verified");
    const proofText = await service.proofs.merkleProof(hash);
    const proof = parseMerkleProof(proofText);
    const { sth } = bundle.batch_inclusion!;
    const signedAttestation = bundle.signed_attestation;
    const expected = { hash, signedAttestation };
    const merkle = await verifyMerkleProof(nativeCrypto, network, { proof, sth }, expected);
    assert.equal(merkle.valid, true);
    answers.push(text, proofText);
    for (const treeSize of sizes) {
      if (treeSize <= sequence) {
        await assert.rejects(service.proofs.inclusion(hash, treeSize), {
          code: "malformed_parameter",
        });
        continue;
      }
      const inclusionText = await service.proofs.inclusion(hash, treeSize);
      const inclusion = parseInclusionProof(inclusionText);
      const asked = { ...expected, treeSize };
      const result = await verifyInclusionProof(nativeCrypto, network, inclusion, asked);
      assert.equal(result.valid, true);
      answers.push(inclusionText);
    }
  }
  return answers;
}

async function askForHeads(service: GatewayService, { digests, sizes }: PublishedLog) {
  const { network } = service;
  const latest = sizes.at(-1)!;
  const sths = await Promise.all(sizes.map((size) => service.log.sthAt(size)));
  assert.deepEqual(sths.map((sth) => sth?.tree_head.tree_size), sizes);
  assert.deepEqual(service.log.latest()?.sth, sths.at(-1));
  for (const first of sizes) {
    for (const second of sizes) {
      if (second < first) continue;
      const proof = await service.log.consistency(first, second);
      const verdict = await verifyConsistencyProof(nativeCrypto, network, proof, { first, second });
      assert.equal(verdict.valid, true);
    }
  }
  const unpublished = { code: "tree_size_not_published" };
  await assert.rejects(service.log.consistency(sizes[0]!, latest + 1), unpublished);
  await assert.rejects(service.proofs.inclusion(hashesOf(digests)[0]!, latest + 1), unpublished);
  await assert.rejects(service.log.consistency(0, latest), { code: "malformed_parameter" });
  assert.equal(await service.log.sthAt(latest + 1), undefined);
  const batches = await service.log.batches(undefined, 100);
  assert.deepEqual(batches.map(({ id }) => id), sizes.toReversed());
  assert.deepEqual(await service.log.batches(latest, 1), batches.slice(1, 2));
  for (const batch of batches) assert.deepEqual(await service.log.batch(batch.id), batch);
  assert.equal(await service.log.batch(latest + 1), undefined);
  const checkpoint = (await service.log.checkpoint())!;
  const { valid, head } = await verifyCheckpoint(nativeCrypto, network, checkpoint);
  assert.deepEqual([valid, head.tree_size], [true, latest]);
  return { sths, batches };
}

async function askForTiles(service: GatewayService, { sizes }: PublishedLog) {
  const latest = sizes.at(-1)!;
  const answers: (string | undefined)[] = [];
  for (let index = 0; index * 256 < latest; index++) {
    const width = Math.min(256, latest - index * 256);
    for (const part of new Set([1, width])) {
      const tile = await service.log.tile(0, index, part);
      assert.equal(tile?.length, part * 32);
      const entries = await service.log.entries(index, part);
      assert.ok(entries !== undefined);
      answers.push(tile?.toHex(), entries.toHex());
    }
  }
  assert.equal(await service.log.tile(0, Math.floor(latest / 256), latest % 256 + 1), undefined);
  assert.equal(await service.log.entries(Math.floor(latest / 256) + 1, 1), undefined);
  const whole = Math.floor(latest / 256);
  answers.push((await service.log.tile(1, 0, whole))?.toHex());
  return answers;
}
