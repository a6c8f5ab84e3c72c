/**
 * Measures the operations that a gateway waits for on this machine, one after the other.
 *
 * @module
 */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { loadBls } from "../../src/proof/crypto/best_bls.ts";
import { generateBlsSecret } from "../../src/proof/crypto/bls_key_gen.ts";
import { BLS_SIGNATURE_DST } from "../../src/proof/crypto/domains.ts";
import {
  Ed25519Signer,
  generateSeed,
  verifyNative,
} from "../../src/proof/crypto/ed25519_native.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { Histogram } from "./histogram.ts";

const MEASURED_MS = 500;
/** Calls before anything is timed. */
const WARM_UP = 20;
/** About the length of a round's message. */
const MESSAGE_BYTES = 200;
const PAGE_BYTES = 4_096;

/** One limit: how often in a second, and how long one takes. */
export interface MachineLimit {
  readonly name: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of one, if measured. */
  readonly cpuMicroseconds?: number;
}

/** Measures disk syncs in `folder`, and signatures of `scheme`. */
export async function measureLimits(
  folder: string,
  scheme: SignatureScheme,
): Promise<MachineLimit[]> {
  return [
    measureSyncs(folder),
    ...(scheme === "bls" ? await measureBls() : measureEd25519()),
  ];
}

function measureSyncs(folder: string): MachineLimit {
  const path = join(folder, `sync-${crypto.randomUUID()}`);
  using file = Deno.openSync(path, { write: true, createNew: true });
  const page = randomBytes(PAGE_BYTES);
  try {
    return measure("disk syncs: append 4 KiB, fdatasync", () => {
      file.writeSync(page);
      file.syncDataSync();
    });
  } finally {
    Deno.removeSync(path);
  }
}

function measureEd25519(): MachineLimit[] {
  const signer = new Ed25519Signer(generateSeed());
  const message = randomBytes(MESSAGE_BYTES);
  const signature = signer.sign(message);
  return [
    measure("Ed25519 signs", () => signer.sign(message)),
    measure("Ed25519 verifies", () => verifyNative(signer.publicKey, message, signature)),
  ];
}

async function measureBls(): Promise<MachineLimit[]> {
  const bls = await loadBls();
  const secret = generateBlsSecret();
  const publicKey = bls.skToPk(secret);
  const message = randomBytes(MESSAGE_BYTES);
  const signature = bls.sign(secret, message, BLS_SIGNATURE_DST);
  return [
    measure("BLS signs", () => bls.sign(secret, message, BLS_SIGNATURE_DST)),
    measure("BLS verifies", () => bls.verify(publicKey, message, signature, BLS_SIGNATURE_DST)),
  ];
}

function measure(name: string, once: () => unknown): MachineLimit {
  for (let i = 0; i < WARM_UP; i++) once();
  const times = new Histogram();
  const startMs = performance.now();
  let nowMs = startMs;
  while (nowMs - startMs < MEASURED_MS) {
    once();
    const endMs = performance.now();
    times.record(endMs - nowMs);
    nowMs = endMs;
  }
  return {
    name,
    perSecond: times.count * 1000 / (nowMs - startMs),
    p50Ms: times.quantile(0.5),
    p99Ms: times.quantile(0.99),
  };
}
