/**
 * Submits and reads single attestations. These two answer most of what a gateway is asked: they
 * take a bare request, so that `hot_path.ts` can answer it before any router or
 * middleware has looked at it, and the router calls the same functions.
 *
 * @module
 */

import { bytesOfHex, HASH_LENGTH, hexOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { GatewayService } from "../gateway/service.ts";
import { CACHE_CONTROL, JSON_MEDIA_TYPE } from "./answer.ts";
import { BODY_LIMIT, readBody, requireJson } from "./body.ts";
import { COMMON_HEADERS } from "./common_headers.ts";
import { MAX_WAIT_SECONDS, preferenceApplied, waitSeconds } from "./preference.ts";
import { readSubmission } from "./submission.ts";

export const ATTESTATIONS_PATH = "/v1/attestations";

/** Headers of every job: it is about this moment. */
const JOB_HEADERS = {
  "Content-Type": JSON_MEDIA_TYPE,
  "Cache-Control": CACHE_CONTROL.never,
  ...COMMON_HEADERS,
};

/** Of terminal jobs, by seconds waited: made once, since building headers is most of an answer. */
const DONE_AFTER: readonly ResponseInit[] = Array.from(
  { length: MAX_WAIT_SECONDS + 1 },
  (_, seconds) => ({
    status: 200,
    headers: new Headers({ ...JOB_HEADERS, "Preference-Applied": preferenceApplied(seconds) }),
  }),
);
const DONE: ResponseInit = { status: 200, headers: new Headers(JOB_HEADERS) };

/** `POST /v1/attestations`: 200 when the job is terminal, 202 otherwise. */
export async function submitAttestation(
  service: GatewayService,
  request: Request,
): Promise<Response> {
  requireJson(request.headers);
  const digest = readSubmission(await readBody(request, BODY_LIMIT));
  const sequences = await service.submit(digest);
  const waited = await waitFor(service, sequences, request);
  const job = await service.snapshot(sequences[0]!);
  if (job.terminal) return new Response(job.json, doneAfter(waited));
  return jobsResponse(job.json, { waited, location: hexOf(digest), status: 202 });
}

/** `GET /v1/attestations/{hash}`: 200 for every known hash. */
export async function readAttestation(
  service: GatewayService,
  hash: string,
  request: Request,
): Promise<Response> {
  const sequence = await findSequence(service, hash);
  const waited = await waitFor(service, [sequence], request);
  const job = await service.snapshot(sequence);
  return new Response(job.json, doneAfter(waited));
}

/** Status and headers of a 200 about one job. */
function doneAfter(waited: number | undefined): ResponseInit {
  return waited === undefined ? DONE : DONE_AFTER[waited]!;
}

/** The answer of jobs as JSON `body`. `location` is the hash of a job that is not terminal. */
export function jobsResponse(
  body: string,
  told: {
    readonly waited: number | undefined;
    readonly location: string | undefined;
    readonly status: number;
  },
): Response {
  const headers: Record<string, string> = { ...JOB_HEADERS };
  if (told.location !== undefined) headers["Location"] = `${ATTESTATIONS_PATH}/${told.location}`;
  if (told.waited !== undefined) headers["Preference-Applied"] = preferenceApplied(told.waited);
  return new Response(body, { status: told.status, headers });
}

/** Holds the answer as long as the request prefers; `undefined` when it does not. */
export async function waitFor(
  service: GatewayService,
  sequences: readonly number[],
  request: Request,
): Promise<number | undefined> {
  const seconds = waitSeconds(request.headers.get("prefer"));
  // The request's own signal costs as much as all else here; who went away is forgotten in time.
  if (seconds !== undefined) await service.settled(sequences, seconds);
  return seconds;
}

/** The sequence of a hash in hex; `malformed_hash`, `hash_unknown`. */
export async function findSequence(service: GatewayService, hash: string): Promise<number> {
  const digest = bytesOfHex(hash, HASH_LENGTH);
  if (digest === undefined) {
    throw new CountersignError(
      "malformed_hash",
      "Cannot look up hash: 64 lowercase hex digits required, found another text",
    );
  }
  const sequence = await service.find(digest);
  if (sequence === undefined) {
    throw new CountersignError(
      "hash_unknown",
      "Cannot look up hash: one that was submitted required, found another",
    );
  }
  return sequence;
}
