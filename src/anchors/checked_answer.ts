/**
 * What has to hold of a service's answer before it is kept, whoever the service is.
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
import type { AnchorProvider } from "./ports.ts";

/** A proof as JSON text. What is larger would burden every bundle that carries it. */
export const MAX_PROOF_BYTES = 60_000;

/** Between our clock, which witnesses hold to a minute of theirs, and that of a service. */
const MAX_TIME_DIFFERENCE_SECONDS = 300;

/** Longer than an {@linkcode AnchorHttp} takes for several requests. */
const ANSWER_LIMIT_MS = 180_000;

/** What is anchored of a head: SHA-256 of its checkpoint body (protocol.md "Resources"). */
export function anchoredDigest(kernels: Pick<Kernels, "sha256">, head: CheckpointBody): Bytes {
  return kernels.sha256(utf8(encodeCheckpointBody(head)));
}

/**
 * `answer` as it is kept: its proof as a strict parser reads it back. Refused when it is not well
 * formed, is too large, or does not verify as one of `digest`. Without roots: whom the service has
 * to be vouched for by is its own configuration. `anchor_refused`.
 */
export async function checkedAnswer(
  provider: AnchorProvider,
  digest: Bytes,
  answer: AnchorProof,
): Promise<AnchorProof> {
  const { status, timestamp } = answer;
  if (status !== "pending" && status !== "confirmed") throw refused("a status", "another");
  if (!isCount(timestamp)) throw refused("a time", "another value");
  const text = JSON.stringify(answer.proof);
  if (utf8(text).length > MAX_PROOF_BYTES) {
    throw refused(`a proof of at most ${MAX_PROOF_BYTES} bytes`, "more");
  }
  const kept = { status, timestamp, proof: parseStrictJson(text, "anchor_refused") };
  const verdict = await provider.verify({ ...kept, digest, roots: [] });
  if (verdict.status === "failed") {
    throw refused("a proof that verifies", `one that fails (${verdict.reason})`);
  }
  return kept;
}

/**
 * Refuses an anchor that was made just now and claims another time: it would be shown with every head
 * that it covers, as a bound that is wrong or says nothing. `anchor_refused`.
 */
export function requireTimely({ timestamp }: AnchorProof, clock: Clock): void {
  const now = unixSeconds(clock);
  if (Math.abs(timestamp - now) <= MAX_TIME_DIFFERENCE_SECONDS) return;
  throw refused(
    `a time within ${MAX_TIME_DIFFERENCE_SECONDS} s of ${now}`,
    String(timestamp),
  );
}

/**
 * What `ask` answers, or `anchor_unreachable` when that takes longer than any service may, or when
 * `signal` aborts: also for a service that looks at neither.
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
      "Cannot anchor tree head: an answer in time required, found none",
    );
  });
  try {
    return await Promise.race([ask(limit), timeout]);
  } finally {
    // Ends the pause too, whose rejection nobody waits for any more.
    timeout.catch(() => {});
    ended.abort();
  }
}

function refused(required: string, found: string): CountersignError {
  return new CountersignError(
    "anchor_refused",
    `Cannot use answer of anchor service: ${required} required, found ${found}`,
  );
}
