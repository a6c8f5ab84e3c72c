/**
 * The gateway over HTTP: every client route of protocol.md "Routes", "Requests", "C2SP read
 * interface".
 *
 * @module
 */

import { OpenAPIHono } from "@hono/zod-openapi";
import { CountersignError, hasCode } from "../errors.ts";
import type { EventFeed } from "../gateway/event_feed.ts";
import type { GatewayService } from "../gateway/service.ts";
import type { VerifierCrypto } from "../verify/verifier_crypto.ts";
import { addAdmissionRoute } from "./admission_routes.ts";
import { addAttestationRoutes, addProofRoutes } from "./attestation_routes.ts";
import { addC2spRoutes } from "./c2sp_routes.ts";
import { addCommonHeaders } from "./common_headers.ts";
import { addAsyncApiRoute, asyncApiDocument } from "./asyncapi_route.ts";
import { addEventRoutes } from "./events_routes.ts";
import { addEvidenceRoutes, NO_EVIDENCE, type PeerEvidence } from "./evidence_routes.ts";
import type { PageFiles } from "./explorer_assets.ts";
import { answerPage } from "./explorer_routes.ts";
import { answerHot } from "./hot_path.ts";
import { addLogRoutes } from "./log_routes.ts";
import { addOpenApiRoute, openApiDocument } from "./openapi_route.ts";
import { withPlainMethod } from "./plain_method.ts";
import type { RateLimits } from "./rate_limits.ts";
import { addReferenceRoutes } from "./reference_routes.ts";
import { Refusals } from "./refusals.ts";
import { type AdmissionRules, challengeHeaders } from "./request_admission.ts";
import { pathOf } from "./request_path.ts";
import { type RouterEnv, Routes } from "./routes.ts";
import { addServiceRoutes } from "./service_routes.ts";
import {
  type RequestContext,
  type RequestHandler,
  requestHandler,
  type RequestObserver,
} from "./request_context.ts";

const NO_PAGE: PageFiles = new Map();

const OPEN: AdmissionRules = { mode: "open" };

/** What the gateway's server is made of. */
export interface GatewayAppOptions {
  readonly service: GatewayService;
  /** What `POST /v1/verify` computes with. */
  readonly verifier: VerifierCrypto;
  /** On what conditions new hashes are taken; on none when absent. */
  readonly admission?: AdmissionRules;
  /** What is known of peers; nothing when absent. */
  readonly evidence?: PeerEvidence;
  /** The explorer's page; not served when absent. */
  readonly page?: PageFiles;
  /** What happens to the log; its routes are there where this is. */
  readonly events?: EventFeed;
  /** Port of the listener for event sockets; absent where there is none. */
  readonly eventSocketsPort?: number;
  /** What each client may ask; as much as it likes when absent. */
  readonly limits?: RateLimits;
  /** Told of each answer; of none when absent. */
  readonly observer?: RequestObserver;
  /** Told of every fault of ours ({@linkcode isFault}), with the id of the request that met it. */
  readonly report: (error: unknown, requestId: string) => void;
}

/** The handler of a gateway's server. Neither throws nor rejects. */
export function gatewayApp(options: GatewayAppOptions): RequestHandler {
  const { service, verifier, evidence = NO_EVIDENCE, page = NO_PAGE, events, report } = options;
  const { admission, limits, observer, eventSocketsPort } = options;
  // One resource has one spelling: the router sees the path as it was sent.
  const app = new OpenAPIHono<RouterEnv>({ getPath: pathOf });
  const routes = new Routes(app);
  const refusals = new Refusals(limits, report);
  addAttestationRoutes(routes, service, admission);
  addProofRoutes(routes, service, verifier);
  addLogRoutes(routes, service);
  addEvidenceRoutes(routes, evidence);
  addServiceRoutes(routes, service);
  addAdmissionRoute(routes, admission ?? OPEN);
  addC2spRoutes(routes, service);
  if (events !== undefined) {
    addEventRoutes(routes, {
      feed: events,
      ...(limits !== undefined && { limits }),
      ...(eventSocketsPort !== undefined && { socketsPort: eventSocketsPort }),
    });
    addAsyncApiRoute(routes);
  }
  addReferenceRoutes(routes, () => ({
    openApi: { ...openApiDocument(app) },
    ...(events !== undefined && { asyncApi: { ...asyncApiDocument() } }),
  }));
  addOpenApiRoute(routes, app);
  app.notFound((c) => refuse(routeNotFound(), c.env.context));
  app.onError((error, c) => refuse(error, c.env.context));

  function refuse(error: unknown, context: RequestContext): Promise<Response> {
    const headers = hasCode(error, "token_required") ? challengeHeaders(admission) : {};
    return refusals.answer(error, context, headers);
  }

  async function route(context: RequestContext): Promise<Response> {
    const { request } = context;
    try {
      const shown = answerPage(page, context);
      return addCommonHeaders(await (shown ?? app.fetch(withPlainMethod(request), { context })));
    } catch (error) {
      // What is thrown and is no Error passes by hono's own handler.
      return await refuse(error, context);
    }
  }

  function answer(context: RequestContext): Promise<Response> {
    try {
      if (limits?.enter(context)) return refusals.hold(context).then(() => route(context));
    } catch (error) {
      return refuse(error, context);
    }
    return answerHot(service, context, admission)?.catch((error) => refuse(error, context)) ??
      route(context);
  }

  return requestHandler(answer, observer);
}

function routeNotFound(): CountersignError {
  return new CountersignError(
    "route_not_found",
    "Cannot answer: a known route required, found another",
  );
}
