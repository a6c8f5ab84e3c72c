/**
 * The members `beacon` of an operator's files: in `network.json` where the gateway finds beacons, and
 * in `witness.json` which ones a witness demands.
 *
 *     "beacon": {"relays": [url ...], "max_age_seconds"?}         network.json
 *     "beacon": {"max_age_seconds"}                               witness.json
 *
 * @module
 */

import { QUICKNET } from "../crypto/drand.ts";
import { CountersignError } from "../errors.ts";
import type { Fields } from "../format/fields.ts";
import { parseServiceUrl } from "../format/service_url.ts";

/** Where a gateway finds beacons of drand quicknet. */
export interface BeaconRelays {
  /** URLs of drand's HTTP API, the first asked first; at least one, distinct. */
  readonly relays: readonly string[];
  /** The most seconds by which a beacon may be older than a round that it stands in. */
  readonly maxAgeSeconds: number;
}

/** Ten periods of quicknet: a relay that is asked again has the time to answer. */
export const DEFAULT_BEACON_AGE_SECONDS = 30;

/** Fewer would refuse the latest beacon there is, while the next one is under way. */
const MIN_AGE_SECONDS = 2 * QUICKNET.periodSeconds;
const MAX_AGE_SECONDS = 86_400;
const MAX_RELAYS = 16;

/** The member `beacon` of `network.json`, `undefined` where there is none. `invalid_configuration`. */
export function readBeaconRelays(
  network: Fields,
  options: { readonly insecure: boolean },
): BeaconRelays | undefined {
  if (!network.has("beacon")) return undefined;
  const fields = network.object("beacon", ["relays"], { optional: ["max_age_seconds"] });
  const relays = fields.texts("relays");
  checkBeaconRelays(relays, options);
  const maxAgeSeconds = fields.has("max_age_seconds")
    ? readAge(fields)
    : DEFAULT_BEACON_AGE_SECONDS;
  return { relays, maxAgeSeconds };
}

/** `invalid_configuration` unless `relays` are URLs that a gateway may ask, distinct and not many. */
export function checkBeaconRelays(
  relays: readonly string[],
  options: { readonly insecure: boolean },
): void {
  const hrefs = new Set(relays.map((relay) => parseServiceUrl(relay, options).href));
  if (relays.length >= 1 && relays.length <= MAX_RELAYS && hrefs.size === relays.length) return;
  throw invalid(`1 to ${MAX_RELAYS} distinct relays of beacons`, `${hrefs.size} of these`);
}

/** Seconds in the member `beacon` of `witness.json`, `undefined` where there is none. */
export function readBeaconAge(node: Fields): number | undefined {
  return node.has("beacon") ? readAge(node.object("beacon", ["max_age_seconds"])) : undefined;
}

function readAge(fields: Fields): number {
  const age = fields.count("max_age_seconds");
  if (age >= MIN_AGE_SECONDS && age <= MAX_AGE_SECONDS) return age;
  throw invalid(
    `max_age_seconds of beacons from ${MIN_AGE_SECONDS} to ${MAX_AGE_SECONDS}`,
    String(age),
  );
}

function invalid(required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot use beacons: ${required} required, found ${found}`,
  );
}
