/**
 * Timestamps by several OpenTimestamps calendars.
 *
 * Calendars receive SHA-256(digest || 16 random bytes), so that they cannot learn the digest or link
 * two commitments to it. A proof stays pending until the required number of calendars lead it to a
 * Bitcoin block: a gateway has no block headers, so a calendar that invents a block must not end the
 * requests to the others.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../../bytes.ts";
import { type Clock, unixSeconds } from "../../clock.ts";
import { CountersignError, hasCode } from "../../errors.ts";
import type { Calendar } from "./calendar.ts";
import { mergeTimestamps, type Timestamp, timestampOf, visitMessages } from "./format.ts";
import { applyOperation, type Operation, OPERATION_TAG, unary } from "./operation.ts";
import { attestationsOf, otsProof, parseOtsProof } from "./proof.ts";
import type { AnchorProof } from "../../format/records.ts";
import type { AnchorService } from "../ports.ts";

const NONCE_LENGTH = 16;

/** A pending attestation of a calendar. */
interface Promised {
  readonly uri: string;
  readonly commitment: Bytes;
  readonly isInBlock: boolean;
}

/** {@linkcode AnchorService} over configured calendars, and no others. */
export class CalendarsService implements AnchorService {
  readonly #calendars: readonly Calendar[];
  readonly #required: number;
  readonly #clock: Clock;

  /** @param required calendars that must accept a commitment and lead it to a block */
  constructor(calendars: readonly Calendar[], required: number, clock: Clock) {
    this.#calendars = calendars;
    this.#required = required;
    this.#clock = clock;
  }

  async anchor(digest: Bytes, signal: AbortSignal): Promise<AnchorProof> {
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_LENGTH));
    const steps = [{ tag: OPERATION_TAG.append, argument: nonce }, unary(OPERATION_TAG.sha256)];
    const commitment = steps.reduce((message, step) => applyOperation(step, message), digest);
    const answers = await Promise.allSettled(
      this.#calendars.map((calendar) => calendar.submit(commitment, signal)),
    );
    const { timestamp, count, failures } = joined(
      digest,
      undefined,
      answers,
      (whole, answer) => {
        const path = pathOf(steps, answer);
        return whole === undefined ? path : mergeTimestamps(whole, path);
      },
    );
    if (timestamp === undefined || count < this.#required) {
      throw tooFew(this.#required, count, failures);
    }
    const now = unixSeconds(this.#clock);
    return { status: "pending", timestamp: now, proof: otsProof(digest, timestamp) };
  }

  /** The timestamp of a confirmed proof is the time of its completion, not the block's time. */
  async upgrade(digest: Bytes, pending: AnchorProof, signal: AbortSignal): Promise<AnchorProof> {
    const old = parseOtsProof(digest, pending.proof);
    const asked = promisesIn(digest, old).flatMap(({ uri, commitment, isInBlock }) => {
      const calendar = this.#calendars.find((one) => one.isNamedBy(uri));
      return calendar === undefined || isInBlock ? [] : [{ calendar, commitment }];
    });
    const answers = await Promise.allSettled(
      asked.map(async ({ calendar, commitment }) => {
        const paths = await calendar.complete(commitment, signal);
        return paths && { commitment, paths };
      }),
    );
    const { timestamp, count, failures } = joined(
      digest,
      old,
      answers,
      (whole, answer) => answer && grafted(digest, whole!, answer.commitment, answer.paths),
    );
    if (timestamp === undefined || count === 0) {
      const isNoneAnswered = asked.length > 0 && failures.length === asked.length;
      if (isNoneAnswered) throw tooFew(1, 0, failures);
      return pending;
    }
    const inBlocks = promisesIn(digest, timestamp).filter(({ isInBlock }) => isInBlock).length;
    const proof = otsProof(digest, timestamp);
    return inBlocks < this.#required
      ? { status: "pending", timestamp: pending.timestamp, proof }
      : { status: "confirmed", timestamp: unixSeconds(this.#clock), proof };
  }
}

/**
 * Adds the answers to `whole` one by one. An answer that makes the proof unreadable counts as a
 * failure, and the others are kept.
 */
function joined<T>(
  digest: Bytes,
  whole: Timestamp | undefined,
  answers: readonly PromiseSettledResult<T>[],
  add: (whole: Timestamp | undefined, answer: T) => Timestamp | undefined,
): {
  readonly timestamp: Timestamp | undefined;
  readonly count: number;
  readonly failures: readonly CountersignError[];
} {
  let timestamp = whole;
  let count = 0;
  const failures: CountersignError[] = [];
  for (const answer of answers) {
    try {
      if (answer.status === "rejected") throw answer.reason;
      const next = add(timestamp, answer.value);
      if (next === undefined) continue;
      timestamp = parseOtsProof(digest, otsProof(digest, next));
      count++;
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error;
      failures.push(error);
    }
  }
  return { timestamp, count, failures };
}

/** The path of `steps` to `end`. */
function pathOf(steps: readonly Operation[], end: Timestamp): Timestamp {
  return steps.reduceRight((next, operation) => timestampOf([], [{ operation, next }]), end);
}

/** Merges `paths` into `timestamp` of `message` at the first `commitment` on each path. */
function grafted(
  message: Bytes,
  timestamp: Timestamp,
  commitment: Bytes,
  paths: Timestamp,
): Timestamp {
  if (equalBytes(message, commitment)) return mergeTimestamps(timestamp, paths);
  const branches = timestamp.branches.map(({ operation, next }) => ({
    operation,
    next: grafted(applyOperation(operation, message), next, commitment, paths),
  }));
  return timestampOf(timestamp.attestations, branches);
}

/** The pending attestations under `timestamp`, one for each calendar. */
function promisesIn(digest: Bytes, timestamp: Timestamp): Promised[] {
  const promises = new Map<string, Promised>();
  visitMessages(digest, timestamp, (commitment, at) => {
    for (const attestation of at.attestations) {
      if (attestation.kind !== "pending") continue;
      const isInBlock = attestationsOf("bitcoin", commitment, at).length > 0;
      promises.set(attestation.uri, { uri: attestation.uri, commitment, isInBlock });
    }
  });
  return [...promises.values()];
}

/** `anchor_unreachable` if a retry may help for one of `failures`. */
function tooFew(
  required: number,
  found: number,
  failures: readonly CountersignError[],
): CountersignError {
  const isPassing = failures.some((error) => hasCode(error, "anchor_unreachable"));
  const reasons = failures.map(({ message }) => message).join("; ");
  return new CountersignError(
    isPassing ? "anchor_unreachable" : "anchor_refused",
    `Cannot timestamp digest: ${found} of ${required} required calendars answered: ${reasons}`,
    { cause: failures[0] },
  );
}
