/**
 * What the OpenAPI document says of one route. The router registers from the same value, so that
 * neither can know a route that the other does not.
 *
 * @module
 */

import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { ErrorCode } from "../errors.ts";
import { type Caching, JSON_MEDIA_TYPE } from "./answer.ts";
import { PROBLEM_MEDIA_TYPE, STATUS } from "./problem.ts";
import { MAX_WAIT_SECONDS } from "./preference.ts";
import { problemOf } from "./schema/problem.ts";

/** One route: exactly one method answers each path. */
export interface Endpoint<Parameters extends z.ZodObject = z.ZodObject> {
  readonly id: string;
  readonly method: "get" | "post";
  /** As OpenAPI spells it, such as `/v1/proof/{hash}`. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** By name. Those that `path` names stand in the path, the others in the query. */
  readonly parameters: Parameters;
  /** Of a JSON body. */
  readonly body?: z.ZodType;
  /** Whether `Prefer: wait` holds. */
  readonly waits?: boolean;
  readonly caching: Caching;
  /** By status. */
  readonly answers: Readonly<Record<number, DocumentedAnswer>>;
  /** Beside those that any route can answer. */
  readonly problems: readonly ErrorCode[];
}

/** The document's sections. */
export type Tag = "attestations" | "log" | "service" | "c2sp";

/** An answer that is no problem. */
export interface DocumentedAnswer {
  readonly description: string;
  readonly mediaType: string;
  readonly schema: z.ZodType;
}

/** Documents an answer in JSON. */
export function json(description: string, schema: z.ZodType): DocumentedAnswer {
  return { description, mediaType: JSON_MEDIA_TYPE, schema };
}

/** What any route can answer. */
const COMMON_PROBLEMS: readonly ErrorCode[] = ["internal", "shutting_down", "overloaded"];

/** What any route with a JSON body can answer. */
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
  const { id, method, path, tag, summary, description, body } = endpoint;
  registry.registerPath({
    operationId: id,
    method,
    path,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    request: {
      ...splitParameters(endpoint),
      ...(endpoint.waits && { headers: PREFER }),
      ...(body && { body: { required: true, content: { "application/json": { schema: body } } } }),
    },
    responses: documentResponses(endpoint),
  });
}

const PREFER = z.object({
  Prefer: z.string().optional().openapi({
    description: `\`wait=N\` (RFC 7240) holds the answer until the job is terminal or N seconds ` +
      `have passed; above ${MAX_WAIT_SECONDS} is ${MAX_WAIT_SECONDS}`,
    example: "wait=5",
  }),
});

function splitParameters({ path, parameters }: Endpoint) {
  const members = Object.entries(parameters.shape);
  const inPath = members.filter(([name]) => path.includes(`{${name}}`));
  const inQuery = members.filter(([name]) => !path.includes(`{${name}}`));
  return {
    ...(inPath.length > 0 && { params: z.object(Object.fromEntries(inPath)) }),
    ...(inQuery.length > 0 && { query: z.object(Object.fromEntries(inQuery)) }),
  };
}

/** One status of an operation, as the generator takes it. */
interface DocumentedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, ReturnType<typeof header>>>;
  readonly content?: Readonly<Record<string, { readonly schema: z.ZodType }>>;
}

function documentResponses(endpoint: Endpoint): Record<string, DocumentedResponse> {
  const responses = documentAnswers(endpoint);
  for (const [status, problem] of Object.entries(documentProblems(endpoint))) {
    const answer = responses[status];
    // Health has a 503 of its own beside the problem that a stopping server answers.
    responses[status] = answer === undefined ? problem : {
      description: `${answer.description}; or ${problem.description}`,
      headers: { ...answer.headers, ...problem.headers },
      content: { ...answer.content, ...problem.content },
    };
  }
  return responses;
}

function documentAnswers(
  { answers, caching, waits }: Endpoint,
): Record<string, DocumentedResponse> {
  const responses: Record<string, DocumentedResponse> = {};
  for (const [status, { description, mediaType, schema }] of Object.entries(answers)) {
    const headers = {
      "Cache-Control": header("How long the answer may be kept"),
      ...(status === "202" && { Location: header("Where a job that is not terminal is read") }),
      ...(waits && { "Preference-Applied": header("The wait that was held to, if one was asked") }),
      ...(caching === "revalidate" && { ETag: header("Entity tag for If-None-Match") }),
    };
    responses[status] = { description, headers, content: { [mediaType]: { schema } } };
  }
  if (caching === "revalidate") {
    responses[304] = { description: "What If-None-Match names is what there is" };
  }
  return responses;
}

function documentProblems({ body, problems }: Endpoint): Record<string, DocumentedResponse> {
  const codes = [...(body ? BODY_PROBLEMS : []), ...problems, ...COMMON_PROBLEMS];
  const responses: Record<string, DocumentedResponse> = {};
  for (const [status, group] of Map.groupBy(new Set(codes), (code) => STATUS[code])) {
    responses[status] = {
      description: group.join(", "),
      ...(status === 503 && { headers: { "Retry-After": header("Seconds") } }),
      content: { [PROBLEM_MEDIA_TYPE]: { schema: problemOf(group) } },
    };
  }
  return responses;
}

function header(description: string) {
  return { description, schema: { type: "string" } } as const;
}
