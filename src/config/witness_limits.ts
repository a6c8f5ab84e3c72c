/**
 * The member `limits` of `witness.json`: rate limits of each client that does not send the token.
 *
 *     "limits": {"trusted_proxies"?: ["10.0.0.0/8", ...],
 *                "add_checkpoint"?: {"per_second", "burst", "in_flight"},
 *                "per_log"?: {"queries_per_day"?, "bytes_per_day"?}}
 *     "limits": "off"
 *
 * @module
 */

import type { LogQuota } from "../limits/log_quotas.ts";
import type { Rate } from "../limits/token_buckets.ts";
import type { Fields } from "../format/fields.ts";
import type { IpRange } from "../format/ip_address.ts";
import {
  atLeastOne,
  budgetText,
  NO_LIMITS,
  rangesOf,
  RATE_MEMBERS,
  rateOf,
  TRUSTED_PROXIES,
} from "./gateway_limits.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import { optionalIntegerIn } from "./validation.ts";

/** Rate limits of each client that does not send the witness's token. */
export interface WitnessLimits {
  /** The operator's proxies, which name the client of each request. */
  readonly trustedProxies: readonly IpRange[];
  /** Checkpoints to cosign: rate, and how many at once. */
  readonly addCheckpoint: Rate & { readonly inFlight: number };
  /** Quota of each log but the witness's own. */
  readonly perLog: LogQuota;
}

/**
 * The default. A log that publishes each second sends one request a second, and one address may send the
 * checkpoints of twenty logs. A flood from one address takes less than a hundredth of the
 * processor.
 */
export const DEFAULT_WITNESS_LIMITS: WitnessLimits = {
  trustedProxies: [],
  addCheckpoint: { perSecond: 20, burst: 200, inFlight: 16 },
  perLog: {},
};

const ADD_CHECKPOINT: Members = {
  ...RATE_MEMBERS,
  in_flight: required("1 to 1,000,000", "Most requests at once."),
};

const MOST = 1_000_000_000_000;
const COUNT = "1 to 10^12";

const PER_LOG: Members = {
  queries_per_day: optional(
    COUNT,
    "Larger heads of one log to cosign in a day (UTC), unless the log's entry has a number.",
    { standard: "any" },
  ),
  bytes_per_day: optional(COUNT, "Bytes of the requests for these.", { standard: "any" }),
};

/** Members of the object `limits` of `witness.json`. */
export const WITNESS_LIMITS_MEMBERS: Members = {
  trusted_proxies: TRUSTED_PROXIES,
  add_checkpoint: optional("object", "Budget of each client for checkpoints to cosign.", {
    standard: budgetText(DEFAULT_WITNESS_LIMITS.addCheckpoint),
    members: ADD_CHECKPOINT,
  }),
  per_log: optional(
    "object",
    "Quotas of each log besides `network_id`. A log that has used one up gets 429 until the next day.",
    { members: PER_LOG },
  ),
};

/**
 * The member `limits`, `undefined` if absent. `malformed_configuration`,
 * `invalid_configuration`.
 */
export function readWitnessLimits(node: Fields): WitnessLimits | typeof NO_LIMITS | undefined {
  if (!node.has("limits")) return undefined;
  if (node.value("limits") === NO_LIMITS) return NO_LIMITS;
  const fields = node.object("limits", ...namesOf(WITNESS_LIMITS_MEMBERS));
  const { trustedProxies, addCheckpoint, perLog } = DEFAULT_WITNESS_LIMITS;
  return {
    trustedProxies: fields.has("trusted_proxies")
      ? rangesOf(fields, "trusted_proxies")
      : trustedProxies,
    addCheckpoint: fields.has("add_checkpoint") ? readCheckpoints(fields) : addCheckpoint,
    perLog: fields.has("per_log") ? readQuota(fields) : perLog,
  };
}

function readQuota(limits: Fields): LogQuota {
  const fields = limits.object("per_log", ...namesOf(PER_LOG));
  return {
    queriesPerDay: countOf(fields, "queries_per_day"),
    bytesPerDay: countOf(fields, "bytes_per_day"),
  };
}

/** The member `name`, if present; `invalid_configuration`. */
export function countOf(fields: Fields, name: string): number | undefined {
  return optionalIntegerIn(fields, name, 1, MOST);
}

function readCheckpoints(limits: Fields): WitnessLimits["addCheckpoint"] {
  const fields = limits.object("add_checkpoint", ...namesOf(ADD_CHECKPOINT));
  return { ...rateOf(fields), inFlight: atLeastOne(fields, "in_flight") };
}
