/**
 * The member `limits` of `network.json`: rate limits of each client.
 *
 * @module
 */

import { type IpRange, parseIpRange } from "../proof/format/ip_address.ts";
import { type Of, TEXT } from "../proof/format/schema.ts";
import { atMost, integer, settings } from "./settings.ts";
import { invalid } from "./validation.ts";

/** Replaces the limits in a file without limits. */
export const NO_LIMITS = "off";

const MOST = 1_000_000;
const MAX_RANGES = 64;

const RANGES = "list of addresses and CIDR ranges";
const IP_RANGE = TEXT.convert((text, where): IpRange => {
  const range = parseIpRange(text);
  if (range !== undefined) return range;
  throw invalid(
    where,
    `${JSON.stringify(text.slice(0, 60))} is neither an address nor a range ` +
      "such as 10.0.0.0/8 without host bits",
  );
}).with({ title: "address or CIDR range" });

/** The operator's proxies, which name the client of each request. */
export const TRUSTED_PROXIES = atMost(
  MAX_RANGES,
  IP_RANGE,
  "Proxies whose X-Forwarded-For names the client.",
).with({ title: RANGES }).withDefault([]);

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

/**
 * The member `limits` of `network.json`: budgets of each client.
 *
 * - A folder of 10,000 files can be stamped at once, with its bundles. One abuser then adds 100 leaves
 *   a second to a log that takes 20,000.
 * - An outside auditor of a long log reads 100 tiles, or 6,400 entries, a second. A flood takes a
 *   hundredth of the processor.
 * - An office behind one address opens its pages without waiting. A page that lost its stream
 *   reconnects every two seconds.
 * - A scrape and a probe are a few requests a second, and so are guesses of tokens.
 */
export const CLIENT_LIMITS = settings({
  trusted_proxies: TRUSTED_PROXIES,
  // They may use what the runtime does not bound: its WebSockets.
  trusted_networks: atMost(
    MAX_RANGES,
    IP_RANGE,
    "Clients that may open WebSockets on the clients' listener.",
  ).with({ title: RANGES }).withDefault(["127.0.0.0/8", "::1"]),
  new_attestations: RATE.with({ description: "Budget of each client for new hashes." })
    .withDefault({ per_second: 100, burst: 10_000 }),
  reads: RATE.with({ description: "Budget of each client for all other requests." })
    .withDefault({ per_second: 200, burst: 10_000 }),
  event_streams: settings({ ...RATE_MEMBERS, open: atOnce("Most streams of a client at once.") })
    .with({ description: "Budget of each client for event streams." })
    .withDefault({ per_second: 1, burst: 30, open: 64 }),
  // Charged before the token is checked.
  operator: RATE.with({ description: "Budget of each client of the operator listener." })
    .withDefault({ per_second: 20, burst: 100 }),
});

/** Rate limits of each client. */
export type ClientLimits = Of<typeof CLIENT_LIMITS>;

export const DEFAULT_CLIENT_LIMITS: ClientLimits = CLIENT_LIMITS.parse({}, {
  where: "limits",
  code: "malformed_configuration",
});
