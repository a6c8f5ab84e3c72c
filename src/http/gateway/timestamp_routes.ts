/**
 * The time-stamp authority over HTTP (RFC 3161 section 3.4), at `/tsa`, and as Sigstore's
 * timestamp-authority has it (protocol.md "Time stamps").
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { GatewayService } from "../../gateway/gateway_service.ts";
import type {
  TimestampAuthority,
  TimestampReply,
} from "../../gateway/timestamping/timestamp_authority.ts";
import { encodePem } from "../../proof/format/pem.ts";
import { TEXT } from "../../proof/format/schema.ts";
import { REPLY_MEDIA_TYPE } from "../../proof/timestamp/reply.ts";
import { REQUEST_MEDIA_TYPE } from "../../proof/timestamp/request.ts";
import { type Answer, constantAnswer, JSON_MEDIA_TYPE } from "../answer.ts";
import { hasMediaType, parseBody, requireMediaType } from "../body.ts";
import type { DocumentedAnswer, Endpoint } from "../endpoint.ts";
import { TIMESTAMP_BODY_LIMIT, TIMESTAMP_WAIT_SECONDS } from "../limits.ts";
import { NO_PARAMETERS } from "../parameters.ts";
import type { RequestContext } from "../request_context.ts";
import type { Routes } from "../routes.ts";
import { queryOf, SIGSTORE_REQUEST } from "../schema/sigstore_request_schema.ts";
import { TOKEN_READS } from "../work_cost.ts";
import type { SubmissionParts } from "./attestation_handlers.ts";
import { SUBMISSION_PROBLEMS } from "./attestation_routes.ts";
import { tokenOfOne } from "./private_token.ts";
import { RequestAdmission } from "./request_admission.ts";

export const TSA_PATH = "/tsa";
export const SIGSTORE_TIMESTAMP_PATH = "/api/v1/timestamp";

const CHAIN_MEDIA_TYPE = "application/pem-certificate-chain";
const BYTES = TEXT.with({ format: "binary" });

/** How a route differs from the other one. */
interface RouteForm {
  /** Statuses of replies. */
  readonly granted: number;
  readonly rejected: number;
  readonly takesJson: boolean;
}

/** RFC 3161 section 3.4 has no other status. */
const OF_TSA: RouteForm = { granted: 200, rejected: 200, takesJson: false };
/** Those of Sigstore's timestamp-authority, whose generated clients accept no other statuses. */
const OF_SIGSTORE: RouteForm = { granted: 201, rejected: 400, takesJson: true };

/** Registers the routes of `authority`. */
export function addTimestampRoutes(
  routes: Routes,
  submissions: SubmissionParts,
  authority: TimestampAuthority,
): void {
  const shared = {
    method: "post",
    tag: "timestamps",
    parameters: NO_PARAMETERS,
    body: BYTES,
    bodyMediaType: REQUEST_MEDIA_TYPE,
    takesToken: true,
    caching: "never",
    problems: [...SUBMISSION_PROBLEMS, "signer_unavailable"],
  } satisfies Partial<Endpoint>;
  const answer = (form: RouteForm) => (_: unknown, __: Request, context: RequestContext) =>
    answerTimestamp(submissions, authority, context, form);
  routes.add({
    ...shared,
    id: "requestTimestamp",
    path: TSA_PATH,
    summary: "Request a time-stamp token",
    description:
      "Attests the SHA-256 imprint, or the SHA-256 of a longer imprint, and answers a token of the " +
      "attestation's time that carries the attestation. A rejected request has a status in its reply.",
    answers: { 200: reply("The reply, which grants a token or rejects the request") },
  }, answer(OF_TSA));
  routes.add({
    ...shared,
    id: "requestSigstoreTimestamp",
    path: SIGSTORE_TIMESTAMP_PATH,
    summary: "Request a time-stamp token, with the statuses of Sigstore",
    description: "Also takes the JSON that Sigstore's JavaScript client sends.",
    jsonBody: SIGSTORE_REQUEST,
    answers: { 201: reply("A granted token"), 400: reply("The reply to a rejected request") },
  }, answer(OF_SIGSTORE));

  let chain: Answer | undefined;
  routes.add({
    id: "getTimestampCertificates",
    method: "get",
    path: `${SIGSTORE_TIMESTAMP_PATH}/certchain`,
    tag: "timestamps",
    summary: "Read the certificates of the authority",
    description: "The certificate that signs tokens first, each followed by its issuer's, in PEM.",
    parameters: NO_PARAMETERS,
    caching: "revalidate",
    answers: {
      200: { description: "The certificates", mediaType: CHAIN_MEDIA_TYPE, schema: TEXT },
    },
    problems: [],
  }, () => chain ??= chainOf(authority));
}

function chainOf({ identity }: TimestampAuthority): Answer {
  const body = identity.certificates.map(({ der }) =>
    encodePem({ label: "CERTIFICATE", bytes: der })
  )
    .join("");
  return constantAnswer({ body, mediaType: CHAIN_MEDIA_TYPE });
}

/** A token only for what is attested. All other conditions are those of a submission. */
async function answerTimestamp(
  { service, rules }: SubmissionParts,
  authority: TimestampAuthority,
  context: RequestContext,
  form: RouteForm,
): Promise<Answer> {
  const accepted = authority.accept(await queryIn(context, form));
  if ("isGranted" in accepted) {
    context.charge(1);
    return answerOf(accepted, form);
  }
  // Before the work: known hashes need a signature too. At once: a client whose budget is smaller gets a
  // token when it is full.
  context.charge(TOKEN_READS[authority.identity.signer.scheme]);
  context.isHeld = true;
  const admission = rules &&
    new RequestAdmission(rules, context, tokenOfOne(context.request.headers, null));
  const attested = await attestedBy(service, accepted.hash, admission);
  return answerOf(await authority.grant(accepted, attested), form);
}

/** The DER of the request. */
async function queryIn(context: RequestContext, { takesJson }: RouteForm): Promise<Bytes> {
  const { headers } = context.request;
  const isJson = takesJson && hasMediaType(headers, JSON_MEDIA_TYPE);
  requireMediaType(headers, isJson ? JSON_MEDIA_TYPE : REQUEST_MEDIA_TYPE);
  const body = await context.readBody(TIMESTAMP_BODY_LIMIT);
  return isJson ? queryOf(parseBody(body, SIGSTORE_REQUEST)) : body;
}

async function attestedBy(
  { jobs, proofs }: GatewayService,
  hash: string,
  admission: RequestAdmission | undefined,
) {
  const { terminal } = await jobs.submit(hash, TIMESTAMP_WAIT_SECONDS, admission);
  if (terminal) return await proofs.attested(hash);
  throw new CountersignError(
    "witnesses_unavailable",
    "Cannot time-stamp: the hash is stored, but too few witnesses have signed it; retry later",
  );
}

function answerOf(
  { isGranted, bytes }: TimestampReply,
  { granted, rejected }: RouteForm,
): Answer {
  return {
    body: bytes,
    mediaType: REPLY_MEDIA_TYPE,
    status: isGranted ? granted : rejected,
  };
}

function reply(description: string): DocumentedAnswer {
  return { description, mediaType: REPLY_MEDIA_TYPE, schema: BYTES };
}
