/**
 * Routes about the gateway: health, configuration, admission, status and batches (protocol.md
 * "Configuration", "Admission", "Requests").
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import { CountersignError } from "../errors.ts";
import { publicConfig, publicNetwork } from "../format/public_network.ts";
import type { GatewayService } from "../gateway/service.ts";
import { constantAnswer, jsonAnswer } from "./answer.ts";
import { json } from "./endpoint.ts";
import { decimal, NO_PARAMETERS } from "./parameters.ts";
import type { AdmissionRules } from "./request_admission.ts";
import type { Routes } from "./routes.ts";
import { AdmissionOffer } from "./schema/admission.ts";
import { GatewayConfig, Health, Network, Status, Unhealthy } from "./schema/network.ts";
import { Batch } from "./schema/proofs.ts";
import { BATCHES_PER_READ } from "./work_cost.ts";

export const HEALTH_PATH = "/health";

const BATCHES_DEFAULT = 20;
const BATCHES_LIMIT = 100;

const PAGE_PARAMETERS = z.object({
  before: decimal("Only batches of an id below this", 1).optional(),
  limit: decimal(`How many at most; ${BATCHES_DEFAULT} when absent`, 1, BATCHES_LIMIT).optional(),
});

const BATCH_PARAMETER = z.object({ id: decimal("The closing tree size") });

/** Registers the routes of the service but admission. */
export function addServiceRoutes(routes: Routes, service: GatewayService): void {
  routes.add({
    id: "getHealth",
    method: "get",
    path: HEALTH_PATH,
    tag: "service",
    summary: "Ask whether the gateway is healthy",
    parameters: NO_PARAMETERS,
    caching: "never",
    answers: {
      200: json("It is", Health),
      503: json("It is not, and why", Unhealthy),
    },
    problems: [],
  }, () => {
    const status = service.health;
    return jsonAnswer({ status }, status === "ok" ? 200 : 503);
  });

  addConfigurationRoutes(routes, service);

  routes.add({
    id: "getStatus",
    method: "get",
    path: "/v1/status",
    tag: "service",
    summary: "Read how the witnesses and the queue are doing",
    parameters: NO_PARAMETERS,
    caching: "never",
    answers: { 200: json("The status", Status) },
    problems: [],
  }, async () => jsonAnswer({ ...await service.status(), ...await service.anchoring() }));

  addBatchRoutes(routes, service);
}

function addConfigurationRoutes(routes: Routes, service: GatewayService): void {
  const config = constantAnswer(jsonAnswer(publicConfig(service.network)));
  routes.add({
    id: "getConfig",
    method: "get",
    path: "/v1/config",
    tag: "service",
    summary: "Read the network's parameters, without keys",
    parameters: NO_PARAMETERS,
    caching: "revalidate",
    answers: { 200: json("The parameters", GatewayConfig) },
    problems: [],
  }, () => config);

  const network = constantAnswer(jsonAnswer(publicNetwork(service.network)));
  routes.add({
    id: "getNetwork",
    method: "get",
    path: "/v1/network",
    tag: "service",
    summary: "Read the network's public configuration",
    description: "An input to verification, not a trust decision: a verifier that may face an " +
      "untrusted gateway pins the configuration and does not take it from here.",
    parameters: NO_PARAMETERS,
    caching: "revalidate",
    answers: { 200: json("The configuration", Network) },
    problems: [],
  }, () => network);
}

function addBatchRoutes(routes: Routes, service: GatewayService): void {
  routes.add({
    id: "getBatches",
    method: "get",
    path: "/v1/batches",
    tag: "service",
    summary: "List batches, latest first",
    description: "The id of the last one listed is `before` of the next page.",
    parameters: PAGE_PARAMETERS,
    reads: ({ limit = BATCHES_DEFAULT }) => 1 + Math.ceil(limit / BATCHES_PER_READ),
    caching: "never",
    answers: { 200: json("The batches", z.array(Batch).max(BATCHES_LIMIT)) },
    problems: ["malformed_parameter"],
  }, async ({ before, limit = BATCHES_DEFAULT }) => {
    return jsonAnswer(await service.batches(before, limit));
  });

  routes.add({
    id: "getBatch",
    method: "get",
    path: "/v1/batches/{id}",
    tag: "service",
    summary: "Read a batch",
    parameters: BATCH_PARAMETER,
    caching: "immutable",
    answers: { 200: json("The batch", Batch) },
    problems: ["malformed_parameter", "batch_not_found"],
  }, async ({ id }) => {
    const batch = await service.batch(id);
    if (batch === undefined) {
      throw new CountersignError(
        "batch_not_found",
        "Unknown batch: no published batch has this id",
      );
    }
    return jsonAnswer(batch);
  });
}

/** Registers `GET /v1/admission`. */
export function addAdmissionRoute(routes: Routes, { mode, tokens }: AdmissionRules): void {
  routes.add({
    id: "getAdmission",
    method: "get",
    path: "/v1/admission",
    tag: "service",
    summary: "Read who may submit, and whose tokens are taken",
    description: "`open`: everybody. `token_optional`: everybody, and whoever brings a token for " +
      "each new hash beyond the limit of new attestations. `token_required`: whoever brings one. " +
      "A hash that was accepted before needs and spends no token. Tokens are those of Privacy " +
      "Pass (RFC 9577, RFC 9578); a client fetches them in advance for the challenge of an issuer.",
    parameters: NO_PARAMETERS,
    caching: "revalidate",
    answers: { 200: json("Mode and issuers", AdmissionOffer) },
    problems: [],
  }, () => jsonAnswer({ mode, issuers: tokens?.issuers.offers() ?? [] }));
}
