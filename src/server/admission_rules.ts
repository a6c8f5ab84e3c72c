/**
 * On what conditions a gateway takes new hashes, from its configuration.
 *
 * @module
 */

import { IssuerFollower } from "../admission/issuer_follower.ts";
import { TokenCheck } from "../admission/token_check.ts";
import { TokenIssuers } from "../admission/token_issuers.ts";
import { systemClock } from "../clock.ts";
import { type FollowedIssuer, followedIssuers, loadIssuers } from "../config/admission.ts";
import type { OperatorNetwork } from "../config/operator_network.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import type { RateLimits } from "../http/rate_limits.ts";
import type { AdmissionRules } from "../http/request_admission.ts";
import type { Report } from "../report.ts";
import { directoryFile } from "./data_places.ts";
import { FollowedDirectory } from "./followed_directory.ts";
import { within } from "./within.ts";

/** Milliseconds that a directory that is being asked for has once the gateway was told to stop. */
const STOP_FOLLOWING_MS = 1_000;

/** What the rules are made with. */
export interface AdmissionOptions {
  /** Absent where nothing is limited. */
  readonly limits: RateLimits | undefined;
  readonly dataFolder: string;
  readonly insecure: boolean;
  readonly report: Report;
}

/**
 * The rules of `operator`, `undefined` where every new hash is taken. Reads the keys of issuers; errors
 * as of {@linkcode loadIssuers}. Issuers that are to be followed are, until the stack is disposed of;
 * nobody waits for them.
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
