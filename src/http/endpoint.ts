/**
 * One route in the OpenAPI document. The router registers routes from the same values, so that
 * document and router have the same routes.
 *
 * @module
 */

import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { ErrorCode } from "../errors.ts";
import { type Caching, JSON_MEDIA_TYPE } from "./answer.ts";
import {
  cacheControl,
  type DocumentedHeader,
  ETAG,
  LOCATION,
  PREFERENCE_APPLIED,
  PRIVATE_TOKEN,
  RATE_LIMIT,
  RATE_LIMIT_POLICY,
  RETRY_AFTER,
} from "./documented_headers.ts";
import { PROBLEM_MEDIA_TYPE, STATUS } from "./problem.ts";
import { MAX_WAIT_SECONDS } from "./limits.ts";
import { problemOf } from "./schema/problem.ts";

/** One route: exactly one method answers each path. */
export interface Endpoint<Parameters extends z.ZodObject = z.ZodObject> {
  readonly id: string;
  readonly method: "get" | "post";
  /** In OpenAPI notation, such as `/v1/proof/{hash}`. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** By name. Those in `path` are path parameters, the others query parameters. */
  readonly parameters: Parameters;
  /**
   * Reads that a request costs at least, charged before any work (`work_cost.ts`); 1 when absent.
   * The bytes of an answer are always charged.
   */
  reads?(parameters: z.output<Parameters>): number;
  /** Schema of the JSON body. */
  readonly body?: z.ZodType;
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
export type Tag = "attestations" | "log" | "federation" | "service" | "c2sp" | "events";

/** A successful answer. */
export interface DocumentedAnswer {
  readonly description: string;
  readonly mediaType: string;
  readonly schema: z.ZodType;
  /** In addition to those that follow from the endpoint. */
  readonly headers?: Readonly<Record<string, DocumentedHeader>>;
}

/** Documents an answer in JSON. */
export function json(description: string, schema: z.ZodType): DocumentedAnswer {
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

/** Problems of every route with a JSON body. */
const BODY_PROBLEMS: readonly ErrorCode[] = [
  "malformed_json",
  "malformed_request",
  "body_too_large",
  "unsupported_media_type",
];

/** Adds `endpoint` to the document. */
export function documentEndpoint(
  registry: OpenAPIHono["openAPIRegistry"],
  endpoint: Endpoint,
): void {
  const { id, method, path, tag, summary, description, body, takesToken } = endpoint;
  registry.registerPath({
    operationId: id,
    method,
    path,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(takesToken && { security: [{}, { [PRIVATE_TOKEN_SCHEME]: [] }] }),
    request: {
      ...splitParameters(endpoint),
      ...(body && { body: { required: true, content: { "application/json": { schema: body } } } }),
    },
    responses: documentResponses(endpoint),
  });
}

/** The name of the security scheme for tokens in the header. */
export const PRIVATE_TOKEN_SCHEME = "PrivateToken";

const PREFER = {
  Prefer: z.string().optional().openapi({
    description: `\`wait=N\` (RFC 7240) holds the answer until the job is terminal or N seconds ` +
      `have passed, at most ${MAX_WAIT_SECONDS}. \`Preference-Applied\` is present only if ` +
      "the gateway held the answer",
    example: "wait=5",
  }),
};

const IF_NONE_MATCH = {
  "If-None-Match": z.string().optional().openapi({
    description: "Entity tags (RFC 9110 section 13.1.2); the answer is 304 if one matches",
    example: '"1f4c7c8b9c3e5d60718293a4b5c6d7e8"',
  }),
};

function splitParameters({ path, parameters, waits, caching }: Endpoint) {
  const members = Object.entries(parameters.shape);
  const headers = { ...(waits && PREFER), ...(caching === "revalidate" && IF_NONE_MATCH) };
  const inPath = members.filter(([name]) => path.includes(`{${name}}`));
  const inQuery = members.filter(([name]) => !path.includes(`{${name}}`));
  return {
    ...(inPath.length > 0 && { params: z.object(Object.fromEntries(inPath)) }),
    ...(inQuery.length > 0 && { query: z.object(Object.fromEntries(inQuery)) }),
    ...(Object.keys(headers).length > 0 && { headers: z.object(headers) }),
  };
}

/** One status of an operation, for the generator. */
interface DocumentedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, DocumentedHeader>>;
  readonly content?: Readonly<Record<string, { readonly schema: z.ZodType }>>;
}

function documentResponses(endpoint: Endpoint): Record<string, DocumentedResponse> {
  const responses = documentAnswers(endpoint);
  for (const [status, problem] of Object.entries(documentProblems(endpoint))) {
    const answer = responses[status];
    responses[status] = answer === undefined ? problem : eitherOf(answer, problem);
  }
  return responses;
}

/** For /health, whose 503 is either its own answer or a problem. */
function eitherOf(answer: DocumentedResponse, problem: DocumentedResponse): DocumentedResponse {
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

function documentAnswers(
  { answers, caching, waits, upgrades }: Endpoint,
): Record<string, DocumentedResponse> {
  const responses: Record<string, DocumentedResponse> = {};
  const kept = {
    "Cache-Control": cacheControl(caching),
    ...(caching === "revalidate" && { ETag: ETAG }),
  };
  if (upgrades) responses[101] = { description: "The connection switches to WebSocket" };
  for (const [status, answer] of Object.entries(answers)) {
    const { description, mediaType, schema } = answer;
    const headers = {
      ...kept,
      ...answer.headers,
      ...(status === "202" && { Location: LOCATION }),
      ...(waits && { "Preference-Applied": PREFERENCE_APPLIED }),
    };
    responses[status] = { description, headers, content: { [mediaType]: { schema } } };
  }
  if (caching === "revalidate") {
    responses[304] = { description: "The entity tag in If-None-Match is current", headers: kept };
  }
  return responses;
}

function documentProblems({ body, problems }: Endpoint): Record<string, DocumentedResponse> {
  const codes = [...(body ? BODY_PROBLEMS : []), ...problems, ...COMMON_PROBLEMS];
  const responses: Record<string, DocumentedResponse> = {};
  for (const [status, group] of Map.groupBy(new Set(codes), (code) => STATUS[code])) {
    responses[status] = {
      description: group.join(", "),
      headers: {
        "Cache-Control": cacheControl("never"),
        ...(status === 401 && { "WWW-Authenticate": PRIVATE_TOKEN }),
        ...((status === 429 || status === 503) && { "Retry-After": RETRY_AFTER }),
        ...(status === 429 && { "RateLimit-Policy": RATE_LIMIT_POLICY, "RateLimit": RATE_LIMIT }),
      },
      content: { [PROBLEM_MEDIA_TYPE]: { schema: problemOf(group) } },
    };
  }
  return responses;
}
