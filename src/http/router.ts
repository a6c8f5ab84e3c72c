/**
 * The part that the servers of gateway, operators, witness and issuer share: one handler over a hono
 * application, with problems for unknown routes, other methods and errors.
 *
 * @module
 */

import type { Context, Hono } from "hono";
import { CountersignError } from "../base/errors.ts";
import { problemResponse } from "./problem.ts";
import {
  type RequestContext,
  type RequestHandler,
  requestHandler,
  type RequestObserver,
} from "./request_context.ts";
import { withPlainMethod } from "./request_path.ts";

/** The bindings of a request in hono. */
export interface RouterEnv {
  readonly Bindings: { readonly context: RequestContext };
}

/** The answer to an error. Must not reject. */
export type Refuse = (error: unknown, context: RequestContext) => Response | Promise<Response>;

/** The answers of one path by method; HEAD is answered as GET. */
export type Methods = Partial<
  Record<"GET" | "POST" | "OPTIONS", (c: Context<RouterEnv>) => Response | Promise<Response>>
>;

/**
 * Answers what matches `pattern` by `methods`, and any other method by 405. Answers and refusals are counted
 * with `route`.
 */
export function addRoute(
  app: Hono<RouterEnv>,
  pattern: string,
  methods: Methods,
  route = pattern,
): void {
  const allow = Object.keys(methods).join(", ").replace("GET", "GET, HEAD");
  app.all(pattern, (c) => {
    const { context } = c.env;
    context.route = route;
    const answer = methods[c.req.method as keyof Methods];
    return answer === undefined ? methodNotAllowed(context, allow) : answer(c);
  });
}

/** A 405 with the allowed methods. */
export function methodNotAllowed(context: RequestContext, allow: string): Response {
  const error = new CountersignError("method_not_allowed", `Method not allowed; use ${allow}`);
  return problemResponse(error, context, { headers: { Allow: allow } });
}

/** Routes requests through `app`. Rejects only if `refuse` does. */
export function routerOf<Env extends RouterEnv>(
  app: Hono<Env>,
  refuse: Refuse,
): (context: RequestContext) => Promise<Response> {
  app.notFound((c) =>
    refuse(new CountersignError("route_not_found", "No such route"), contextOf(c))
  );
  app.onError((error, c) => refuse(error, contextOf(c)));
  return async function route(context) {
    try {
      return await app.fetch(withPlainMethod(context.request), { context });
    } catch (error) {
      // hono does not catch values that are not an Error.
      return await refuse(error, context);
    }
  };
}

/** The handler of a server that is `app` alone. Never rejects. */
export function appHandler(
  app: Hono<RouterEnv>,
  refuse: Refuse,
  observer: RequestObserver | undefined,
): RequestHandler {
  return requestHandler(routerOf(app, refuse), observer);
}

function contextOf(c: { readonly env: RouterEnv["Bindings"] }): RequestContext {
  return c.env.context;
}
