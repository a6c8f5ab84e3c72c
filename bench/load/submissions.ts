/**
 * Submissions of new hashes.
 *
 * @module
 */

import type { Answer } from "./answer_reader.ts";
import { HashMatcher } from "./hash_matcher.ts";
import type { IssuedTokens } from "./issued_tokens.ts";
import { encodeRequest, HEX_LENGTH, RandomHexPool, WAIT_SECONDS } from "./request_bytes.ts";
import type { Check, Client, Scenario } from "./scenario.ts";
import type { SampleVerifier } from "./sample_verifier.ts";

/** The maximum of the bulk route. */
const BULK = 1_000;
const PREFER = `wait=${WAIT_SECONDS}`;
const BLANK = "0".repeat(HEX_LENGTH);

/** The inputs of submissions. */
export interface SubmissionContext {
  /** Absent if no answer is kept for verification. */
  readonly verifier?: SampleVerifier;
  /** One is sent with each hash, if present. */
  readonly tokens?: IssuedTokens;
}

/** `wait`: POSTs that are answered when their hash is confirmed. */
export function waitScenario(context: SubmissionContext): Scenario {
  return singleScenario("wait", PREFER, context);
}

/** `submit`: POSTs that are answered when their hash is on disk. */
export function submitScenario(context: SubmissionContext): Scenario {
  return singleScenario("submit", undefined, context);
}

/** `bulk`: POSTs of 1,000 hashes, answered with as many snapshots when all are confirmed. */
export function bulkScenario(context: SubmissionContext): Scenario {
  const all = (text: string) => Array.from({ length: BULK }, () => text);
  const { tokens } = context;
  const body = JSON.stringify({
    hashes: all(BLANK),
    ...(tokens && { issuer_tokens: all(tokens.blank) }),
  });
  return submissionScenario("bulk", context, {
    request: () => encodeRequest("POST", "/v1/attestations/batch", { prefer: PREFER, body }),
    hashes: BULK,
    waits: true,
  });
}

function singleScenario(
  name: string,
  prefer: string | undefined,
  context: SubmissionContext,
): Scenario {
  const { tokens } = context;
  const body = JSON.stringify({ hash: BLANK, ...(tokens && { issuer_token: tokens.blank }) });
  const options = prefer === undefined ? { body } : { body, prefer };
  return submissionScenario(name, context, {
    request: () => encodeRequest("POST", "/v1/attestations", options),
    hashes: 1,
    waits: prefer !== undefined,
  });
}

interface Submission {
  /** Separate bodies with blanks in place of hashes. */
  request(): Uint8Array;
  readonly hashes: number;
  readonly waits: boolean;
}

function submissionScenario(
  name: string,
  context: SubmissionContext,
  submission: Submission,
): Scenario {
  const pool = new RandomHexPool();
  return {
    name,
    hashes: submission.hashes,
    submits: true,
    client: () => new SubmittingClient(pool, submission, context),
  };
}

class SubmittingClient implements Client {
  readonly #pool: RandomHexPool;
  readonly #submission: Submission;
  readonly #context: SubmissionContext;
  readonly #request: Uint8Array;
  /** Offsets of the hashes in the request. */
  readonly #places: readonly number[];
  /** Offsets of the tokens. */
  readonly #tokenPlaces: readonly number[];
  readonly #matcher = new HashMatcher();

  constructor(pool: RandomHexPool, submission: Submission, context: SubmissionContext) {
    this.#pool = pool;
    this.#submission = submission;
    this.#context = context;
    this.#request = submission.request();
    this.#places = placesOf(BLANK, this.#request);
    const { tokens } = context;
    this.#tokenPlaces = tokens === undefined ? [] : placesOf(tokens.blank, this.#request);
  }

  next(): Uint8Array {
    for (const place of this.#places) this.#pool.fill(this.#request, place);
    for (const place of this.#tokenPlaces) this.#context.tokens!.fill(this.#request, place);
    return this.#request;
  }

  accepts(answer: Answer): boolean {
    const isDone = answer.status === 200 || answer.status === 202 && !this.#submission.waits;
    return isDone && this.#matcher.matches(answer, this.#request, this.#places[0]!);
  }

  check(answer: Answer): Check {
    const text = new TextDecoder().decode(answer.body);
    const request = new TextDecoder().decode(this.#request);
    const hashes = this.#places.map((place) => request.slice(place, place + HEX_LENGTH));
    const { verifier } = this.#context;
    if (verifier === undefined) throw new Error("Cannot check an answer: there is no verifier");
    return () => verifier.submitted(hashes, text);
  }
}

function placesOf(blank: string, request: Uint8Array): number[] {
  const text = new TextDecoder().decode(request);
  return [...text.matchAll(new RegExp(blank, "g"))].map(({ index }) => index);
}
