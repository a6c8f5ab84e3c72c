/**
 * Submits and reads single attestations. These two answer most of what a gateway is asked: they
 * take a bare request, so that `hot_path.ts` can answer it before any router or
 * middleware has looked at it, and the router calls the same functions.
 *
 * @module
 */

import { HASH_LENGTH, isHex } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { GatewayService } from "../gateway/service.ts";
import { CACHE_CONTROL, JSON_MEDIA_TYPE } from "./answer.ts";
import { bodies, readBody, requireJson } from "./body.ts";
import { BulkAnswers, jobBytesOf } from "./bulk_answers.ts";
import { FREQUENT_JSON_HEADERS } from "./common_headers.ts";
import { BODY_LIMIT, BULK_BODY_LIMIT, MAX_WAIT_SECONDS } from "./limits.ts";
import { preferenceApplied, waitSeconds } from "./preference.ts";
import { tokenOfOne, tokensOfMany } from "./private_token.ts";
import { type AdmissionRules, oneToken, RequestAdmission } from "./request_admission.ts";
import {
  readBulkSubmission,
  readShortest,
  readSubmission,
  readTokenSubmission,
  SHORTEST_LENGTH,
} from "./submission.ts";
import type { RequestContext } from "./request_context.ts";
import { BYTES_PER_READ, STORED_ROUND_READS } from "./work_cost.ts";

export const ATTESTATIONS_PATH = "/v1/attestations";
export const BULK_PATH = `${ATTESTATIONS_PATH}/batch`;

/** Of all requests to this process, since they share its memory. */
const bulkAnswers = new BulkAnswers();

/** Headers of every job: it is about this moment. */
const JOB_HEADERS = {
  "Content-Type": JSON_MEDIA_TYPE,
  "Cache-Control": CACHE_CONTROL.never,
  ...FREQUENT_JSON_HEADERS,
};

/**
 * Of terminal jobs whose answers were held, by the seconds asked for: made once, since building
 * headers is most of an answer.
 */
const DONE_AFTER: readonly ResponseInit[] = Array.from(
  { length: MAX_WAIT_SECONDS + 1 },
  (_, seconds) => ({
    status: 200,
    headers: new Headers({
      ...JOB_HEADERS,
      "Preference-Applied": preferenceApplied(seconds),
      "Access-Control-Expose-Headers": "Preference-Applied",
    }),
  }),
);
const DONE: ResponseInit = { status: 200, headers: new Headers(JOB_HEADERS) };

/** Where no tokens are taken, none is looked at. */
const NO_TOKEN = oneToken(null);

/**
 * `POST /v1/attestations`: 200 when the job is terminal, 202 otherwise. Without `rules`, every hash is
 * taken.
 */
export async function submitAttestation(
  service: GatewayService,
  context: RequestContext,
  rules?: AdmissionRules,
): Promise<Response> {
  const { request } = context;
  requireJson(request.headers);
  const waited = waitSecondsOf(context);
  let hash: string;
  let token: string | null = null;
  if (request.headers.get("content-length") === SHORTEST_LENGTH) {
    hash = readShortest(await bodies.readSmallText(request));
  } else {
    const body = await readBody(request, BODY_LIMIT, context.client);
    chargeBody(context, body);
    // Nobody else has a use for what stands beside the hash.
    if (rules?.tokens === undefined) hash = readSubmission(body);
    else ({ hash, token } = readTokenSubmission(body));
  }
  const brought = rules?.tokens === undefined ? NO_TOKEN : tokenOfOne(request.headers, token);
  const admission = rules && new RequestAdmission(rules, context, brought);
  const job = await service.jobs.submit(hash, waited, admission);
  const held = job.wasHeld ? waited : undefined;
  if (job.terminal) return new Response(job.json, doneAfter(held));
  return waitingResponse(job.json, { held, location: hash });
}

/**
 * `POST /v1/attestations/batch`: 200 when all jobs are terminal, 202 otherwise. `rules` as of
 * {@linkcode submitAttestation}.
 */
export async function submitBulk(
  service: GatewayService,
  context: RequestContext,
  rules?: AdmissionRules,
): Promise<Response> {
  const { request } = context;
  requireJson(request.headers);
  const waited = waitSecondsOf(context);
  const body = await readBody(request, BULK_BODY_LIMIT, context.client);
  chargeBody(context, body);
  const { digests, tokens } = readBulkSubmission(body);
  const jobBytes = jobBytesOf(service.network);
  bulkAnswers.hold(context, digests.length / HASH_LENGTH * jobBytes);
  const brought = rules?.tokens === undefined
    ? NO_TOKEN
    : tokensOfMany(request.headers, digests.length / HASH_LENGTH, tokens);
  const admission = rules && new RequestAdmission(rules, context, brought);
  const { json, waiting, wasHeld } = await service.jobs.submitAll(digests, waited, admission);
  const held = wasHeld ? waited : undefined;
  if (waiting < 0) return new Response(json, doneAfter(held));
  const location = digests.subarray(waiting * HASH_LENGTH, (waiting + 1) * HASH_LENGTH).toHex();
  return waitingResponse(json, { held, location });
}

/** `GET /v1/attestations/{hash}`: 200 for every known hash. */
export async function readAttestation(
  service: GatewayService,
  hash: string,
  context: RequestContext,
): Promise<Response> {
  requireHash(hash);
  const waited = waitSecondsOf(context);
  if (context.budget !== undefined) await findAttestation(service, hash, context);
  const job = await service.jobs.get(hash, waited);
  if (job === undefined) throw hashUnknown();
  return new Response(job.json, doneAfter(job.wasHeld ? waited : undefined));
}

/** Charges what reading a submission's body costs, before it is parsed. A small one costs nothing. */
function chargeBody(context: RequestContext, body: Uint8Array): void {
  context.charge(Math.floor(body.length / BYTES_PER_READ));
}

/** Seconds for which the answer is held at most; `undefined` when that is not asked for. */
function waitSecondsOf(context: RequestContext): number | undefined {
  const waited = waitSeconds(context.request.headers.get("prefer"));
  context.isHeld = waited !== undefined;
  return waited;
}

/** Status and headers of a 200 whose answer was held for at most `held` seconds, if at all. */
function doneAfter(held: number | undefined): ResponseInit {
  return held === undefined ? DONE : DONE_AFTER[held]!;
}

/** The 202 of jobs as JSON `body`. `location` is the hash of a job that is not terminal. */
function waitingResponse(
  body: string,
  { held, location }: { readonly held: number | undefined; readonly location: string },
): Response {
  const headers: Record<string, string> = {
    ...JOB_HEADERS,
    "Location": `${ATTESTATIONS_PATH}/${location}`,
    "Access-Control-Expose-Headers": "Location",
  };
  if (held !== undefined) {
    headers["Preference-Applied"] = preferenceApplied(held);
    headers["Access-Control-Expose-Headers"] = "Location, Preference-Applied";
  }
  return new Response(body, { status: 202, headers });
}

/**
 * {@linkcode findSequence} of an attestation that is to be read: charges `context` where the store has
 * to be asked for its round.
 */
export async function findAttestation(
  service: GatewayService,
  hash: string,
  context: RequestContext,
): Promise<number> {
  const sequence = await findSequence(service, hash);
  if (!service.isInMemory(sequence)) context.charge(STORED_ROUND_READS);
  return sequence;
}

/** The sequence of a hash in hex; `malformed_hash`, `hash_unknown`. */
export async function findSequence(service: GatewayService, hash: string): Promise<number> {
  requireHash(hash);
  const sequence = await service.jobs.find(Uint8Array.fromHex(hash));
  if (sequence === undefined) throw hashUnknown();
  return sequence;
}

function requireHash(hash: string): void {
  if (isHex(hash, HASH_LENGTH)) return;
  throw new CountersignError(
    "malformed_hash",
    "Cannot look up hash: 64 lowercase hex digits required, found another text",
  );
}

function hashUnknown(): CountersignError {
  return new CountersignError(
    "hash_unknown",
    "Cannot look up hash: one that was submitted required, found another",
  );
}
