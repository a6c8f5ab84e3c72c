/**
 * What is asked of a gateway, and what has to be true of its answers.
 *
 * @module
 */

import { HASH_LENGTH } from "../src/bytes.ts";
import { loadBls } from "../src/crypto/best_bls.ts";
import { verifyNative } from "../src/crypto/ed25519_native.ts";
import { portableKernels } from "../src/crypto/portable_kernels.ts";
import { parseBundle, parseSignedAttestation } from "../src/format/bundle.ts";
import type { NetworkConfiguration } from "../src/format/network.ts";
import type { JobSnapshotMembers } from "../src/gateway/service.ts";
import { verifySignedAttestation } from "../src/verify/attestation.ts";
import { verifyBundle } from "../src/verify/bundle.ts";
import { randomDigests } from "./digests.ts";
import { encodeRequest } from "./http_connection.ts";

/** Answers a path of the gateway with its body. */
export type Ask = (path: string, prefer?: string) => Promise<string>;

/** One kind of request. */
export interface Scenario {
  readonly name: string;
  /** Hashes in one request. */
  readonly hashes: number;
  /** The next request: of submissions, always with hashes that no one has seen. */
  next(): Uint8Array;
  /** Rejects unless what the body says, and what `ask` then finds, verifies offline. */
  verify(body: string, ask: Ask): Promise<void>;
}

const WAIT = "wait=30";
const BULK = 1_000;
const POOL = 2_048;
/** Jobs of a bulk answer that are verified. */
const VERIFIED_JOBS = 5;

const crypto = {
  kernels: portableKernels,
  ed25519: verifyNative,
  bls: await loadBls(),
};

/** Uniformly random hashes in hex. */
class HashPool {
  #hex = "";
  #at = 0;

  next(): string {
    if (this.#at === this.#hex.length) {
      this.#hex = randomDigests(POOL).toHex();
      this.#at = 0;
    }
    return this.#hex.slice(this.#at, this.#at += 2 * HASH_LENGTH);
  }
}

/** Submissions to the gateway of `network`. */
export function submissions(network: NetworkConfiguration): Scenario[] {
  const pool = new HashPool();
  const single = (prefer?: string) =>
    encodeRequest("POST", "/v1/attestations", {
      ...(prefer !== undefined && { prefer }),
      body: `{"hash":"${pool.next()}"}`,
    });
  return [
    {
      name: "submit and wait",
      hashes: 1,
      next: () => single(WAIT),
      verify: (body, ask) => verifyJob(network, JSON.parse(body), ask),
    },
    {
      name: "submit",
      hashes: 1,
      next: () => single(),
      verify: (body, ask) => verifyJob(network, JSON.parse(body), ask),
    },
    {
      name: "submit 1,000 and wait",
      hashes: BULK,
      next: () => bulkRequest(Array.from({ length: BULK }, () => pool.next())),
      async verify(body, ask) {
        const jobs: JobSnapshotMembers[] = JSON.parse(body);
        if (jobs.length !== BULK) throw new Error(`Cannot verify answer: ${BULK} jobs required`);
        for (const job of jobs.slice(0, VERIFIED_JOBS)) await verifyJob(network, job, ask);
      },
    },
  ];
}

/** Look-ups of `hashes`, all of them submitted before. */
export function lookUps(network: NetworkConfiguration, hashes: readonly string[]): Scenario[] {
  const any = () => hashes[Math.floor(Math.random() * hashes.length)]!;
  return [
    {
      name: "read a job",
      hashes: 1,
      next: () => encodeRequest("GET", `/v1/attestations/${any()}`),
      verify: (body, ask) => verifyJob(network, JSON.parse(body), ask),
    },
    {
      name: "read a bundle",
      hashes: 1,
      next: () => encodeRequest("GET", `/v1/bundle/${any()}`),
      async verify(body) {
        const verdict = await verifyBundle(crypto, { network, peers: [] }, parseBundle(body));
        if (verdict.level !== "batched") throw new Error("Cannot verify bundle");
      },
    },
  ];
}

/** A bulk submission that waits. */
export function bulkRequest(hashes: readonly string[]): Uint8Array {
  return encodeRequest("POST", "/v1/attestations/batch", {
    prefer: WAIT,
    body: JSON.stringify({ hashes }),
  });
}

/** `count` random hashes in hex. */
export function randomHashes(count: number): string[] {
  const pool = new HashPool();
  return Array.from({ length: count }, () => pool.next());
}

/** An accepted job is confirmed by and by, whatever its snapshot said. */
async function verifyJob(
  network: NetworkConfiguration,
  job: JobSnapshotMembers,
  ask: Ask,
): Promise<void> {
  const confirmed: JobSnapshotMembers = job.signed_attestation === undefined
    ? JSON.parse(await ask(`/v1/attestations/${job.hash}`, WAIT))
    : job;
  const signed = parseSignedAttestation(JSON.stringify(confirmed.signed_attestation));
  const { valid } = await verifySignedAttestation(crypto, network, signed);
  if (!valid || signed.attestation.hash !== job.hash) {
    throw new Error(`Cannot verify attestation of ${job.hash}`);
  }
}
