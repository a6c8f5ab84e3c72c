/**
 * The member `limits` of `network.json`: rate limits of each client.
 *
 * @module
 */

import type { Of } from "../proof/format/schema.ts";
import { addressRanges, atOnce, RATE, RATE_MEMBERS, TRUSTED_PROXIES } from "./client_budgets.ts";
import { settings } from "./settings.ts";

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
  trusted_networks: addressRanges("Clients that may open WebSockets on the clients' listener.")
    .withDefault(["127.0.0.0/8", "::1"]),
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
