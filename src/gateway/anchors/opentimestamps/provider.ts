/**
 * OpenTimestamps: calendar servers commit many digests in one Bitcoin transaction. A proof leads from
 * a digest to the header of a block, so only the chain's proof of work is trusted.
 *
 * Calendars receive SHA-256(digest || 16 random bytes), so that they cannot learn the digest or link
 * two commitments to it. A proof stays pending until the required number of calendars lead it to a
 * Bitcoin block: a gateway has no block headers, so a calendar that invents a block must not end the
 * requests to the others.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../../../base/bytes.ts";
import { type Clock, unixSeconds } from "../../../base/clock.ts";
import { CountersignError, errorBuilder, expectedError, hasCode } from "../../../base/errors.ts";
import type { AnchorProof } from "../../../proof/format/records.ts";
import { count, list, type OfMembers, TEXT } from "../../../proof/format/schema.ts";
import { parseServiceUrl } from "../../../proof/format/service_url.ts";
import type { AnchorContext, AnchorProvider, AnchorService } from "../ports.ts";
import { Calendar } from "./calendar.ts";
import {
  attestationsOf,
  mergeTimestamps,
  otsFile,
  otsProof,
  parseOtsProof,
  type Timestamp,
  timestampOf,
  visitMessages,
} from "./format.ts";
import { applyOperation, isCalendarUri, type Operation, OPERATION_TAG, unary } from "./items.ts";
import { verifyOpenTimestamps } from "./verify.ts";

const invalid = errorBuilder("invalid_configuration", "Cannot use OpenTimestamps");

const MAX_CALENDARS = 8;

const MEMBERS = {
  calendars: list(TEXT.with({ format: "uri" })).with({
    minItems: 1,
    maxItems: MAX_CALENDARS,
    description: "Calendars, as they write their URLs in attestations; not the URL of a pool",
  }),
  min_calendars: count(
    "How many calendars must accept a digest, and prove a block before the anchor is confirmed",
  ).with({ minimum: 1, maximum: MAX_CALENDARS }).withDefault(1),
} as const;

export const opentimestamps: AnchorProvider<typeof MEMBERS> = {
  name: "opentimestamps",
  members: MEMBERS,
  reach: { urls: ["calendars"], files: [] },
  rootsHelp: "Bitcoin block headers: lines of a height and of headers from there on in hex, " +
    "160 digits each; or all headers since the genesis block, 80 bytes each",
  // Calendars wait for low fees and for several confirmations, usually half a day.
  defaultMaxDelaySeconds: 172_800,
  // The time between two blocks.
  defaultIntervalSeconds: 600,
  // deno-lint-ignore require-await
  configure: async (entry, context) => serviceOf(entry, context),
  // deno-lint-ignore require-await
  verify: async (claim) => verifyOpenTimestamps(claim),
  files(digest, proof) {
    parseOtsProof(digest, proof);
    return [{
      extension: ".ots",
      bytes: otsFile(proof),
      command: "ots verify -f CHECKPOINT FILE",
    }];
  },
};

function serviceOf(
  { calendars, min_calendars: required }: OfMembers<typeof MEMBERS>,
  { http, clock, insecure }: AnchorContext,
): AnchorService {
  const urls = calendars.map((text) => parseServiceUrl(text, { insecure }));
  if (urls.length < 1 || urls.length > MAX_CALENDARS) {
    throw invalid(`${urls.length} calendars, not 1 to ${MAX_CALENDARS}`);
  }
  if (new Set(urls.map(({ href }) => href)).size !== urls.length) {
    throw invalid("a calendar occurs twice");
  }
  if (!urls.every(({ href }) => isCalendarUri(href))) {
    throw invalid("a calendar's URL has other characters than letters, digits and -._/:");
  }
  if (required < 1 || required > urls.length) {
    throw invalid(`min_calendars is ${required}, not 1 to ${urls.length}`);
  }
  return calendarsService(urls.map((url) => new Calendar(url, http)), required, clock);
}

const NONCE_LENGTH = 16;

/** A pending attestation of a calendar. */
interface Promised {
  readonly uri: string;
  readonly commitment: Bytes;
  readonly isInBlock: boolean;
}

/**
 * A service over `calendars`; it asks no others.
 *
 * @param required number of calendars that must accept a commitment and lead it to a block
 */
export function calendarsService(
  calendars: readonly Calendar[],
  required: number,
  clock: Clock,
): Required<AnchorService> {
  return {
    async anchor(digest: Bytes, signal: AbortSignal): Promise<AnchorProof> {
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_LENGTH));
      const steps = [{ tag: OPERATION_TAG.append, argument: nonce }, unary(OPERATION_TAG.sha256)];
      const commitment = steps.reduce((message, step) => applyOperation(step, message), digest);
      const answers = await Promise.allSettled(
        calendars.map((calendar) => calendar.submit(commitment, signal)),
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
      if (timestamp === undefined || count < required) {
        throw tooFew(required, count, failures);
      }
      const now = unixSeconds(clock);
      return { status: "pending", timestamp: now, proof: otsProof(digest, timestamp) };
    },

    /** The timestamp of a confirmed proof is the time of its completion, not the block's time. */
    async upgrade(digest: Bytes, pending: AnchorProof, signal: AbortSignal): Promise<AnchorProof> {
      const old = parseOtsProof(digest, pending.proof);
      const asked = promisesIn(digest, old).flatMap(({ uri, commitment, isInBlock }) => {
        const calendar = calendars.find((one) => one.isNamedBy(uri));
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
      return inBlocks < required
        ? { status: "pending", timestamp: pending.timestamp, proof }
        : { status: "confirmed", timestamp: unixSeconds(clock), proof };
    },
  };
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
      failures.push(expectedError(error));
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
