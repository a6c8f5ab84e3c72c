/**
 * The operator listener: routes for operators and for peer networks. It shares no route with the public
 * listener. It sends no CORS headers, so pages of other origins cannot read its answers.
 *
 * @module
 */

import { type Context, Hono } from "hono";
import { CountersignError } from "../../base/errors.ts";
import { isLoopbackName, urlOf } from "../../proof/format/service_url.ts";
import { METRICS_MEDIA_TYPE } from "../metrics/prometheus_text.ts";
import { requireToken } from "../bearer_token.ts";
import { isFault, problemResponse } from "../problem.ts";
import type { RequestBudget } from "../request_budget.ts";
import { readinessResponse, type ReadinessWarning, type UnreadyReason } from "./readiness.ts";
import type { FaultReport } from "../problem.ts";
import { type RequestHandler, requestHandler, type RequestObserver } from "../request_context.ts";
import { pathOf } from "../request_path.ts";
import { addRoute, type RouterEnv, routerOf } from "../router.ts";

/** The parts of the operator listener. */
export interface OperatorAppOptions {
  /** What readers of `/ready` and `/metrics` must send. Absent only on loopback: everyone may read them. */
  readonly token?: string | undefined;
  readonly readiness: () => Promise<readonly UnreadyReason[]>;
  /** Problems that the operator should fix, but that leave the gateway ready; none when absent. */
  readonly warnings?: () => Promise<readonly ReadinessWarning[]>;
  /** The page of `GET /metrics`. */
  readonly metrics: () => Promise<string>;
  /** Registers the routes of peers. Absent if no peer is configured. */
  readonly addPeerRoutes?: (app: Hono<RouterEnv>) => void;
  /** Rate limit of each client, whether it has the token or not. No limit when absent. */
  readonly budget?: Pick<RequestBudget, "charge"> | undefined;
  readonly observer?: RequestObserver | undefined;
  readonly report: FaultReport;
}

/** The routes of the operator listener. */
export function operatorRoutes(
  { token, readiness, warnings, metrics, addPeerRoutes }: OperatorAppOptions,
): Hono<RouterEnv> {
  const app = new Hono<RouterEnv>({ getPath: pathOf });
  app.use(async (c, next) => {
    await next();
    c.res.headers.set("Cache-Control", "no-store");
    c.res.headers.set("X-Content-Type-Options", "nosniff");
  });
  const addRead = (path: string, answer: (c: Context<RouterEnv>) => Promise<Response>) =>
    addRoute(app, path, {
      GET(c) {
        authorizeRead(c.req.raw, token);
        return answer(c);
      },
    });
  addRead(
    "/ready",
    async (c) => readinessResponse(await readiness(), await warnings?.() ?? [], c.req.raw),
  );
  addRead(
    "/metrics",
    async () => new Response(await metrics(), { headers: { "Content-Type": METRICS_MEDIA_TYPE } }),
  );
  addPeerRoutes?.(app);
  return app;
}

/** The handler of the operator listener. Never rejects. */
export function operatorApp(options: OperatorAppOptions): RequestHandler {
  const { budget, observer, report } = options;
  const route = routerOf(operatorRoutes(options), (error, context) => {
    if (isFault(error)) report(error, context.id);
    return problemResponse(error, context);
  });
  return requestHandler(async (context) => {
    try {
      budget?.charge(context, 1);
    } catch (error) {
      return problemResponse(error, context);
    }
    return await route(context);
  }, observer);
}

/**
 * Without a token, the listener is on loopback only. A web page can still reach it by DNS rebinding: the
 * page's own host name resolves to this machine. The request then names the host of the page, so it is
 * refused unless the name is one of loopback.
 */
function authorizeRead({ url, headers }: Request, token: string | undefined): void {
  if (token !== undefined) return requireToken(headers, token);
  // `url` is invalid if the Host header is.
  if (isLoopbackName(urlOf(url)?.hostname ?? "")) return;
  throw new CountersignError(
    "token_required",
    "Without a configured token, ask by localhost or a loopback address",
  );
}
