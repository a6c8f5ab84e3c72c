/**
 * The members `beacon` of an operator's files: the gateway's relays in `network.json`, and the
 * largest age that a witness accepts in `witness.json`.
 *
 *     "beacon": {"relays": [url ...], "max_age_seconds"?}         network.json
 *     "beacon": {"max_age_seconds"}                               witness.json
 *
 * @module
 */

import { QUICKNET } from "../crypto/drand.ts";
import type { Fields } from "../format/fields.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import { type Member, type Members, namesOf, optional, required } from "./members.ts";
import { invalid, optionalIntegerIn } from "./validation.ts";

/** The relays of drand quicknet that a gateway uses. */
export interface BeaconRelays {
  /** Distinct URLs of drand's HTTP API, in order of preference; at least one. */
  readonly relays: readonly string[];
  /** Maximum age of a beacon, in seconds before its round. */
  readonly maxAgeSeconds: number;
}

/** Ten periods of quicknet, enough to retry a relay. */
export const DEFAULT_BEACON_AGE_SECONDS = 30;

/** Less would refuse the latest beacon while the next one is being published. */
const MIN_AGE_SECONDS = 2 * QUICKNET.periodSeconds;
const MAX_AGE_SECONDS = 86_400;
const MAX_RELAYS = 16;

const RELAYS_MEMBERS: Members = {
  relays: required("list of 1 to 16 URLs", "Relays of drand quicknet, in order of preference."),
  max_age_seconds: optional(
    `${MIN_AGE_SECONDS} to ${MAX_AGE_SECONDS}`,
    "Maximum age of a beacon, in seconds before its round.",
    { standard: DEFAULT_BEACON_AGE_SECONDS },
  ),
};

/** The member `beacon` of `network.json`. */
export const BEACON_RELAYS: Member = optional("object", "Rounds carry a beacon of drand.", {
  members: RELAYS_MEMBERS,
});

const AGE_MEMBERS: Members = {
  max_age_seconds: required(
    `${MIN_AGE_SECONDS} to ${MAX_AGE_SECONDS}`,
    "Maximum age of a beacon, in seconds before its round.",
  ),
};

/** The member `beacon` of `witness.json`. */
export const BEACON_AGE: Member = optional(
  "object",
  "Refuse rounds without a beacon. Without it, beacons are optional.",
  { members: AGE_MEMBERS },
);

/** The member `beacon` of `network.json`, `undefined` if absent. `invalid_configuration`. */
export function readBeaconRelays(
  network: Fields,
  options: { readonly insecure: boolean },
): BeaconRelays | undefined {
  if (!network.has("beacon")) return undefined;
  const fields = network.object("beacon", ...namesOf(RELAYS_MEMBERS));
  const relays = fields.texts("relays");
  checkBeaconRelays(relays, options);
  return { relays, maxAgeSeconds: readAge(fields) ?? DEFAULT_BEACON_AGE_SECONDS };
}

/** Requires 1 to 16 distinct URLs that are allowed; `invalid_configuration`. */
export function checkBeaconRelays(
  relays: readonly string[],
  options: { readonly insecure: boolean },
): void {
  const hrefs = new Set(relays.map((relay) => parseServiceUrl(relay, options).href));
  if (relays.length >= 1 && relays.length <= MAX_RELAYS && hrefs.size === relays.length) return;
  throw invalid("beacon", `relays must be 1 to ${MAX_RELAYS} distinct URLs`);
}

/** Seconds in the member `beacon` of `witness.json`, `undefined` if absent. */
export function readBeaconAge(node: Fields): number | undefined {
  return node.has("beacon") ? readAge(node.object("beacon", ...namesOf(AGE_MEMBERS))) : undefined;
}

function readAge(fields: Fields): number | undefined {
  return optionalIntegerIn(fields, "max_age_seconds", MIN_AGE_SECONDS, MAX_AGE_SECONDS);
}
