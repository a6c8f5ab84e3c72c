/**
 * The rules by which a gateway accepts new hashes, from its configuration.
 *
 * @module
 */

import { IssuerFollower } from "../tokens/issuer_follower.ts";
import { TokenCheck } from "../tokens/token_check.ts";
import { TokenIssuers } from "../tokens/token_issuers.ts";
import { systemClock } from "../clock.ts";
import { type FollowedIssuer, followedIssuers, loadIssuers } from "../config/admission.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import type { RateLimits } from "../http/rate_limits.ts";
import type { AdmissionRules } from "../http/gateway/request_admission.ts";
import { directoryFile } from "./data_paths.ts";
import type { GatewayRun } from "./gateway_run.ts";
import { FollowedDirectory } from "./followed_directory.ts";
import { runInBackground } from "./background.ts";

/** On stop, how long a request for a directory may take. */
const STOP_FOLLOWING_MS = 1_000;

/**
 * The rules; `undefined` if every new hash is accepted. Follows the directories of issuers
 * in the background until the gateway stops.
 */
export async function openAdmission(
  run: GatewayRun,
  limits: RateLimits | undefined,
): Promise<AdmissionRules | undefined> {
  const { admission, network } = run.operator;
  const { mode } = admission;
  const budget = limits && { budget: limits.newAttestations };
  if (mode === "open") return budget && { mode, ...budget };
  const issuers = new TokenIssuers(network.id, loadIssuers(admission), systemClock);
  for (const followed of followedIssuers(admission)) await follow(followed, issuers, run);
  return { mode, tokens: new TokenCheck(issuers, systemClock), ...budget };
}

async function follow(
  { name, url }: FollowedIssuer,
  issuers: TokenIssuers,
  { options: { insecure }, paths, report, opened }: GatewayRun,
): Promise<void> {
  const follower = new IssuerFollower({
    ...{ name, issuers, report, clock: systemClock, random: Math.random },
    source: new FollowedDirectory({
      url: parseServiceUrl(url, { insecure }),
      path: directoryFile(paths.dataFolder, name),
    }),
  });
  await follower.restore();
  runInBackground(opened, STOP_FOLLOWING_MS, (signal) => follower.run(signal));
}
