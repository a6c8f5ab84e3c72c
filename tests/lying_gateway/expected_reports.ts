/**
 * Expected reports about lies that differ only in the changed member.
 *
 * @module
 */

import type { CommandName } from "./client_commands.ts";
import type { Lie, Listener } from "./lie.ts";

type Reports = Lie["says"];

/** For a user who remembers another network of the gateway. */
export const OTHER_NETWORK = "pin_differs: " +
  "it was a gateway of home.example/log and now states evil.example/log";

/** Of a proof of a network that is not pinned. */
export function notPinned(id: string): string {
  return `configuration_missing: network ${id} is not pinned (use --network-config FILE, or pin it ` +
    "with: countersign network --pin)";
}

/** The note of `stamp` without a pin. */
export const UNPINNED =
  " | countersign: Stamped. To verify proofs of home.example/log, pin its configuration once and " +
  "compare the fingerprint with the operator's: countersign network --pin";

/** `stamp --save` of a job whose batch does not come in time. */
export const NOT_YET_BATCHED = "1 not_batched: HASH is signed, but not yet in it (complete the " +
  "saved proof later: countersign upgrade HASH.countersign.json)";

/** The note of `status` after the merge delay of the pinned network. */
export const OVERDUE =
  " | countersign: batch overdue: the network promised one by TIME (keep the " +
  "attestation: a log without it is evidence)";

/** Of two heads that a client holds side by side. */
export const FORK =
  "1 ALARM: its witnesses signed two histories; URL/ shows another than the remembered one";
export const NO_GROWTH = "1 proof_refused: the proof of URL/ does not lead from size N to size M";

/** `words` from each of `listeners`. */
export function each(words: string, ...listeners: readonly Listener[]): Reports {
  return Object.fromEntries(listeners.map((listener) => [listener, words]));
}

/** Every stamp that gets a job, those that check it against a pin first. */
export const STAMPS = ["stamp", "stamp several", "stamp save", "stamp at first"] as const;

/** Every command that reads a job, alone or among several. */
export const JOB_READERS = [
  ...STAMPS,
  "status",
  "log proof verify",
  "log proof of a size",
] as const;

/** Every command that reads a network configuration. */
export const NETWORK_READERS = [
  "network",
  "network at first",
  "pin",
  "pin at first",
  "verify online",
  "verify at first",
  "verify-proof online",
  "verify-proof at first",
] as const;

/** Of a signed attestation that `reason` makes invalid, found at `place` of it. */
export function attested(reason: string, place = ""): Reports {
  const found = `${reason} signed_attestation${place}`;
  const bundle = `invalid, ${found}, cross_anchors_missing, unbound anchor`;
  return {
    ...each(`1 proof_refused ${reason}`, "stamp", "stamp save"),
    "stamp several": `1 proof_refused ${reason}, proof_refused ${reason}`,
    ...each("0 shown", "status", "bundle"),
    ...each(`1 ${bundle}`, "verify-proof", "verify-proof at first"),
    ...each(`1 invalid ${found}`, "log proof verify", "log proof of a size"),
    "check of the bundle": bundle,
    ...each(`invalid ${found}`, "check of the inclusion", "check of the proof"),
  };
}

/** Of a batch layer that `reason` makes invalid, found at `place` of it. */
export function batched(reason: string, place: string): Reports {
  const found = `basic, ${reason} batch_inclusion.${place}, cross_anchors_missing, unbound anchor`;
  return {
    "stamp save": `1 proof_refused ${reason}`,
    "bundle": "0 shown",
    ...each(`0 ${found}`, "verify-proof", "verify-proof at first"),
    "check of the bundle": found,
  };
}

/** Of a cross-anchor that does not count, since `found`. */
export function anchored(found: string): Reports {
  const words = `batched, ${found}, cross_anchors_missing`;
  return {
    "bundle": "0 shown",
    ...each(`0 ${words}`, "verify-proof", "verify-proof at first"),
    "check of the bundle": words,
  };
}

/** Of tree heads that `reason` makes invalid, found at `place` of them. */
export function headed(reason: string, place = ""): Reports {
  const alone = `invalid ${reason}${place === "" ? "" : ` ${place}`}`;
  const within = (name: string) => `invalid ${reason} ${name}${place === "" ? "" : `.${place}`}`;
  return {
    ...batched(reason, `sth${place === "" ? "" : `.${place}`}`),
    ...each("0 shown", "sth", "consistency", "log proof"),
    ...each(`1 ${alone}`, "sth verify", "sth of a size"),
    "consistency verify": `1 ${within("first_sth")}`,
    ...each(`1 ${within("sth")}`, "log proof verify", "log proof of a size"),
    "check of the head": alone,
    "check of growth": alone,
    "check of the consistency": within("first_sth"),
    "check of the inclusion": within("sth"),
  };
}

/** Of an inclusion proof that `found` makes invalid. */
export function included(found: string): Reports {
  return {
    "log proof": "0 shown",
    ...each(`1 invalid ${found}`, "log proof verify", "log proof of a size"),
    "check of the inclusion": `invalid ${found}`,
  };
}

/** Of a configuration that cannot be used. */
export function unusable(code: string, words: string): Reports {
  return each(`1 ${code}: ${words}`, ...NETWORK_READERS);
}

/** The code for a malformed answer, by the first resource that a command reads. */
function unreadableCode(name: CommandName): string {
  if (name === "anchors" || name === "config") return "gateway_refused";
  const readsNetworkFirst = name !== "verify-proof at first" &&
    NETWORK_READERS.some((reader) => reader === name);
  return readsNetworkFirst ? "malformed_configuration" : "malformed_bundle";
}

/** Of an answer that cannot be read, from each of `listeners`. */
export function unreadable(words: string, listeners: readonly CommandName[]): Reports {
  return Object.fromEntries(
    listeners.map((name) => [name, `1 ${unreadableCode(name)}: ${words}`]),
  );
}
