/**
 * The bundle of a hash with the verdict of this browser.
 *
 * @module
 */

import type { ProofBundle } from "../format/bundle.ts";
import { verifyBundle } from "../verify/bundle.ts";
import type { Verdict } from "../verify/verdict.ts";
import type { Services } from "./services.ts";
import { type TrustInUse, trustInUse } from "./trust_in_use.ts";

/** A bundle as it came, what it says, and what was verified of it. */
export interface CheckedBundle {
  readonly text: string;
  readonly bundle: ProofBundle;
  readonly verdict: Verdict;
  readonly trust: TrustInUse;
}

/** Rejects with the gateway's refusal while the hash is not signed. */
export async function checkedBundle(
  services: Pick<Services, "api" | "crypto" | "trust">,
  hash: string,
  signal: AbortSignal,
): Promise<CheckedBundle> {
  const [trust, { text, value: bundle }, crypto] = await Promise.all([
    trustInUse(services, signal),
    services.api.bundle(hash, signal),
    services.crypto.crypto(),
  ]);
  return { text, bundle, verdict: await verifyBundle(crypto, trust, bundle, { hash }), trust };
}
