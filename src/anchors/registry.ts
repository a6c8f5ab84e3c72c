/**
 * The list of anchor providers.
 *
 * @module
 */

import { opentimestamps } from "./opentimestamps/provider.ts";
import type { AnchorProvider } from "./ports.ts";
import { rekor } from "./rekor/provider.ts";
import { rfc3161 } from "./rfc3161/provider.ts";

/** In the order of the help text. */
export const ANCHOR_PROVIDERS: readonly AnchorProvider[] = [
  rfc3161,
  opentimestamps,
  rekor,
];

export function providerNamed(
  name: string,
  providers: readonly AnchorProvider[] = ANCHOR_PROVIDERS,
): AnchorProvider | undefined {
  return providers.find((provider) => provider.name === name);
}
