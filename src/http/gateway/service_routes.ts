/**
 * Health, configuration, admission, status and batches (protocol.md
 * "Configuration", "Admission", "Requests").
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import { ADMISSION_OFFER } from "../../proof/format/admission_offer.ts";
import { BATCH } from "../../proof/format/bundle.ts";
import { GATEWAY_STATUS, isHealthy } from "../../proof/format/gateway_status.ts";
import {
  GATEWAY_CONFIG,
  PUBLIC_NETWORK,
  publicConfig,
  publicNetwork,
} from "../../proof/format/public_network.ts";
import { list, object } from "../../proof/format/schema.ts";
import { SUCCESSION_CHAIN } from "../../proof/format/succession.ts";
import type { GatewayService } from "../../gateway/gateway_service.ts";
import { JSON_MEDIA_TYPE, jsonAnswer } from "../answer.ts";
import { json } from "../endpoint.ts";
import { decimal, NO_PARAMETERS } from "../parameters.ts";
import { epochAnswer } from "./epoch_answer.ts";
import type { AdmissionRules } from "./request_admission.ts";
import type { Routes } from "../routes.ts";
import { HEALTH, UNHEALTHY } from "../schema/opinion.ts";
import { BATCHES_PER_READ } from "../work_cost.ts";

export const HEALTH_PATH = "/health";

const BATCHES_DEFAULT = 20;
const BATCHES_LIMIT = 100;

const PAGE_PARAMETERS = object({
  before: decimal("Only batches with a lower id", 1).optional(),
  limit: decimal(`Maximum number of batches; ${BATCHES_DEFAULT} by default`, 1, BATCHES_LIMIT)
    .optional(),
});

const BATCH_PARAMETER = object({ id: decimal("Size of the closing tree head") });

/** Registers all these routes except admission. */
export function addServiceRoutes(routes: Routes, service: GatewayService): void {
  routes.add({
    id: "getHealth",
    method: "get",
    path: HEALTH_PATH,
    tag: "service",
    summary: "Check the health of the gateway",
    parameters: NO_PARAMETERS,
    caching: "never",
    answers: {
      200: json("The gateway accepts hashes; `degraded`: too few witnesses answer", HEALTH),
      503: json("The gateway is unhealthy; `status` says why", UNHEALTHY),
    },
    problems: [],
  }, () => {
    const status = service.status.health;
    return jsonAnswer({ status }, isHealthy(status) ? 200 : 503);
  });

  addConfigurationRoutes(routes, service);

  routes.add({
    id: "getStatus",
    method: "get",
    path: "/v1/status",
    tag: "service",
    summary: "Read the status of witnesses, queue and anchoring",
    parameters: NO_PARAMETERS,
    caching: "never",
    answers: { 200: json("The status", GATEWAY_STATUS) },
    problems: [],
  }, async () => jsonAnswer({ ...service.status.resource(), ...await service.status.anchoring() }));

  addBatchRoutes(routes, service);
}

function addConfigurationRoutes(routes: Routes, service: GatewayService): void {
  const config = epochAnswer(service, ({ network }) => jsonAnswer(publicConfig(network)));
  routes.add({
    id: "getConfig",
    method: "get",
    path: "/v1/config",
    tag: "service",
    summary: "Read the network's parameters, without keys",
    parameters: NO_PARAMETERS,
    caching: "revalidate",
    answers: { 200: json("The parameters", GATEWAY_CONFIG) },
    problems: [],
  }, config);

  routes.add(
    {
      id: "getNetwork",
      method: "get",
      path: "/v1/network",
      tag: "service",
      summary: "Read the network's public configuration",
      description:
        "An input to verification, not a trust decision. Verifiers that do not trust the " +
        "gateway pin the configuration instead of fetching it here. After a succession it carries " +
        "the links that lead to it, so that proofs of earlier epochs verify with it.",
      parameters: NO_PARAMETERS,
      caching: "revalidate",
      answers: { 200: json("The configuration", PUBLIC_NETWORK) },
      problems: [],
    },
    epochAnswer(service, ({ network, links }) => jsonAnswer(publicNetwork({ ...network, links }))),
  );

  routes.add({
    id: "getSuccession",
    method: "get",
    path: "/v1/succession",
    tag: "service",
    summary: "Read the links that lead from the first configuration to the present one",
    description:
      "Each link is signed by the threshold of the configuration that it ends. A verifier that has " +
      "pinned any of the configurations follows the links to all others. Empty in epoch 0.",
    parameters: NO_PARAMETERS,
    caching: "revalidate",
    answers: { 200: json("The links", SUCCESSION_CHAIN.with({ example: [] })) },
    problems: [],
  }, () => ({ body: service.epochs.chainJson, mediaType: JSON_MEDIA_TYPE }));
}

function addBatchRoutes(routes: Routes, service: GatewayService): void {
  routes.add({
    id: "getBatches",
    method: "get",
    path: "/v1/batches",
    tag: "service",
    summary: "List batches, latest first",
    description: "For the next page, set `before` to the id of the last batch listed.",
    parameters: PAGE_PARAMETERS,
    reads: ({ limit = BATCHES_DEFAULT }) => 1 + Math.ceil(limit / BATCHES_PER_READ),
    caching: "never",
    answers: { 200: json("The batches", list(BATCH, 0, BATCHES_LIMIT)) },
    problems: ["malformed_parameter"],
  }, async ({ before, limit = BATCHES_DEFAULT }) => {
    return jsonAnswer(await service.log.batches(before, limit));
  });

  routes.add({
    id: "getBatch",
    method: "get",
    path: "/v1/batches/{id}",
    tag: "service",
    summary: "Read a batch",
    parameters: BATCH_PARAMETER,
    caching: "immutable",
    answers: { 200: json("The batch", BATCH) },
    problems: ["malformed_parameter", "batch_not_found"],
  }, async ({ id }) => {
    const batch = await service.log.batch(id);
    if (batch === undefined) {
      throw new CountersignError(
        "batch_not_found",
        "Unknown batch",
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
    summary: "Read the admission mode and the accepted token issuers",
    description:
      "`open`: no tokens. `token_optional`: a token for each new hash exempts the request " +
      "from the limit on new attestations. `token_required`: each new hash needs a token. A known " +
      "hash never spends a token. Tokens are Privacy Pass tokens (RFC 9577, RFC 9578), which " +
      "clients fetch in advance for the challenge of an issuer.",
    parameters: NO_PARAMETERS,
    caching: "revalidate",
    answers: { 200: json("Mode and issuers", ADMISSION_OFFER) },
    problems: [],
  }, () => jsonAnswer({ mode, issuers: tokens?.issuers.offers() ?? [] }));
}
