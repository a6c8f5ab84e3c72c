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
import type { OperatorNetwork } from "../config/operator_network.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import type { RateLimits } from "../http/rate_limits.ts";
import type { AdmissionRules } from "../http/gateway/request_admission.ts";
import type { Report } from "../report.ts";
import { directoryFile } from "./data_paths.ts";
import { FollowedDirectory } from "./followed_directory.ts";
import { within } from "./within.ts";

/** On stop, how long a request for a directory may take. */
const STOP_FOLLOWING_MS = 1_000;

export interface AdmissionOptions {
  /** Absent if nothing is limited. */
  readonly limits: RateLimits | undefined;
  readonly dataFolder: string;
  readonly insecure: boolean;
  readonly report: Report;
}

/**
 * The rules of `operator`; `undefined` if every new hash is accepted. Follows the directories of issuers
 * in the background until the stack is disposed.
 */
export async function openAdmission(
  { admission, network }: OperatorNetwork,
  options: AdmissionOptions,
  opened: AsyncDisposableStack,
): Promise<AdmissionRules | undefined> {
  const { mode } = admission;
  const { limits } = options;
  const budget = limits && { budget: limits.newAttestations };
  if (mode === "open") return budget && { mode, ...budget };
  const issuers = new TokenIssuers(network.id, loadIssuers(admission), systemClock);
  for (const followed of followedIssuers(admission)) {
    await follow(followed, { ...options, issuers }, opened);
  }
  return { mode, tokens: new TokenCheck(issuers, systemClock), ...budget };
}

async function follow(
  { name, url }: FollowedIssuer,
  { issuers, dataFolder, insecure, report }: AdmissionOptions & { readonly issuers: TokenIssuers },
  opened: AsyncDisposableStack,
): Promise<void> {
  const follower = new IssuerFollower({
    ...{ name, issuers, report, clock: systemClock, random: Math.random },
    source: new FollowedDirectory({
      url: parseServiceUrl(url, { insecure }),
      path: directoryFile(dataFolder, name),
    }),
  });
  await follower.restore();
  const stop = new AbortController();
  const running = follower.run(stop.signal);
  opened.defer(() => {
    stop.abort();
    return within(STOP_FOLLOWING_MS, running);
  });
}
