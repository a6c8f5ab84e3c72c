/**
 * The router: one {@linkcode Endpoint} and one handler for each path, strict parameters, caching,
 * preflights, and 405 for every other method.
 *
 * @module
 */

import type { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { CountersignError } from "../errors.ts";
import { type Answer, respond } from "./answer.ts";
import { PREFLIGHT_HEADERS } from "./common_headers.ts";
import { documentEndpoint, type Endpoint } from "./endpoint.ts";
import { readParameters } from "./parameters.ts";
import { problemResponse } from "./problem.ts";
import type { RequestContext } from "./request_context.ts";

/** What the router is given with a request. */
export interface RouterEnv {
  readonly Bindings: { readonly context: RequestContext };
}

/** Answers one route. What it throws becomes a problem. */
export type Handler<Parameters extends z.ZodObject> = (
  parameters: z.output<Parameters>,
  request: Request,
  context: RequestContext,
) => Answer | Response | Promise<Answer | Response>;

/**
 * Registers endpoints with a router and with its document. Of two paths that match one request, the
 * one that was added first answers, whatever the method.
 */
export class Routes {
  readonly #app: OpenAPIHono<RouterEnv>;

  constructor(app: OpenAPIHono<RouterEnv>) {
    this.#app = app;
  }

  /** Answers `endpoint.path` with what `handle` makes of its parameters. */
  add<Parameters extends z.ZodObject>(
    endpoint: Endpoint<Parameters>,
    handle: Handler<Parameters>,
  ): void {
    const pattern = endpoint.path.replaceAll(/\{(\w+)\}/g, ":$1");
    this.#register(pattern, endpoint, (c) => {
      const parameters = readParameters(endpoint.parameters, (name) => given(c, name));
      // Entering cost one.
      c.env.context.charge((endpoint.reads?.(parameters) ?? 1) - 1);
      return handle(parameters, c.env.context.request, c.env.context);
    });
  }

  /** Answers every path of the router's `pattern`; the handler reads the path itself. */
  addPattern(
    pattern: string,
    endpoint: Endpoint,
    handle: (request: Request, context: RequestContext) => Promise<Response>,
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
    documentEndpoint(this.#app.openAPIRegistry, endpoint);
    this.#app.on(method.toUpperCase(), pattern, async (c) => {
      c.env.context.route = path;
      const answered = await answer(c);
      if (answered instanceof Response) return answered;
      const response = respond(answered, caching, c.env.context.request);
      // To read `response.body` would make it a stream, which is sent in chunks and without a length.
      if (response.status !== 304) c.env.context.chargeAnswer(answered.body.length);
      return response;
    });
    this.#app.on("OPTIONS", pattern, (c) => {
      c.env.context.route = path;
      return preflight(allow);
    });
    this.#app.all(pattern, (c) => {
      c.env.context.route = path;
      return refuseMethod(c, allow);
    });
  }
}

/** The texts given for a parameter: the one in the path, or all in the query. */
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

function refuseMethod(c: Context<RouterEnv>, allow: string): Response {
  const error = new CountersignError(
    "method_not_allowed",
    `Cannot answer: one of the methods ${allow} required, found another`,
  );
  return problemResponse(error, c.env.context, { headers: { Allow: allow } });
}
