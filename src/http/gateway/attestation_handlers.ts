/**
 * Submits and reads attestations. The handlers take a bare request, so that `hot_path.ts` can call
 * them without the router, which calls the same functions.
 *
 * @module
 */

import { HeldQuota } from "../limits/held_quota.ts";
import type { ClientHoldings } from "../limits/holdings.ts";
import { type Bytes, HASH_LENGTH, isHex } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { JobList } from "../../gateway/intake/job.ts";
import type { GatewayService } from "../../gateway/gateway_service.ts";
import { frequentFields, type HeaderField, jsonResponse } from "../answer.ts";
import { requireJson } from "../body.ts";
import {
  BODY_LIMIT,
  BULK_ANSWERS,
  BULK_BODY_LIMIT,
  MAX_FIELD_CHARACTERS,
  MAX_WAIT_SECONDS,
} from "../limits.ts";
import { tokenOfOne, tokensOfMany } from "./private_token.ts";
import { type AdmissionRules, oneToken, RequestAdmission } from "./request_admission.ts";
import {
  readBulkSubmission,
  readShortest,
  readSubmission,
  readTokenSubmission,
  SHORTEST_LENGTH,
} from "./submission.ts";
import type { RequestContext } from "../request_context.ts";
import { whenReady } from "../../base/when_ready.ts";
import { BYTES_PER_READ, STORED_ROUND_READS } from "../work_cost.ts";

const ATTESTATIONS = "attestations";
export const ATTESTATIONS_PATH = `/v1/${ATTESTATIONS}`;
export const BULK_PATH = `${ATTESTATIONS_PATH}/batch`;

const MIB = 2 ** 20;
/** Bytes of a job without signatures, with the longest inclusion path and a beacon. */
const JOB_BYTES = 1_280;
/** Bytes of one signature with the id of its witness. */
const SIGNATURE_BYTES = 256;

/** Bounds the bytes of answers to bulk submissions. Fronts count theirs together in `holdings`. */
export function bulkAnswerQuota(holdings?: ClientHoldings): HeldQuota {
  return new HeldQuota({
    budget: "bulk_answer_bytes",
    perClient: BULK_ANSWERS.clientMiB * MIB,
    total: BULK_ANSWERS.heldMiB * MIB,
    failure: "Cannot answer bulk submission",
    unit: "bytes of unfinished answers",
    retryAfterSeconds: 1,
  }, holdings);
}

/** Parts that submissions need. */
export interface SubmissionParts {
  readonly service: GatewayService;
  /** Absent if every hash is accepted. */
  readonly rules: AdmissionRules | undefined;
  readonly bulkAnswers: HeldQuota;
}

/** Header fields of every job. */
const JOB_FIELDS = frequentFields("never");

/** Those of terminal jobs after a wait, by its seconds. */
const WAITED_FIELDS: readonly (readonly HeaderField[])[] = Array.from(
  { length: MAX_WAIT_SECONDS + 1 },
  (_, seconds) => [
    ...JOB_FIELDS,
    ["preference-applied", preferenceApplied(seconds)],
    ["access-control-expose-headers", "Preference-Applied"],
  ],
);

/** For a gateway that accepts no tokens. */
const NO_TOKEN = oneToken(null);

/** `POST /v1/attestations`: 200 if the job is terminal, 202 otherwise. */
export async function submitAttestation(
  { service, rules }: SubmissionParts,
  context: RequestContext,
): Promise<Response> {
  const { request } = context;
  requireJson(request.headers);
  const waitLimit = waitSecondsOf(context);
  let hash: string;
  let token: string | null = null;
  if (request.headers.get("content-length") === SHORTEST_LENGTH) {
    hash = readShortest(await context.bodies.readSmallText(request));
  } else {
    const body = await context.readBody(BODY_LIMIT);
    chargeBody(context, body);
    // Other members of the body are ignored.
    if (rules?.tokens === undefined) hash = readSubmission(body);
    else ({ hash, token } = readTokenSubmission(body));
  }
  const tokens = rules?.tokens === undefined ? NO_TOKEN : tokenOfOne(request.headers, token);
  const admission = rules && new RequestAdmission(rules, context, tokens);
  const job = await service.jobs.submit(hash, waitLimit, admission);
  const waited = job.wasHeld ? waitLimit : undefined;
  if (job.terminal) return terminalResponse(job.json, waited);
  return waitingResponse(job.json, { waited, location: `${ATTESTATIONS}/${hash}` });
}

/** `POST /v1/attestations/batch`: 200 if all jobs are terminal, 202 otherwise. */
export async function submitBulk(
  { service, rules, bulkAnswers }: SubmissionParts,
  context: RequestContext,
): Promise<Response> {
  const { request } = context;
  requireJson(request.headers);
  const waitLimit = waitSecondsOf(context);
  const body = await context.readBody(BULK_BODY_LIMIT);
  chargeBody(context, body);
  const { digests, tokens: texts } = readBulkSubmission(body);
  const count = digests.length / HASH_LENGTH;
  const answerBytes = count * (JOB_BYTES + service.network.threshold * SIGNATURE_BYTES);
  context.whenCompleted(bulkAnswers.hold(context.client, answerBytes));
  const tokens = rules?.tokens === undefined
    ? NO_TOKEN
    : tokensOfMany(request.headers, count, texts);
  const admission = rules && new RequestAdmission(rules, context, tokens);
  const list = await service.jobs.submitAll(digests, waitLimit, admission);
  const response = bulkResponse(list, digests, list.wasHeld ? waitLimit : undefined);
  // A response has a copy of its body.
  list.reuse();
  return response;
}

/** The answer with the jobs of `digests`, after a wait of at most `waited` seconds, if any. */
function bulkResponse(
  { json, waiting }: JobList,
  digests: Bytes,
  waited: number | undefined,
): Response {
  if (waiting < 0) return terminalResponse(json, waited);
  // The route is below that of single jobs.
  const location = digests.subarray(waiting * HASH_LENGTH, (waiting + 1) * HASH_LENGTH).toHex();
  return waitingResponse(json, { waited, location });
}

/** `GET /v1/attestations/{hash}`: 200 for every known hash. */
export function readAttestation(
  service: GatewayService,
  hash: string,
  context: RequestContext,
): Response | Promise<Response> {
  requireHash(hash);
  const waitLimit = waitSecondsOf(context);
  return whenReady(
    service.jobs.get(hash, waitLimit, chargeStoredRound(context)),
    (job) => terminalResponse(job.json, job.wasHeld ? waitLimit : undefined),
  );
}

/** Charges for a submission's body before it is parsed. Below 4 KiB it is free. */
function chargeBody(context: RequestContext, body: Uint8Array): void {
  context.charge(Math.floor(body.length / BYTES_PER_READ));
}

/** The longest wait in seconds that the client asks for, if any. */
function waitSecondsOf(context: RequestContext): number | undefined {
  const seconds = waitSeconds(context.request.headers.get("prefer"));
  context.isHeld = seconds !== undefined;
  return seconds;
}

/** A 200 with jobs as JSON `body`, after a wait of at most `waited` seconds, if any. */
function terminalResponse(body: string | Bytes, waited: number | undefined): Response {
  return jsonResponse(body, waited === undefined ? JOB_FIELDS : WAITED_FIELDS[waited]!);
}

/**
 * A 202 with jobs as JSON `body`. `location` is the URL of a job that is not terminal, relative to the
 * URL of the request: only the client knows under which path a proxy serves the gateway.
 */
function waitingResponse(
  body: string | Bytes,
  { waited, location }: { readonly waited: number | undefined; readonly location: string },
): Response {
  const fields: HeaderField[] = [
    ...JOB_FIELDS,
    ["location", location],
    [
      "access-control-expose-headers",
      waited === undefined ? "Location" : "Location, Preference-Applied",
    ],
  ];
  if (waited !== undefined) fields.push(["preference-applied", preferenceApplied(waited)]);
  return jsonResponse(body, fields, 202);
}

/** Charges for a read of the attestation's round from the store. */
export function chargeStoredRound(context: RequestContext): () => void {
  return () => context.charge(STORED_ROUND_READS);
}

/** `hash`, if it is 64 lowercase hex digits; `malformed_hash` otherwise. */
export function requireHash(hash: string): string {
  if (isHex(hash, HASH_LENGTH)) return hash;
  throw new CountersignError(
    "malformed_hash",
    "Malformed hash: write 64 lowercase hex digits",
  );
}

/**
 * RFC 7240 section 2: a list of names with a value and parameters. Values may be quoted. White space
 * matches in one way only, since two ways would take quadratic time.
 */
const PREFERENCE =
  /[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?:[ \t]*=[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+|"(?:[^"\\]|\\.)*"))?(?:[ \t]*;(?:[^",]|"(?:[^"\\]|\\.)*")*|[ \t]*)(?:,|$)|[ \t]*,/y;

/** Headers with nothing but whole seconds, which nearly all clients send. */
const PLAIN: ReadonlyMap<string, number> = new Map(
  Array.from({ length: MAX_WAIT_SECONDS + 1 }, (_, seconds) => [`wait=${seconds}`, seconds]),
);

/**
 * Seconds to wait by a `Prefer` header, at most {@linkcode MAX_WAIT_SECONDS}. `undefined` without
 * `wait` or for a malformed header, which RFC 7240 section 2 lets a server ignore.
 */
export function waitSeconds(prefer: string | null): number | undefined {
  if (prefer === null) return undefined;
  const plain = PLAIN.get(prefer);
  if (plain !== undefined) return plain;
  if (prefer.length > MAX_FIELD_CHARACTERS) return undefined;
  PREFERENCE.lastIndex = 0;
  while (PREFERENCE.lastIndex < prefer.length) {
    const found = PREFERENCE.exec(prefer);
    if (found === null) return undefined;
    const [, name, value = ""] = found;
    // RFC 7240 section 2: only the first of repeated preferences counts.
    if (name?.toLowerCase() === "wait") return secondsOf(value);
  }
  return undefined;
}

/**
 * The `Preference-Applied` header after a wait of at most `seconds`. Absent if there was no wait: the
 * job was already terminal, or the preference was 0.
 */
function preferenceApplied(seconds: number): string {
  return `wait=${seconds}`;
}

function secondsOf(value: string): number | undefined {
  const [, digits] = /^"?([0-9]+)"?$/.exec(value) ?? [];
  return digits === undefined ? undefined : Math.min(Number(digits), MAX_WAIT_SECONDS);
}
