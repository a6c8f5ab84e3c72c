/**
 * The part that the servers of gateway, operators, witness and issuer share: one handler over a hono
 * application, with problems for unknown routes, other methods and errors.
 *
 * @module
 */

import type { Hono } from "hono";
import { CountersignError } from "../errors.ts";
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

/** Sets the route of requests for each of `paths`, so that refusals are counted with it. */
export function noteRoutes(app: Hono<RouterEnv>, paths: readonly string[]): void {
  for (const path of paths) {
    app.use(path, (c, next) => {
      c.env.context.route = path;
      return next();
    });
  }
}

/** Answers 405 to the methods that `path` has no handler for. Call after its handlers are added. */
export function refuseOtherMethods(app: Hono<RouterEnv>, path: string, allow: string): void {
  app.all(path, (c) => methodNotAllowed(c.env.context, allow));
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
