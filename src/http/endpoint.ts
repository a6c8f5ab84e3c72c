/**
 * One route in the OpenAPI document. The router registers routes from the same values, so that
 * document and router have the same routes.
 *
 * @module
 */

import type { ErrorCode } from "../base/errors.ts";
import {
  type Components,
  type Members,
  type ObjectSchema,
  type OfMembers,
  OptionalSchema,
  type Schema,
  TEXT,
  text,
} from "../proof/format/schema.ts";
import type { JsonObject } from "../proof/format/strict_json.ts";
import { type Caching, COSE_MEDIA_TYPE, JSON_MEDIA_TYPE } from "./answer.ts";
import {
  BODY_CODINGS,
  cacheControl,
  CHALLENGES,
  type DocumentedHeader,
  ETAG,
  LOCATION,
  PREFERENCE_APPLIED,
  RATE_LIMIT,
  RATE_LIMIT_POLICY,
  RETRY_AFTER,
} from "./documented_headers.ts";
import { PROBLEM_MEDIA_TYPE, STATUS } from "./problem.ts";
import { MAX_WAIT_SECONDS } from "./limits.ts";
import { withListExample } from "./schema/component_examples.ts";
import { describeProblem } from "./schema/problem_schema.ts";

/** One route: exactly one method answers each path. */
export interface Endpoint<Parameters extends Members = Members> {
  readonly id: string;
  readonly method: "get" | "post";
  /** In OpenAPI notation, such as `/v1/proof/{hash}`. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** By name. Those in `path` are path parameters, the others query parameters. */
  readonly parameters: ObjectSchema<Parameters>;
  /**
   * Reads that a request costs at least, charged before any work (`work_cost.ts`); 1 when absent.
   * The bytes of an answer are always charged.
   */
  reads?(parameters: OfMembers<Parameters>): number;
  /** Schema of the body. */
  readonly body?: Schema<unknown>;
  /** Of the body; JSON when absent. */
  readonly bodyMediaType?: string;
  /** Schema of a body of JSON that is taken, too, where `bodyMediaType` is another. */
  readonly jsonBody?: Schema<unknown>;
  /** True if `Prefer: wait` applies. */
  readonly waits?: boolean;
  /** True if `Authorization: PrivateToken` may carry a token. */
  readonly takesToken?: boolean;
  readonly caching: Caching;
  /** True if 101 upgrades the connection to a WebSocket. */
  readonly upgrades?: boolean;
  /** By status. */
  readonly answers: Readonly<Record<number, DocumentedAnswer>>;
  /** In addition to those of every route. */
  readonly problems: readonly ErrorCode[];
}

/** The document's sections. */
export type Tag =
  | "attestations"
  | "timestamps"
  | "log"
  | "federation"
  | "service"
  | "c2sp"
  | "events";

/** A successful answer. */
export interface DocumentedAnswer {
  readonly description: string;
  readonly mediaType: string;
  readonly schema: Schema<unknown>;
  /** Other media types of the same answer, chosen by `Accept`. */
  readonly orElse?: readonly Omit<DocumentedAnswer, "description">[];
  /** In addition to those that follow from the endpoint. */
  readonly headers?: Readonly<Record<string, DocumentedHeader>>;
}

/** A COSE receipt (RFC 9942), for `Accept: application/cose`. */
export const AS_RECEIPT: Omit<DocumentedAnswer, "description"> = {
  mediaType: COSE_MEDIA_TYPE,
  schema: TEXT.with({ format: "binary" }),
};

/** Documents an answer in JSON. */
export function json(description: string, schema: Schema<unknown>): DocumentedAnswer {
  return { description, mediaType: JSON_MEDIA_TYPE, schema };
}

/** Problems of every route. */
const COMMON_PROBLEMS: readonly ErrorCode[] = [
  "internal",
  "shutting_down",
  "overloaded",
  "rate_limited",
  "storage_failed",
];

/** What may be absent only here, if the gateway may lack the newest part of its log (`gateway/absence.ts`). */
const ABSENCES: readonly ErrorCode[] = [
  "hash_unknown",
  "not_confirmed",
  "not_batched",
  "tree_size_not_published",
  "tile_not_found",
  "batch_not_found",
];

/** The answers in their place. */
const UNCERTAINTIES: readonly ErrorCode[] = ["standby", "store_rolled_back"];

/** Paths that never need an API key: they are alike at every gateway, and load balancers ask for one. */
export const PUBLIC_PATHS: ReadonlySet<string> = new Set([
  "/health",
  "/openapi.json",
  "/asyncapi.json",
]);

/** Problems of every other route at a private gateway. */
const KEY_PROBLEMS: readonly ErrorCode[] = ["api_key_required", "api_key_refused"];

/** Problems of every route with a body. */
const BODY_PROBLEMS: readonly ErrorCode[] = [
  "malformed_request",
  "body_too_large",
  "unsupported_media_type",
];

/** Describes `endpoint` as an operation of OpenAPI; adds its schemas to `components`. */
export function describeEndpoint(endpoint: Endpoint, components: Components): JsonObject {
  const { id, tag, summary, description, body, jsonBody, takesToken } = endpoint;
  const { bodyMediaType = JSON_MEDIA_TYPE } = endpoint;
  const parameters = describeParameters(endpoint, components);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(takesToken && { security: [...ANY_OR_KEY, { [PRIVATE_TOKEN_SCHEME]: [] }] }),
    ...(PUBLIC_PATHS.has(endpoint.path) && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          [bodyMediaType]: { schema: body.describe(components) },
          ...(jsonBody && { [JSON_MEDIA_TYPE]: { schema: jsonBody.describe(components) } }),
        },
      },
    }),
    responses: describeResponses(endpoint, components),
  };
}

/** The name of the security scheme for tokens in the header. */
export const PRIVATE_TOKEN_SCHEME = "PrivateToken";

/** The name of the security scheme of a private gateway. */
export const API_KEY_SCHEME = "ApiKey";

/** Most gateways need no credentials. */
export const ANY_OR_KEY = [{}, { [API_KEY_SCHEME]: [] }];

const PREFER = text(
  "`wait=N` (RFC 7240) holds the answer until the job is terminal or N seconds " +
    `have passed, at most ${MAX_WAIT_SECONDS}. \`Preference-Applied\` is present only if ` +
    "the gateway held the answer",
).with({ example: "wait=5" }).optional();

const IF_NONE_MATCH = text(
  "Entity tags (RFC 9110 section 13.1.2); the answer is 304 if one matches",
).with({ example: '"1f4c7c8b9c3e5d60718293a4b5c6d7e8"' }).optional();

function describeParameters(
  { path, parameters, waits, caching }: Endpoint,
  components: Components,
): JsonObject[] {
  const headers: Members = {
    ...(waits && { "Prefer": PREFER }),
    ...(caching === "revalidate" && { "If-None-Match": IF_NONE_MATCH }),
  };
  const describe = (place: string, members: [string, Schema<unknown>][]) =>
    members.map(([name, member]) => {
      const schema = member.describe(components);
      const { description } = schema;
      return {
        name,
        in: place,
        required: !(member instanceof OptionalSchema),
        ...(description !== undefined && { description }),
        schema,
      };
    });
  const members = Object.entries(parameters.members);
  return [
    ...describe("path", members.filter(([name]) => path.includes(`{${name}}`))),
    ...describe("query", members.filter(([name]) => !path.includes(`{${name}}`))),
    ...describe("header", Object.entries(headers)),
  ];
}

/** One status of an operation. */
type Response = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, DocumentedHeader>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonObject }>>;
};

function describeResponses(endpoint: Endpoint, components: Components): Record<string, Response> {
  const responses = describeAnswers(endpoint, components);
  for (const [status, problem] of Object.entries(describeProblems(endpoint, components))) {
    const answer = responses[status];
    responses[status] = answer === undefined ? problem : eitherOf(answer, problem);
  }
  return responses;
}

/** For /health, whose 503 is either its own answer or a problem. */
function eitherOf(answer: Response, problem: Response): Response {
  const optional = Object.entries({ ...answer.headers, ...problem.headers })
    .map(([name, header]) => {
      const isCommon = answer.headers?.[name] && problem.headers?.[name];
      return [name, isCommon ? header : { ...header, required: false }];
    });
  return {
    description: `${answer.description}; or ${problem.description}`,
    headers: Object.fromEntries(optional),
    content: { ...answer.content, ...problem.content },
  };
}

function describeAnswers(
  { answers, caching, waits, upgrades }: Endpoint,
  components: Components,
): Record<string, Response> {
  const responses: Record<string, Response> = {};
  const kept = {
    "Cache-Control": cacheControl(caching),
    ...(caching === "revalidate" && { ETag: ETAG }),
  };
  if (upgrades) responses[101] = { description: "The connection switches to WebSocket" };
  for (const [status, answer] of Object.entries(answers)) {
    const { description } = answer;
    const forms = [answer, ...answer.orElse ?? []];
    const headers = {
      ...kept,
      ...answer.headers,
      ...(status === "202" && { Location: LOCATION }),
      ...(waits && { "Preference-Applied": PREFERENCE_APPLIED }),
    };
    responses[status] = {
      description,
      headers,
      content: Object.fromEntries(forms.map(({ mediaType, schema }) => [
        mediaType,
        { schema: withListExample(schema.describe(components)) },
      ])),
    };
  }
  if (caching === "revalidate") {
    responses[304] = { description: "The entity tag in If-None-Match is current", headers: kept };
  }
  return responses;
}

function describeProblems(
  { path, body, bodyMediaType, jsonBody, problems }: Endpoint,
  components: Components,
): Record<string, Response> {
  const keyProblems = PUBLIC_PATHS.has(path) ? [] : KEY_PROBLEMS;
  const ofJson: readonly ErrorCode[] = jsonBody ?? (body && bodyMediaType === undefined)
    ? ["malformed_json"]
    : [];
  const all = [
    ...ofJson,
    ...(body ? BODY_PROBLEMS : []),
    ...problems,
    ...keyProblems,
    ...COMMON_PROBLEMS,
    ...(problems.some((code) => ABSENCES.includes(code)) ? UNCERTAINTIES : []),
  ];
  const codes = [...new Set(all)];
  const responses: Record<string, Response> = {};
  for (const status of new Set(codes.map((code) => STATUS[code]))) {
    const group = codes.filter((code) => STATUS[code] === status);
    responses[status] = {
      description: group.join(", "),
      headers: {
        "Cache-Control": cacheControl("never"),
        ...(status === 401 && { "WWW-Authenticate": CHALLENGES }),
        ...(status === 415 && { "Accept-Encoding": BODY_CODINGS }),
        ...((status === 429 || status === 503) && { "Retry-After": RETRY_AFTER }),
        ...(status === 429 && { "RateLimit-Policy": RATE_LIMIT_POLICY, "RateLimit": RATE_LIMIT }),
      },
      content: { [PROBLEM_MEDIA_TYPE]: { schema: describeProblem(group, components) } },
    };
  }
  return responses;
}
