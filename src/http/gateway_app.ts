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
import type { Visit } from "./visit.ts";
import { type RequestObserver, type VisitHandler, visitHandler } from "./visit_handler.ts";

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
export function gatewayApp(options: GatewayAppOptions): VisitHandler {
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
  app.notFound((c) => refuse(routeNotFound(), c.env.visit));
  app.onError((error, c) => refuse(error, c.env.visit));

  function refuse(error: unknown, visit: Visit): Promise<Response> {
    const headers = hasCode(error, "token_required") ? challengeHeaders(admission) : {};
    return refusals.answer(error, visit, headers);
  }

  async function route(visit: Visit): Promise<Response> {
    const { request } = visit;
    try {
      const shown = answerPage(page, visit);
      return addCommonHeaders(await (shown ?? app.fetch(withPlainMethod(request), { visit })));
    } catch (error) {
      // What is thrown and is no Error passes by hono's own handler.
      return await refuse(error, visit);
    }
  }

  function answer(visit: Visit): Promise<Response> {
    try {
      if (limits?.enter(visit)) return refusals.hold(visit).then(() => route(visit));
    } catch (error) {
      return refuse(error, visit);
    }
    return answerHot(service, visit, admission)?.catch((error) => refuse(error, visit)) ??
      route(visit);
  }

  return visitHandler(answer, observer);
}

function routeNotFound(): CountersignError {
  return new CountersignError(
    "route_not_found",
    "Cannot answer: a known route required, found another",
  );
}
