/**
 * Checks one request and its answer against the OpenAPI document: path, method, parameters, body,
 * status, headers, media type and schema. The gateway must refuse requests that the document
 * forbids, and must not call a request malformed that the document allows.
 *
 * @module
 */

import type { JsonObject, JsonValue } from "../../src/proof/format/strict_json.ts";
import {
  type ApiDocument,
  type DocumentedResponse,
  type Operation,
  patternOf,
} from "./api_document.ts";

/** A request and its answer. */
export interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly sent: Headers;
  /** The body of the request; `undefined` if unknown, which skips its check. */
  readonly body: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  /** The answer's body. */
  readonly text: string;
}

/** The exchange of a request whose body is known where it is a text, and its answer, which is read unless it is endless. */
export async function exchangeOf(
  method: string,
  path: string,
  { headers, body }: { readonly headers?: HeadersInit; readonly body?: unknown },
  response: Response,
): Promise<Exchange> {
  const { status } = response;
  const isEndless = response.headers.get("Content-Type") === "text/event-stream";
  // One of two clones is cancelled with the other: nothing is waited for here.
  if (isEndless) response.body?.cancel();
  return {
    method,
    path,
    status,
    headers: response.headers,
    sent: new Headers(headers),
    body: typeof body === "string" ? body : undefined,
    text: isEndless ? "" : await response.text(),
  };
}

/** The result of a check. */
export interface Checked {
  readonly operation?: Operation;
  /** Of the problem, or `ok`. */
  readonly code: string;
  readonly fault?: string;
}

/** Fields of the connection, or implied by the documented media type. */
const TRANSPORT_HEADERS = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "sec-websocket-version",
  "transfer-encoding",
  "upgrade",
  "vary",
]);

/** Codes for requests that violate the document. */
const MALFORMED = new Set(["malformed_hash", "malformed_parameter", "malformed_request"]);

/** Refusals by rules that a schema cannot express: between members, and on spelling. */
const BEYOND_SCHEMAS = [
  /Malformed parameter (types|after|second)/,
  /Cannot prove inclusion: /,
  /issuer_tokens/,
  /Cannot read Authorization: /,
  /an integer from 0 to 2\^53/,
  /ascending/,
  /Cannot open event stream: /,
];

/** Checks `exchange` against `document` and returns the first fault. */
export function faultOfExchange(document: ApiDocument, exchange: Exchange): Checked {
  const { method, path, status, headers, text } = exchange;
  const { bare } = partsOf(path);
  const code = codeOf(headers, text);
  const outside = faultOutside(document, exchange, code);
  if (outside !== undefined) return { code, ...(outside && { fault: outside }) };
  const operation = document.operationOf(method, bare);
  if (operation === undefined) return { code, fault: "it is not documented" };
  const documented = document.responses(operation)[status];
  if (documented === undefined) return { code, fault: `status ${status} is not documented` };
  const fault = faultOfHeaders(document, documented, headers) ??
    faultOfBody(document, documented, exchange) ??
    faultOfVerdict(document, operation, exchange, code);
  return { operation, code, ...(fault !== undefined && { fault }) };
}

/** Of answers that belong to no operation: a fault, none (""), or `undefined` for other answers. */
function faultOutside(
  document: ApiDocument,
  { method, path, status, headers, text }: Exchange,
  code: string,
): string | undefined {
  const { bare } = partsOf(path);
  if (method === "OPTIONS" && status === 204) {
    return headers.has("allow") && text === "" ? "" : "a preflight has Allow and no body";
  }
  if (code === "method_not_allowed" || (method === "HEAD" && status === 405)) {
    return headers.has("allow") ? "" : "a 405 has no Allow";
  }
  if (code === "route_not_found") {
    const { operations } = document;
    const isKnown = operations.some((operation) => patternOf(operation.path).test(bare));
    return isKnown ? "a documented route is not found" : "";
  }
  // Every unknown path below /tile/ is refused as a tile.
  if (code === "tile_not_found" && document.operationOf(method, bare) === undefined) return "";
  const isUnknown = document.operationOf(method, bare) === undefined;
  return method === "HEAD" && status === 404 && isUnknown ? "" : undefined;
}

/** RFC 3986 section 3: the query is what follows the first `?`, and a fragment is never sent on. */
function partsOf(path: string): { readonly bare: string; readonly query: string } {
  const [sent = ""] = path.split("#");
  const [bare = "", ...rest] = sent.split("?");
  return { bare, query: rest.join("?") };
}

function codeOf(headers: Headers, text: string): string {
  if (headers.get("Content-Type") !== "application/problem+json" || text === "") return "ok";
  return JSON.parse(text).code;
}

function faultOfHeaders(
  document: ApiDocument,
  { headers: own = {} }: DocumentedResponse,
  headers: Headers,
): string | undefined {
  const documented = Object.entries({ ...document.commonHeaders, ...own });
  for (const [name, { required, schema }] of documented) {
    const value = headers.get(name);
    if (value === null && required) return `header ${name} is missing`;
    const fault = value === null ? undefined : document.faultOf(value, schema);
    if (fault !== undefined) return `header ${name} is "${value}"`;
  }
  const known = new Set(documented.map(([name]) => name.toLowerCase()));
  const other = [...headers.keys()].find((name) =>
    !known.has(name) && !TRANSPORT_HEADERS.has(name)
  );
  return other && `header ${other} is not documented`;
}

function faultOfBody(
  document: ApiDocument,
  { content }: DocumentedResponse,
  { method, status, headers, text }: Exchange,
): string | undefined {
  if (content === undefined) return text === "" ? undefined : `a ${status} has a body`;
  if (method === "HEAD") return text === "" ? undefined : "the answer to a HEAD has a body";
  const type = headers.get("Content-Type") ?? "";
  const schema = content[type]?.schema;
  if (schema === undefined) return `media type ${type} is not documented for ${status}`;
  return document.faultOf(type.endsWith("json") ? JSON.parse(text) : text, schema);
}

/** Checks the gateway's verdict on a request against the document's. */
function faultOfVerdict(
  document: ApiDocument,
  operation: Operation,
  exchange: Exchange,
  code: string,
): string | undefined {
  const { status, text, body } = exchange;
  const fault = faultOfRequest(document, operation, exchange);
  if (fault !== undefined) {
    // An opinion that is "not valid" refuses as well.
    const isAccepted = status < 400 && !text.startsWith('{"valid":false');
    return isAccepted ? `the gateway accepts it, but the document forbids it: ${fault}` : undefined;
  }
  const isKnown = body !== undefined || operation.value["requestBody"] === undefined;
  if (!isKnown || !MALFORMED.has(code) || BEYOND_SCHEMAS.some((rule) => rule.test(text))) {
    return undefined;
  }
  return "the gateway refuses it, but the document allows it";
}

function faultOfRequest(
  document: ApiDocument,
  operation: Operation,
  { path, sent, body }: Exchange,
): string | undefined {
  const { bare, query } = partsOf(path);
  // One "?" in front is no part of it.
  const given = new URLSearchParams(`?${query}`);
  const [, ...inPath] = patternOf(operation.path).exec(bare) ?? [];
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  for (const parameter of document.parameters(operation)) {
    const { name, required, schema } = parameter;
    const texts = parameter.in === "path"
      ? [inPath[names.indexOf(name)]!]
      : parameter.in === "query"
      ? given.getAll(name)
      : [sent.get(name) ?? []].flat();
    if (texts.length === 0 && required) return `${parameter.in} parameter ${name} is missing`;
    if (texts.length > 1) return `${name} is given twice`;
    for (const text of texts) {
      if (document.faultOf(valueOf(text, schema), schema) !== undefined) return `${name}=${text}`;
    }
  }
  const wanted = operation.value["requestBody"] as unknown as RequestBody | undefined;
  if (wanted === undefined || body === undefined) return undefined;
  // RFC 9110 section 8.3: who sends none leaves it to us, and a body here can be nothing else.
  const named = sent.get("Content-Type") ?? "application/json";
  const type = named.split(";")[0]?.trim().toLowerCase() ?? "";
  const schema = wanted.content[type]?.schema;
  if (schema === undefined) return `media type ${type}`;
  const value = jsonOf(body);
  return value === undefined ? "no JSON" : document.faultOf(value, schema);
}

interface RequestBody {
  readonly content: Readonly<Record<string, { readonly schema: JsonObject }>>;
}

/** An integer stands in a URL as its canonical decimals. */
function valueOf(text: string, { type }: JsonObject): JsonValue {
  return type === "integer" && /^(0|[1-9][0-9]*)$/.test(text) ? Number(text) : text;
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
