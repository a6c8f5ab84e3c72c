/**
 * The measured attacks. Each comes from one client and meets the default limits, unless the row
 * says "allowed".
 *
 * @module
 */

import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import type { AttackName } from "./attack_names.ts";
import type { HonestGoal } from "./honest_client.ts";

/** One attack, and the gateway that it goes to. */
export interface AbuseRow {
  readonly name: string;
  readonly attack: AttackName;
  /** Of the attacking client. */
  readonly connections: number;
  readonly scheme: SignatureScheme;
  readonly witnesses: "embedded" | "remote";
  /** Members of `network.json`; without `limits` they are the default ones. */
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Leaves of the log before the gateway starts. */
  readonly prefill: number;
  /** Whether the attacker asks for hashes of all leaves, or for the same 1,000. */
  readonly isCold: boolean;
  /** Where WebSockets are opened: at a listener for event sockets, or at that of clients. */
  readonly sockets: "events" | "clients";
  /** The process whose memory and descriptors are measured. */
  readonly attacked: "gateway" | "witness";
  readonly goal: HonestGoal;
  /** Resident bytes by which the attacked process may grow. */
  readonly mostGrownBytes: number;
  /** Seconds that this attack takes at least to reach its size. */
  readonly leastSeconds: number;
}

const STANDARD = {
  connections: 16,
  scheme: "ed25519",
  witnesses: "embedded",
  configuration: {},
  prefill: 0,
  isCold: false,
  sockets: "clients",
  attacked: "gateway",
  goal: "confirmed",
  // Garbage on the heap of a process that answers requests as fast as it can.
  mostGrownBytes: 256e6,
  leastSeconds: 0,
} as const;
/** A message that never ends. */
const ENDLESS = {
  ...STANDARD,
  attack: "socketFlood",
  connections: 1,
  sockets: "events",
  mostGrownBytes: 100e6,
} as const;

/** More streams than one client may open. */
const MANY_STREAMS = {
  limits: { event_streams: { per_second: 10_000, burst: 10_000, open: 10_000 } },
};
/** All streams that one client may have open, without the half minute in which it may open them. */
const PATIENT = { limits: { event_streams: { per_second: 1, burst: 64, open: 64 } } };
/** The attacker is on this machine, which gateways trust by default: here they trust no address. */
const STRANGERS = { limits: { trusted_networks: [] } };
const LONG_LOG = 200_000;
/** More than the memory table of digests holds. */
const SEALED_LOG = 1_500_000;

/** The number names the kind of attack, for `--only`. 0 is no attack, for comparison. */
export const ABUSE_ROWS: readonly AbuseRow[] = [
  { ...STANDARD, name: "0 nothing", attack: "nothing" },
  { ...STANDARD, name: "1 verify, values", attack: "verifyValues" },
  { ...STANDARD, name: "1 verify, ed25519", attack: "verifySignatures" },
  { ...STANDARD, name: "1 verify, bls", attack: "verifySignatures", scheme: "bls" },
  {
    ...STANDARD,
    name: "2 repeats, cold",
    attack: "bulkRepeats",
    prefill: SEALED_LOG,
    isCold: true,
  },
  { ...STANDARD, name: "2 repeats, warm", attack: "bulkRepeats", prefill: LONG_LOG },
  {
    ...STANDARD,
    name: "3 replay, 30 streams",
    attack: "eventReplay",
    connections: 30,
    prefill: LONG_LOG,
  },
  {
    ...STANDARD,
    name: "4 followers, 64",
    attack: "liveFollowers",
    connections: 64,
    configuration: PATIENT,
  },
  {
    ...STANDARD,
    name: "4 followers, 500 allowed",
    attack: "liveFollowers",
    connections: 500,
    configuration: MANY_STREAMS,
  },
  { ...ENDLESS, name: "5 endless message" },
  {
    ...ENDLESS,
    name: "5 endless message, clients' port",
    sockets: "clients",
    configuration: STRANGERS,
  },
  { ...ENDLESS, name: "5 endless messages, 30", connections: 30 },
  { ...STANDARD, name: "6 resets", attack: "upgradeResets", sockets: "events" },
  {
    ...STANDARD,
    name: "6 resets, 10,000 allowed",
    attack: "upgradeResets",
    sockets: "events",
    configuration: MANY_STREAMS,
  },
  {
    ...STANDARD,
    name: "7 slow bodies, 8,000",
    attack: "slowBodies",
    connections: 8_000,
    mostGrownBytes: 128e6,
    leastSeconds: 12,
  },
  {
    ...STANDARD,
    name: "10 add-checkpoint, 1,000",
    attack: "checkpointRefreshes",
    connections: 1_000,
    witnesses: "remote",
    attacked: "witness",
    goal: "published",
  },
];
