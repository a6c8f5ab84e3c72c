/**
 * The member `limits` of `witness.json`: rate limits of each client that does not send the token.
 *
 * @module
 */

import type { Of } from "../proof/format/schema.ts";
import { atOnce, RATE_MEMBERS, TRUSTED_PROXIES } from "./client_budgets.ts";
import { integer, settings } from "./settings.ts";

export const MOST_PER_DAY = 1_000_000_000_000;

/**
 * The member `limits` of `witness.json`. By default: a log that publishes each second sends one request a
 * second, and one address may send the checkpoints of twenty logs. A flood from one address takes less
 * than a hundredth of the processor.
 */
export const WITNESS_LIMITS = settings({
  trusted_proxies: TRUSTED_PROXIES,
  add_checkpoint: settings({ ...RATE_MEMBERS, in_flight: atOnce("Most requests at once.") })
    .with({ description: "Budget of each client for checkpoints to cosign." })
    .withDefault({ per_second: 20, burst: 200, in_flight: 16 }),
  per_log: settings({
    queries_per_day: integer(
      1,
      MOST_PER_DAY,
      "Larger heads of one log to cosign in a day (UTC), unless the log's entry has a number.",
    ).optional(),
    bytes_per_day: integer(1, MOST_PER_DAY, "Bytes of the requests for these.").optional(),
  }).with({
    description:
      "Quotas of each log besides `network_id`. A log that has used one up gets 429 until the next day.",
  }).withDefault({}),
});

/** Rate limits of each client that does not send the witness's token. */
export type WitnessLimits = Of<typeof WITNESS_LIMITS>;
