/**
 * Checks of a service's answer before it is stored, for every provider.
 *
 * @module
 */

import { type Bytes, isCount, utf8 } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError } from "../errors.ts";
import type { AnchorProof } from "../format/records.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import { type CheckpointBody, encodeCheckpointBody } from "../format/tree_head.ts";
import { unusable } from "./http_answer.ts";
import type { AnchorProvider } from "./ports.ts";

/** Maximum size of a proof as JSON text, which every bundle with the anchor carries. */
export const MAX_PROOF_BYTES = 60_000;

/** Maximum difference between our clock, which witnesses check, and that of a service. */
const MAX_TIME_DIFFERENCE_SECONDS = 300;

/** Exceeds the time of several requests of an {@linkcode AnchorHttp}. */
const ANSWER_LIMIT_MS = 180_000;

/** The anchored digest of a head: SHA-256 of its checkpoint body (protocol.md "Resources"). */
export function anchoredDigest(kernels: Pick<Kernels, "sha256">, head: CheckpointBody): Bytes {
  return kernels.sha256(utf8(encodeCheckpointBody(head)));
}

/**
 * Checks an answer and returns it with its proof parsed strictly. `anchor_refused` if it is malformed,
 * too large, or contradicts `digest`. Roots are not needed here: the service checks those of its
 * configuration.
 */
export async function checkedAnswer(
  provider: AnchorProvider,
  digest: Bytes,
  answer: AnchorProof,
): Promise<AnchorProof> {
  const { status, timestamp } = answer;
  if (status !== "pending" && status !== "confirmed") {
    throw unusable("an anchor service", "unknown status");
  }
  if (!isCount(timestamp)) throw unusable("an anchor service", "its timestamp is not Unix seconds");
  const text = JSON.stringify(answer.proof);
  if (utf8(text).length > MAX_PROOF_BYTES) {
    throw unusable("an anchor service", `its proof is larger than ${MAX_PROOF_BYTES} bytes`);
  }
  const kept = { status, timestamp, proof: parseStrictJson(text, "anchor_refused") };
  const verdict = await provider.verify({ ...kept, digest, roots: [] });
  if (verdict.status === "failed") {
    throw unusable("an anchor service", `its proof fails: ${verdict.reason}`);
  }
  return kept;
}

/**
 * Throws `anchor_refused` for a new anchor that claims another time than now: bundles would show it as
 * a wrong bound.
 */
export function requireTimely({ timestamp }: AnchorProof, clock: Clock): void {
  const now = unixSeconds(clock);
  if (Math.abs(timestamp - now) <= MAX_TIME_DIFFERENCE_SECONDS) return;
  const limit = MAX_TIME_DIFFERENCE_SECONDS;
  throw unusable("an anchor service", `its time ${timestamp} is over ${limit} s from ${now}`);
}

/**
 * Calls `ask` with a time limit. Rejects with `anchor_unreachable` after it, or when `signal` aborts,
 * even if the service ignores its signal.
 */
export async function answerInTime<T>(
  clock: Clock,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const limit = AbortSignal.any([signal, ended.signal]);
  const timeout = clock.sleep(ANSWER_LIMIT_MS, limit).then((): never => {
    throw new CountersignError(
      "anchor_unreachable",
      "Cannot anchor tree head: the service did not answer in time",
    );
  });
  try {
    return await Promise.race([ask(limit), timeout]);
  } finally {
    // Ends the sleep; its rejection is expected.
    timeout.catch(() => {});
    ended.abort();
  }
}
