/**
 * Submissions of hashes that no one has seen.
 *
 * @module
 */

import type { Answer } from "./answer_reader.ts";
import { HashMatcher } from "./hash_matcher.ts";
import { encodeRequest, HEX_LENGTH, RandomHexPool, WAIT_SECONDS } from "./request_bytes.ts";
import type { Check, Client, Scenario } from "./scenario.ts";
import type { SampleVerifier } from "./sample_verifier.ts";

/** The most that the bulk route takes. */
const BULK = 1_000;
const PREFER = `wait=${WAIT_SECONDS}`;
const BLANK = "0".repeat(HEX_LENGTH);

/** `wait`: POSTs that are answered when their hash is confirmed. */
export function waitScenario(verifier: SampleVerifier): Scenario {
  return singleScenario("wait", PREFER, verifier);
}

/** `submit`: POSTs that are answered when their hash is on disk. */
export function submitScenario(verifier: SampleVerifier): Scenario {
  return singleScenario("submit", undefined, verifier);
}

/** `bulk`: POSTs of 1,000 hashes, answered with as many snapshots when all are confirmed. */
export function bulkScenario(verifier: SampleVerifier): Scenario {
  const body = JSON.stringify({ hashes: Array.from({ length: BULK }, () => BLANK) });
  return submissionScenario("bulk", verifier, {
    request: () => encodeRequest("POST", "/v1/attestations/batch", { prefer: PREFER, body }),
    hashes: BULK,
    waits: true,
  });
}

function singleScenario(
  name: string,
  prefer: string | undefined,
  verifier: SampleVerifier,
): Scenario {
  const body = JSON.stringify({ hash: BLANK });
  const options = prefer === undefined ? { body } : { body, prefer };
  return submissionScenario(name, verifier, {
    request: () => encodeRequest("POST", "/v1/attestations", options),
    hashes: 1,
    waits: prefer !== undefined,
  });
}

interface Submission {
  /** With blanks in place of hashes, each to itself. */
  request(): Uint8Array;
  readonly hashes: number;
  readonly waits: boolean;
}

function submissionScenario(
  name: string,
  verifier: SampleVerifier,
  submission: Submission,
): Scenario {
  const pool = new RandomHexPool();
  return {
    name,
    hashes: submission.hashes,
    submits: true,
    client: () => new SubmittingClient(pool, submission, verifier),
  };
}

class SubmittingClient implements Client {
  readonly #pool: RandomHexPool;
  readonly #submission: Submission;
  readonly #verifier: SampleVerifier;
  readonly #request: Uint8Array;
  /** Where each hash stands in the request. */
  readonly #places: readonly number[];
  readonly #matcher = new HashMatcher();

  constructor(pool: RandomHexPool, submission: Submission, verifier: SampleVerifier) {
    this.#pool = pool;
    this.#submission = submission;
    this.#verifier = verifier;
    this.#request = submission.request();
    this.#places = placesOfBlanks(this.#request);
  }

  next(): Uint8Array {
    for (const place of this.#places) this.#pool.fill(this.#request, place);
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
    return () => this.#verifier.submitted(hashes, text);
  }
}

function placesOfBlanks(request: Uint8Array): number[] {
  const text = new TextDecoder().decode(request);
  return [...text.matchAll(new RegExp(BLANK, "g"))].map(({ index }) => index);
}
