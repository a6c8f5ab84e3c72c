/**
 * The gateway over HTTP: every client route of protocol.md "Routes", "Requests", "C2SP read
 * interface".
 *
 * @module
 */

import { Hono } from "hono";
import { hasCode } from "../../base/errors.ts";
import type { EventFeed } from "../../gateway/events/event_feed.ts";
import type { GatewayService } from "../../gateway/gateway_service.ts";
import type { ClientHoldings } from "../limits/holdings.ts";
import type { TimestampAuthority } from "../../gateway/timestamping/timestamp_authority.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";
import { addCommonHeaders } from "../answer.ts";
import { bulkAnswerQuota, type SubmissionParts } from "./attestation_handlers.ts";
import { addAttestationRoutes, addProofRoutes } from "./attestation_routes.ts";
import { addC2spRoutes } from "./c2sp_routes.ts";
import type { ApiKeys } from "../api_keys.ts";
import { addAsyncApiRoute } from "../reference/asyncapi_route.ts";
import { addEventRoutes } from "../events/events_routes.ts";
import { addEvidenceRoutes, NO_EVIDENCE, type PeerEvidence } from "./evidence_routes.ts";
import type { PageFiles } from "./explorer_assets.ts";
import { answerPage, pagePolicy } from "./explorer_routes.ts";
import { answerHot } from "./hot_path.ts";
import { addLogRoutes } from "./log_routes.ts";
import { addOpenApiRoute, openApiDocument } from "../reference/openapi_route.ts";
import type { RateLimits } from "../rate_limits.ts";
import { NETWORK } from "../schema/examples.ts";
import { Refusals } from "../refusals.ts";
import type { FaultReport } from "../problem.ts";
import { type AdmissionRules, challengeHeaders } from "./request_admission.ts";
import { pathOf } from "../request_path.ts";
import { type RouterEnv, routerOf } from "../router.ts";
import { Routes } from "../routes.ts";
import { whenReady } from "../../base/when_ready.ts";
import { addAdmissionRoute, addServiceRoutes } from "./service_routes.ts";
import { addTimestampRoutes } from "./timestamp_routes.ts";
import { readsOfUrl } from "../work_cost.ts";
import {
  type RequestContext,
  type RequestHandler,
  requestHandler,
  type RequestObserver,
} from "../request_context.ts";

const NO_PAGE: PageFiles = new Map();

const OPEN: AdmissionRules = { mode: "open" };

/** The parts of the gateway's client listener. */
export interface GatewayAppOptions {
  readonly service: GatewayService;
  /** For `POST /v1/verify`. */
  readonly verifier: VerifierCrypto;
  /** The conditions for new hashes; none when absent. */
  readonly admission?: AdmissionRules | undefined;
  /** Absent if clients need no API key. */
  readonly apiKeys?: ApiKeys | undefined;
  /** Evidence about peers; none when absent. */
  readonly evidence?: PeerEvidence | undefined;
  /** The explorer's page; not served when absent. */
  readonly page?: PageFiles;
  /** Absent if the gateway is no time-stamp authority. */
  readonly timestamps?: TimestampAuthority | undefined;
  /** The source of events; without it there are no event routes. */
  readonly events?: EventFeed;
  /** `ws://host:port` of the listener for event sockets, if there is one. */
  readonly eventSocketsUrl?: string | undefined;
  /** Rate limits of clients; none when absent. */
  readonly limits?: RateLimits | undefined;
  /** Counts the bytes of bulk answers with those of other fronts. */
  readonly bulkAnswerBytes?: ClientHoldings;
  readonly observer?: RequestObserver | undefined;
  readonly report: FaultReport;
}

/** The handler of a gateway's server. Neither throws nor rejects. */
export function gatewayApp(options: GatewayAppOptions): RequestHandler {
  const { service, admission, apiKeys, page = NO_PAGE, limits, observer, report } = options;
  const policy = pagePolicy(admission?.tokens?.issuers.urls ?? []);
  // Each resource has one spelling: the router sees the path as it was sent.
  const app = new Hono<RouterEnv>({ getPath: pathOf });
  const refusals = new Refusals(limits, report);
  const bulkAnswers = bulkAnswerQuota(options.bulkAnswerBytes);
  const submissions = { service, rules: admission, bulkAnswers };
  addRoutes(new Routes(app), submissions, options);
  const route = routerOf(app, refuse);

  function refuse(error: unknown, context: RequestContext): Promise<Response> {
    const headers = hasCode(error, "token_required")
      ? challengeHeaders(admission)
      : apiKeys?.challenge(error) ?? {};
    return refusals.answer(error, context, headers);
  }

  async function answerCold(context: RequestContext): Promise<Response> {
    try {
      context.charge(readsOfUrl(context.request.url.length));
      return addCommonHeaders(await (answerPage(page, context, policy) ?? route(context)));
    } catch (error) {
      return await refuse(error, context);
    }
  }

  function answer(context: RequestContext): Response | Promise<Response> {
    try {
      apiKeys?.identify(context);
      if (limits?.enter(context)) return refusals.delay(context).then(() => answerCold(context));
      apiKeys?.require(context);
      const answered = answerHot(submissions, context);
      if (answered instanceof Promise) return answered.catch((error) => refuse(error, context));
      return answered ?? answerCold(context);
    } catch (error) {
      return refuse(error, context);
    }
  }

  if (apiKeys === undefined) return requestHandler(answer, observer);
  return requestHandler(
    (context) => whenReady(answer(context), (response) => apiKeys.keepPrivate(context, response)),
    observer,
  );
}

function addRoutes(routes: Routes, submissions: SubmissionParts, options: GatewayAppOptions): void {
  const { service, verifier, admission = OPEN, evidence = NO_EVIDENCE } = options;
  const { events, limits, eventSocketsUrl, timestamps } = options;
  addAttestationRoutes(routes, submissions);
  addProofRoutes(routes, service, verifier);
  if (timestamps !== undefined) addTimestampRoutes(routes, submissions, timestamps);
  addLogRoutes(routes, service);
  addEvidenceRoutes(routes, evidence);
  addServiceRoutes(routes, service);
  addAdmissionRoute(routes, admission);
  addC2spRoutes(routes, service);
  if (events !== undefined) {
    addEventRoutes(routes, {
      feed: events,
      limits,
      socketsUrl: eventSocketsUrl,
    });
    addAsyncApiRoute(routes);
  }
  addOpenApiRoute(routes);
}

/** What `GET /openapi.json` answers at a gateway of an `ed25519` network. */
export function gatewayOpenApi() {
  const routes = new Routes(new Hono<RouterEnv>());
  // The routes are described, and never called.
  const service = { network: NETWORK } as unknown as GatewayService;
  const parts = { service, verifier: {}, events: {}, timestamps: {} } as GatewayAppOptions;
  addRoutes(routes, { service } as SubmissionParts, parts);
  return openApiDocument(routes.endpoints);
}
