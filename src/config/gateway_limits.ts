/**
 * The member `limits` of `network.json`: rate limits of each client.
 *
 *     "limits": {"trusted_proxies"?: ["10.0.0.0/8", ...], "trusted_networks"?: [...],
 *                "new_attestations"?: {"per_second", "burst"}, "reads"?: {...},
 *                "event_streams"?: {"per_second", "burst", "open"}, "operator"?: {...}}
 *     "limits": "off"
 *
 * @module
 */

import type { Rate } from "../limits/token_buckets.ts";
import type { Fields } from "../format/fields.ts";
import { type IpRange, parseIpRange } from "../format/ip_address.ts";
import { type Member, type Members, namesOf, optional, required } from "./members.ts";
import { integerIn, invalid } from "./validation.ts";

/** Rate limits of each client. */
export interface ClientLimits {
  /** The operator's proxies, which name the client of each request. */
  readonly trustedProxies: readonly IpRange[];
  /** Clients that may use what the runtime does not bound: its WebSockets. */
  readonly trustedNetworks: readonly IpRange[];
  /** Hashes that were not accepted before. */
  readonly newAttestations: Rate;
  /** Every other request of a client. */
  readonly reads: Rate;
  /** Event streams: how often opened, and how many at once. */
  readonly eventStreams: Rate & { readonly open: number };
  /** Requests to the operator listener, charged before the token is checked. */
  readonly operator: Rate;
}

/** This machine. */
const LOOPBACK_NETWORKS = ["127.0.0.0/8", "::1"];

/**
 * The default.
 *
 * - A folder of 10,000 files can be stamped at once, with its bundles. One abuser then adds 100 leaves
 *   a second to a log that takes 20,000.
 * - An outside auditor of a long log reads 100 tiles, or 6,400 entries, a second. A flood takes a
 *   hundredth of the processor.
 * - An office behind one address opens its pages without waiting. A page that lost its stream
 *   reconnects every two seconds.
 * - A scrape and a probe are a few requests a second, and so are guesses of tokens.
 */
export const DEFAULT_CLIENT_LIMITS: ClientLimits = {
  trustedProxies: [],
  trustedNetworks: LOOPBACK_NETWORKS.map((text) => parseIpRange(text)!),
  newAttestations: { perSecond: 100, burst: 10_000 },
  reads: { perSecond: 200, burst: 10_000 },
  eventStreams: { perSecond: 1, burst: 30, open: 64 },
  operator: { perSecond: 20, burst: 100 },
};

/** Replaces the limits in a file without limits. */
export const NO_LIMITS = "off";

const MOST = 1_000_000;
const MAX_RANGES = 64;

/** Members of a budget. */
export const RATE_MEMBERS: Members = {
  per_second: required("1 to 1,000,000", "How much is refilled in a second."),
  burst: required("1 to 1,000,000", "How much a full budget holds."),
};

const RANGES = "list of addresses and CIDR ranges";

export const TRUSTED_PROXIES: Member = optional(
  RANGES,
  "Proxies whose X-Forwarded-For names the client.",
);

const STREAM_MEMBERS: Members = {
  ...RATE_MEMBERS,
  open: required("1 to 1,000,000", "Most streams of a client at once."),
};

/** Members of the object `limits` of `network.json`. */
export const CLIENT_LIMITS_MEMBERS: Members = {
  trusted_proxies: TRUSTED_PROXIES,
  trusted_networks: optional(
    RANGES,
    "Clients that may open WebSockets on the clients' listener.",
    { standard: LOOPBACK_NETWORKS.join(", ") },
  ),
  new_attestations: optional("object", "Budget of each client for new hashes.", {
    standard: budgetText(DEFAULT_CLIENT_LIMITS.newAttestations),
    members: RATE_MEMBERS,
  }),
  reads: optional("object", "Budget of each client for all other requests.", {
    standard: budgetText(DEFAULT_CLIENT_LIMITS.reads),
    members: RATE_MEMBERS,
  }),
  event_streams: optional("object", "Budget of each client for event streams.", {
    standard: budgetText(DEFAULT_CLIENT_LIMITS.eventStreams),
    members: STREAM_MEMBERS,
  }),
  operator: optional("object", "Budget of each client of the operator listener.", {
    standard: budgetText(DEFAULT_CLIENT_LIMITS.operator),
    members: RATE_MEMBERS,
  }),
};

/** A default budget, for the reference. */
export function budgetText(
  { perSecond, burst, open, inFlight }: Rate & {
    readonly open?: number;
    readonly inFlight?: number;
  },
): string {
  const most = open ?? inFlight;
  return `${perSecond} a second, burst ${burst}${most === undefined ? "" : `, ${most} at once`}`;
}

/**
 * The member `limits`, `undefined` if absent. `malformed_configuration`,
 * `invalid_configuration`.
 */
export function readClientLimits(network: Fields): ClientLimits | typeof NO_LIMITS | undefined {
  if (!network.has("limits")) return undefined;
  if (network.value("limits") === NO_LIMITS) return NO_LIMITS;
  const fields = network.object("limits", ...namesOf(CLIENT_LIMITS_MEMBERS));
  const standard = DEFAULT_CLIENT_LIMITS;
  const ranges = (name: string, otherwise: readonly IpRange[]) =>
    fields.has(name) ? rangesOf(fields, name) : otherwise;
  const rate = (name: string, otherwise: Rate) => {
    if (!fields.has(name)) return otherwise;
    return rateOf(fields.object(name, ...namesOf(RATE_MEMBERS)));
  };
  return {
    trustedProxies: ranges("trusted_proxies", standard.trustedProxies),
    trustedNetworks: ranges("trusted_networks", standard.trustedNetworks),
    newAttestations: rate("new_attestations", standard.newAttestations),
    reads: rate("reads", standard.reads),
    eventStreams: fields.has("event_streams") ? readStreams(fields) : standard.eventStreams,
    operator: rate("operator", standard.operator),
  };
}

function readStreams(limits: Fields): ClientLimits["eventStreams"] {
  const fields = limits.object("event_streams", ...namesOf(STREAM_MEMBERS));
  return { ...rateOf(fields), open: atLeastOne(fields, "open") };
}

/** The members `per_second` and `burst`. */
export function rateOf(fields: Fields): Rate {
  return {
    perSecond: atLeastOne(fields, "per_second"),
    burst: atLeastOne(fields, "burst"),
  };
}

/** The member `name`, from 1 to a million. */
export function atLeastOne(fields: Fields, name: string): number {
  return integerIn(fields, name, 1, MOST);
}

/** The ranges of the member `name`. */
export function rangesOf(fields: Fields, name: string): readonly IpRange[] {
  const texts = fields.texts(name);
  if (texts.length > MAX_RANGES) {
    throw invalid(fields.where, `${name} has more than ${MAX_RANGES} entries`);
  }
  return texts.map((text) => {
    const range = parseIpRange(text);
    if (range !== undefined) return range;
    throw invalid(
      fields.where,
      `${JSON.stringify(text.slice(0, 60))} in ${name} is neither an address nor a range ` +
        "such as 10.0.0.0/8 without host bits",
    );
  });
}
