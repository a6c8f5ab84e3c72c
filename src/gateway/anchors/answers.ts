/**
 * Checks of what anchor services answer. All providers share them. A provider calls `bodyOf()` before it
 * reads an HTTP answer; the gateway calls the others before it stores a proof.
 *
 * @module
 */

import { type Bytes, isCount, utf8 } from "../../base/bytes.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { CountersignError } from "../../base/errors.ts";
import type { AnchorProof } from "../../proof/format/records.ts";
import { parseStrictJson } from "../../proof/format/strict_json.ts";
import { type CheckpointBody, encodeCheckpointBody } from "../../proof/format/tree_head.ts";
import type { AnchorAnswer, AnchorProvider } from "./ports.ts";

/** Statuses below 500 after which a retry may succeed: timeout, too early, too many requests. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * The body of an answer with status 200 or 201. Throws `anchor_unreachable` for a status after which
 * a retry may succeed, and `anchor_refused` for any other answer.
 *
 * @param service for messages
 * @param contentType absent to accept any
 */
export function bodyOf(
  { status, contentType: found, body }: AnchorAnswer,
  service: string,
  maxBytes: number,
  contentType?: string,
): Bytes {
  if (status !== 200 && status !== 201) {
    const isTemporary = status >= 500 || TEMPORARY.has(status);
    throw new CountersignError(
      isTemporary ? "anchor_unreachable" : "anchor_refused",
      `Cannot anchor tree head: ${service} answered with status ${status}`,
    );
  }
  if (contentType !== undefined && found !== contentType) {
    throw unusable(service, `content type "${found}" is not ${contentType}`);
  }
  if (body.length > maxBytes) throw unusable(service, `it is larger than ${maxBytes} bytes`);
  return body;
}

/** The error for an answer of `service` that its provider refuses. */
export function unusable(service: string, reason: string, cause?: unknown): CountersignError {
  const message = `Cannot use answer of ${service}: ${reason}`;
  return new CountersignError("anchor_refused", message, { cause });
}

/** Maximum size of a proof as JSON text, which every bundle with the anchor carries. */
export const MAX_PROOF_BYTES = 60_000;

/** Maximum difference between our clock, which witnesses check, and that of a service. */
const MAX_TIME_DIFFERENCE_SECONDS = 300;

/** Time for one answer. A provider may need several requests of {@linkcode AnchorHttp} for it. */
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

/** `anchor_refused` if a new anchor states another time than now: bundles would show a wrong time bound. */
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
    // Ending the sleep rejects `timeout`, but no one awaits it any more.
    timeout.catch(() => {});
    ended.abort();
  }
}
