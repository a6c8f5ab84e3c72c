/**
 * Schemas of the members `limits`, which those of a gateway and of a witness share.
 *
 * @module
 */

import { type IpRange, parseIpRange } from "../proof/format/ip_address.ts";
import { TEXT } from "../proof/format/schema.ts";
import { atMost, integer, settings } from "./settings.ts";
import { invalid } from "./validation.ts";

/** Replaces the limits in a file without limits. */
export const NO_LIMITS = "off";

const MOST = 1_000_000;
const MAX_RANGES = 64;

const IP_RANGE = TEXT.convert((text, where): IpRange => {
  const range = parseIpRange(text);
  if (range !== undefined) return range;
  throw invalid(
    where,
    `${JSON.stringify(text.slice(0, 60))} is neither an address nor a range ` +
      "such as 10.0.0.0/8 without host bits",
  );
}).with({ title: "address or CIDR range" });

/** A list of ranges. */
export function addressRanges(description: string) {
  return atMost(MAX_RANGES, IP_RANGE, description)
    .with({ title: "list of addresses and CIDR ranges" });
}

/** The operator's proxies, which name the client of each request. */
export const TRUSTED_PROXIES = addressRanges("Proxies whose X-Forwarded-For names the client.")
  .withDefault([]);

/** Members of a budget. */
export const RATE_MEMBERS = {
  per_second: integer(1, MOST, "How much is refilled in a second."),
  burst: integer(1, MOST, "How much a full budget holds."),
} as const;

/** A number of requests or streams at once. */
export function atOnce(description: string) {
  return integer(1, MOST, description);
}

export const RATE = settings(RATE_MEMBERS);
