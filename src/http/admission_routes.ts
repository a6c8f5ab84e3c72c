/**
 * Who may submit, for clients that have to bring tokens.
 *
 * @module
 */

import type { AdmissionRules } from "./request_admission.ts";
import { jsonAnswer } from "./answer.ts";
import { json } from "./endpoint.ts";
import { NO_PARAMETERS } from "./parameters.ts";
import type { Routes } from "./routes.ts";
import { AdmissionOffer } from "./schema/admission.ts";

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
