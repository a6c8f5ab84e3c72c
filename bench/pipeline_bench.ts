/**
 * The path of an attestation through a gateway: a round with its signatures, the snapshot of a job,
 * and the verification of a bundle. The store is in memory, so that only computing is measured.
 *
 * @module
 */

import { hashAt } from "../tests/gateway/fixture.ts";
import { HASH_LENGTH, utf8 } from "../src/base/bytes.ts";
import { systemClock } from "../src/base/clock.ts";
import { portableKernels } from "../src/proof/crypto/portable_kernels.ts";
import { Ed25519Signer, generateSeed, verifyNative } from "../src/proof/crypto/ed25519_native.ts";
import { bestVerify, verifyPortable } from "../src/proof/crypto/ed25519.ts";
import { loadBls } from "../src/proof/crypto/best_bls.ts";
import { loadCompiledKernels } from "../src/proof/crypto/compiled_kernels.ts";
import { encodeAttestation } from "../src/proof/format/attestation.ts";
import { parseBundle } from "../src/proof/format/bundle.ts";
import { openKvLogStore } from "../src/storage/log/local_log_store.ts";
import { verifyBundle } from "../src/proof/verify/bundle.ts";
import { randomDigests } from "./digests.ts";
import { createTrial, startTrial } from "./trial_gateway.ts";

const ROUND_SIZE = 512;
const MAX_LEAVES = 16_384;
const WAIT_SECONDS = 30;

const folder = await Deno.makeTempDir({ prefix: "countersign-bench-" });
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
await createTrial(folder);
const { gateway } = await startTrial(
  folder,
  { maxAgeMs: 1, maxLeaves: MAX_LEAVES },
  await openKvLogStore(":memory:", "bench"),
);

async function confirm(count: number): Promise<readonly number[]> {
  const sequences = await gateway.jobs.accept(randomDigests(count));
  await gateway.jobs.settled(sequences, WAIT_SECONDS);
  return sequences;
}

async function published(size: number): Promise<void> {
  while (await gateway.log.sthAt(size) === undefined) await systemClock.sleep(1);
}

// In a batch that is not the log's first.
await confirm(ROUND_SIZE);
await published(ROUND_SIZE);
const [, , , sequence] = await confirm(ROUND_SIZE);
await published(2 * ROUND_SIZE);
const hash = await hashAt(gateway, sequence!);
const bundleText = await gateway.proofs.bundle(hash);
const bundle = parseBundle(bundleText);
const trust = { network: gateway.network, peers: [] };

// As bytes, because engines build concatenated strings lazily.
Deno.bench("of a recent job", { group: "snapshot" }, async () => {
  const snapshot = gateway.jobs.snapshot(sequence!);
  utf8((snapshot instanceof Promise ? await snapshot : snapshot).json);
});

Deno.bench("of a recent job", { group: "bundle", baseline: true }, async () => {
  await gateway.proofs.bundle(hash);
});

Deno.bench("parse", { group: "bundle" }, () => {
  parseBundle(bundleText);
});

const bls = await loadBls();
const verifiers = {
  "compiled kernels, node:crypto": {
    kernels: await loadCompiledKernels(),
    ed25519: verifyNative,
    bls,
  },
  "portable kernels, WebCrypto": { kernels: portableKernels, ed25519: await bestVerify(), bls },
  "portable kernels and signatures": { kernels: portableKernels, ed25519: verifyPortable, bls },
};
for (const [name, crypto] of Object.entries(verifiers)) {
  Deno.bench(name, { group: "verify a bundle" }, async () => {
    const verdict = await verifyBundle(crypto, trust, bundle);
    if (verdict.level !== "batched") throw new Error("The bundle does not verify");
  });
}

Deno.bench("one round", { group: `sign ${ROUND_SIZE}`, baseline: true }, async () => {
  await confirm(ROUND_SIZE);
});

const THRESHOLD = 2;
const signers = Array.from({ length: THRESHOLD }, () => new Ed25519Signer(generateSeed()));
Deno.bench("signatures one by one, nothing else", { group: `sign ${ROUND_SIZE}` }, () => {
  const hashes = randomDigests(ROUND_SIZE);
  for (let i = 0; i < ROUND_SIZE; i++) {
    const text = utf8(encodeAttestation({
      network_id: gateway.network.id,
      hash: hashes.subarray(i * HASH_LENGTH, (i + 1) * HASH_LENGTH).toHex(),
      timestamp: 1_800_000_000,
      sequence: i,
    }));
    for (const signer of signers) verifyNative(signer.publicKey, text, signer.sign(text));
  }
});

Deno.bench("rounds of one", { group: `sign ${ROUND_SIZE}` }, async () => {
  for (let i = 0; i < ROUND_SIZE; i++) await confirm(1);
});

// By now newer rounds have replaced it in memory.
Deno.bench("snapshot", { group: "read a job from the store" }, async () => {
  await gateway.jobs.snapshot(sequence!);
});

Deno.bench("bundle", { group: "read a job from the store" }, async () => {
  await gateway.proofs.bundle(hash);
});
