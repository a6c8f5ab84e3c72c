/**
 * Registers client routes: one {@linkcode Endpoint} and one handler for each path, with strict
 * parameters, caching, preflights, and 405 for every other method.
 *
 * @module
 */

import type { Context, Hono } from "hono";
import type { Members, OfMembers } from "../proof/format/schema.ts";
import { type Answer, PREFLIGHT_HEADERS, respond } from "./answer.ts";
import type { Endpoint } from "./endpoint.ts";
import { readParameters } from "./parameters.ts";
import type { RequestContext } from "./request_context.ts";
import { addRoute, type RouterEnv } from "./router.ts";

/** Answers one route. A thrown error becomes a problem. */
export type Handler<Parameters extends Members> = (
  parameters: OfMembers<Parameters>,
  request: Request,
  context: RequestContext,
) => Answer | Response | Promise<Answer | Response>;

/**
 * Registers endpoints with a router. If two paths match a request, the
 * one added first answers, whatever the method.
 */
export class Routes {
  readonly #app: Hono<RouterEnv>;
  /** For the OpenAPI document. */
  readonly endpoints: Endpoint[] = [];

  constructor(app: Hono<RouterEnv>) {
    this.#app = app;
  }

  /** Answers `endpoint.path` by `handle`. */
  add<Parameters extends Members>(
    endpoint: Endpoint<Parameters>,
    handle: Handler<Parameters>,
  ): void {
    const pattern = endpoint.path.replaceAll(/\{(\w+)\}/g, ":$1");
    this.#register(pattern, endpoint, (c) => {
      const parameters = readParameters(endpoint.parameters, (name) => given(c, name));
      // One read was charged on entry.
      c.env.context.charge((endpoint.reads?.(parameters) ?? 1) - 1);
      return handle(parameters, c.env.context.request, c.env.context);
    });
  }

  /** Answers every path that matches the router's `pattern`; `handle` parses the path. */
  addPattern(
    pattern: string,
    endpoint: Endpoint,
    handle: (request: Request, context: RequestContext) => Response | Promise<Response>,
  ): void {
    this.#register(pattern, endpoint, (c) => handle(c.env.context.request, c.env.context));
  }

  #register(
    pattern: string,
    endpoint: Endpoint,
    answer: (c: Context<RouterEnv>) => Answer | Response | Promise<Answer | Response>,
  ): void {
    const { method, path, caching } = endpoint;
    const allow = method === "get" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS";
    this.endpoints.push(endpoint);
    const respondTo = async (c: Context<RouterEnv>) => {
      const answered = await answer(c);
      if (answered instanceof Response) return answered;
      const response = respond(answered, caching, c.env.context.request);
      // Reading `response.body` would make it a stream, sent in chunks without a length.
      if (response.status !== 304) c.env.context.chargeAnswer(answered.body.length);
      return response;
    };
    const methods = { [method.toUpperCase()]: respondTo, OPTIONS: () => preflight(allow) };
    addRoute(this.#app, pattern, methods, path);
  }
}

/** The values of a parameter: the one in the path, or all in the query. */
function given(c: Context<RouterEnv>, name: string): readonly string[] {
  const inPath = c.req.param(name);
  return inPath === undefined ? c.req.queries(name) ?? [] : [inPath];
}

function preflight(allow: string): Response {
  return new Response(null, {
    status: 204,
    headers: { Allow: allow, "Access-Control-Allow-Methods": allow, ...PREFLIGHT_HEADERS },
  });
}
