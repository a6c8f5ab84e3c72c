/**
 * The operator listener: what operators read, and what peer networks send. None of its routes is a
 * client route, nor the reverse; pages of other origins are shown none of it.
 *
 * @module
 */

import { Hono, type MiddlewareHandler } from "hono";
import { CountersignError } from "../errors.ts";
import { isLoopbackName } from "../format/service_url.ts";
import { requireToken } from "./bearer_token.ts";
import { METRICS_MEDIA_TYPE } from "../telemetry/metrics_page.ts";
import { withPlainMethod } from "./plain_method.ts";
import { isFault, problemResponse } from "./problem.ts";
import { readinessResponse, type ReadinessWarning, type UnreadyReason } from "./readiness.ts";
import { pathOf } from "./request_path.ts";
import type { VisitBudget } from "./rate_limits.ts";
import type { RouterEnv } from "./routes.ts";
import {
  type RequestContext,
  type RequestHandler,
  requestHandler,
  type RequestObserver,
} from "./request_context.ts";

/** What the operators' server is made of. */
export interface OperatorAppOptions {
  /** Of `/ready` and `/metrics`; absent on loopback alone, where everyone may read them. */
  readonly token?: string;
  readonly readiness: () => Promise<readonly UnreadyReason[]>;
  /** What an operator should mend though it leaves the gateway ready; nothing when absent. */
  readonly warnings?: () => readonly ReadinessWarning[];
  /** The page of `GET /metrics`. */
  readonly metrics: () => Promise<string>;
  /** Registers what peers send; absent where there are none. */
  readonly addPeerRoutes?: (app: Hono<RouterEnv>) => void;
  /** How often each client may ask, whatever it shows; as often as it likes when absent. */
  readonly budget?: Pick<VisitBudget, "charge">;
  /** Told of each answer; of none when absent. */
  readonly observer?: RequestObserver;
  /** Told of every fault of ours ({@linkcode isFault}), with the id of the request that met it. */
  readonly report: (error: unknown, requestId: string) => void;
}

const READ_PATHS = ["/ready", "/metrics"] as const;

/** The handler of the operators' server. Never rejects. */
export function operatorApp(options: OperatorAppOptions): RequestHandler {
  const {
    token,
    readiness,
    warnings = () => [],
    metrics,
    addPeerRoutes,
    budget,
    observer,
    report,
  } = options;
  const app = new Hono<RouterEnv>({ getPath: pathOf });
  app.use(async (c, next) => {
    await next();
    c.res.headers.set("Cache-Control", "no-store");
    c.res.headers.set("X-Content-Type-Options", "nosniff");
  });
  const admitted = token === undefined ? localNameRequired : tokenRequired(token);
  for (const path of READ_PATHS) app.use(path, routed(path), admitted);
  app.get("/ready", async (c) => readinessResponse(await readiness(), warnings(), c.req.raw));
  app.get(
    "/metrics",
    async () => new Response(await metrics(), { headers: { "Content-Type": METRICS_MEDIA_TYPE } }),
  );
  for (const path of READ_PATHS) app.all(path, (c) => refuseMethod(c.env.context, "GET, HEAD"));
  addPeerRoutes?.(app);
  app.notFound((c) => problemResponse(routeNotFound(), c.env.context));
  app.onError((error, c) => answerTo(error, c.env.context, report));
  return requestHandler(async (context) => {
    try {
      budget?.charge(context, 1);
      return await app.fetch(withPlainMethod(context.request), { context });
    } catch (error) {
      // What is thrown and is no Error passes by hono's own handler.
      return answerTo(error, context, report);
    }
  }, observer);
}

/** What is asked of `path` is counted there, whoever is refused. */
function routed(path: string): MiddlewareHandler<RouterEnv> {
  return async function noteRoute(c, next) {
    c.env.context.route = path;
    await next();
  };
}

function tokenRequired(token: string): MiddlewareHandler<RouterEnv> {
  return async function checkToken(c, next) {
    requireToken(c.req.raw.headers, token);
    await next();
  };
}

/**
 * Without a token only this machine is answered, and a page that has its own name lead here (DNS
 * rebinding) asks from this machine: what it cannot have is a name that is ours.
 */
const localNameRequired: MiddlewareHandler<RouterEnv> = async (c, next) => {
  // Other methods are refused with 405, whoever asks.
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (isRead && !isLoopbackName(new URL(c.req.raw.url).hostname)) {
    throw new CountersignError(
      "token_required",
      "Cannot answer: a bearer token required for a name that is not of loopback, none configured",
    );
  }
  await next();
};

function answerTo(
  error: unknown,
  context: RequestContext,
  report: OperatorAppOptions["report"],
): Response {
  if (isFault(error)) report(error, context.id);
  return problemResponse(error, context);
}

function refuseMethod(context: RequestContext, allow: string): Response {
  const error = new CountersignError(
    "method_not_allowed",
    `Cannot answer: method ${allow} required, another found`,
  );
  return problemResponse(error, context, { headers: { Allow: allow } });
}

function routeNotFound(): CountersignError {
  return new CountersignError(
    "route_not_found",
    "Cannot answer: a route of operators or peers required, found another",
  );
}
