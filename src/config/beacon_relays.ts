/**
 * The members `beacon` of an operator's files: the gateway's relays in `network.json`, and the
 * largest age that a witness accepts in `witness.json`.
 *
 * @module
 */

import { QUICKNET } from "../proof/crypto/drand.ts";
import { list, type Of, TEXT } from "../proof/format/schema.ts";
import { parseServiceUrl } from "../proof/format/service_url.ts";
import { integer, settings } from "./settings.ts";
import { invalid } from "./validation.ts";

/** Ten periods of quicknet, enough to retry a relay. */
export const DEFAULT_BEACON_AGE_SECONDS = 30;
/** Less would refuse the latest beacon while the next one is being published. */
const MIN_AGE_SECONDS = 2 * QUICKNET.periodSeconds;
const MAX_AGE_SECONDS = 86_400;
const MAX_RELAYS = 16;

const MAX_AGE = integer(
  MIN_AGE_SECONDS,
  MAX_AGE_SECONDS,
  "Maximum age of a beacon, in seconds before its round.",
);

/** The member `beacon` of `network.json`. */
export const BEACON_RELAYS = settings({
  relays: list(TEXT)
    .convert((relays, where, { insecure = false }) => {
      checkBeaconRelays(relays, { where, insecure });
      return relays;
    })
    .with({
      items: { type: "string", format: "uri" },
      minItems: 1,
      maxItems: MAX_RELAYS,
      description: "Relays of drand quicknet, in order of preference.",
    }),
  max_age_seconds: MAX_AGE.withDefault(DEFAULT_BEACON_AGE_SECONDS),
});

/** The relays of drand quicknet that a gateway uses. */
export type BeaconRelays = Of<typeof BEACON_RELAYS>;

/** The member `beacon` of `witness.json`. */
export const BEACON_AGE = settings({ max_age_seconds: MAX_AGE });

/** Requires 1 to 16 distinct URLs that are allowed; `invalid_configuration`. */
export function checkBeaconRelays(
  relays: readonly string[],
  { where = "beacon", insecure }: { readonly where?: string; readonly insecure: boolean },
): void {
  const hrefs = new Set(relays.map((relay) => parseServiceUrl(relay, { insecure }).href));
  if (relays.length >= 1 && relays.length <= MAX_RELAYS && hrefs.size === relays.length) return;
  throw invalid(where, `relays must be 1 to ${MAX_RELAYS} distinct URLs`);
}
