/**
 * On what conditions a gateway takes new hashes, from its configuration.
 *
 * @module
 */

import { TokenCheck } from "../admission/token_check.ts";
import { TokenIssuers } from "../admission/token_issuers.ts";
import { systemClock } from "../clock.ts";
import { loadIssuers } from "../config/admission.ts";
import type { OperatorNetwork } from "../config/operator_network.ts";
import type { RateLimits } from "../http/rate_limits.ts";
import type { AdmissionRules } from "../http/request_admission.ts";
import type { Report } from "../report.ts";

/**
 * The rules of `operator`, `undefined` where every new hash is taken. Reads the keys of issuers; errors
 * as of {@linkcode loadIssuers}.
 */
export async function openAdmission(
  { admission, network }: OperatorNetwork,
  limits: RateLimits | undefined,
  report: Report,
): Promise<AdmissionRules | undefined> {
  const { mode } = admission;
  const budget = limits && { budget: limits.newAttestations };
  if (mode === "open") return budget && { mode, ...budget };
  const issuers = new TokenIssuers(network.id, await loadIssuers(admission, report), systemClock);
  return { mode, tokens: new TokenCheck(issuers, systemClock), ...budget };
}
