/**
 * What a succession changes and who has signed it, for people and as JSON.
 *
 * @module
 */

import { hexOf } from "../../base/bytes.ts";
import { parseVkey } from "../../proof/format/note_key.ts";
import { type Succession, successionDigest } from "../../proof/format/succession.ts";
import { coreDigest, type TrustCore } from "../../proof/format/trust_core.ts";
import { needsSuccessorLog } from "../../proof/verify/succession_link.ts";
import { tableLines, timeText } from "../output.ts";

/** Who still has to sign, each with the side that needs it. */
export interface Missing {
  /** How many more of the predecessor's witnesses have to sign. */
  readonly predecessor: number;
  readonly successor: readonly string[];
  readonly log: boolean;
  readonly successor_log: boolean;
}

/** Who still has to sign `succession`. */
export function missingSigners(succession: Succession): Missing {
  const { predecessor, successor, signatures } = succession;
  const signed = new Set(signatures.successor.map(({ witness_id }) => witness_id));
  return {
    predecessor: Math.max(0, predecessor.threshold - signatures.predecessor.length),
    successor: (successor?.witnesses ?? []).map(({ id }) => id).filter((id) => !signed.has(id)),
    log: predecessor.log_vkey !== undefined && signatures.log === undefined,
    successor_log: needsSuccessorLog(succession) && signatures.successor_log === undefined,
  };
}

/** The same in words. */
export function missingText({ predecessor, successor, log, successor_log }: Missing): string {
  return [
    ...(predecessor > 0 ? [`${predecessor} more of the present witnesses`] : []),
    ...successor.map((id) => `next witness ${id}`),
    ...(log ? ["the log's key"] : []),
    ...(successor_log ? ["the next log's key"] : []),
  ].join(", ");
}

/** True if no signature is missing. */
export function isComplete(succession: Succession): boolean {
  const { predecessor, successor, log, successor_log } = missingSigners(succession);
  return predecessor === 0 && successor.length === 0 && !log && !successor_log;
}

/** The succession in a table: what changes, and who has signed. */
export function successionLines(succession: Succession): string[] {
  const { predecessor, successor, next_log, tree_size, timestamp } = succession;
  return [
    `${predecessor.id}: ${
      successor === null
        ? `epoch ${predecessor.epoch} is the last`
        : `from epoch ${predecessor.epoch} to ${successor.epoch}`
    }`,
    ...tableLines(["", "now", "then"], [
      ["threshold", thresholdOf(predecessor), thresholdOf(successor)],
      ["log key", logKeyOf(predecessor), logKeyOf(successor)],
      ...witnessRows(predecessor, successor),
      ...mlDsaRows(predecessor, successor),
      ["fingerprint", coreDigest(predecessor), successor === null ? "-" : coreDigest(successor)],
    ]),
    ...(next_log === undefined ? [] : [`continued by: ${next_log.origin} (${next_log.core})`]),
    `proposed: ${timeText(timestamp)}, after a tree of ${tree_size}`,
    `hash in the log: ${successionDigest(succession)}`,
    ...signerLines(succession),
  ];
}

/** The same for a JSON report, with the document. */
export function successionJson(succession: Succession) {
  const { predecessor, successor, signatures } = succession;
  return {
    network_id: predecessor.id,
    epoch: predecessor.epoch + 1,
    hash: successionDigest(succession),
    predecessor: coreDigest(predecessor),
    successor: successor && coreDigest(successor),
    signed: {
      predecessor: signatures.predecessor.map(({ witness_id }) => witness_id),
      successor: signatures.successor.map(({ witness_id }) => witness_id),
      log: signatures.log !== undefined,
      successor_log: signatures.successor_log !== undefined,
    },
    missing: missingSigners(succession),
    complete: isComplete(succession),
    document: succession,
  };
}

function thresholdOf(core: TrustCore | null): string {
  return core === null ? "-" : `${core.threshold} of ${core.witnesses.length}`;
}

function logKeyOf(core: TrustCore | null): string {
  return core === null ? "-" : core.log_vkey ?? "none";
}

/** One row for each witness of either side: stays, new key, leaves, or joins. */
function witnessRows(predecessor: TrustCore, successor: TrustCore | null): string[][] {
  const before = new Map(predecessor.witnesses.map(({ id, pubkey }) => [id, pubkey]));
  const after = new Map((successor?.witnesses ?? []).map(({ id, pubkey }) => [id, pubkey]));
  return [...new Set([...before.keys(), ...after.keys()])].sort().map((id) => {
    const [old, next] = [before.get(id), after.get(id)];
    const owner = old === next ? undefined : ownerOf(predecessor, next);
    const change = (old === undefined
      ? "joins"
      : next === undefined
      ? "leaves"
      : old === next
      ? "stays"
      : "new key") + (owner === undefined ? "" : `, with the key of ${owner}:`);
    return [
      `witness ${id}`,
      old === undefined ? "-" : shortKey(old),
      `${change}${next === undefined ? "" : ` ${shortKey(next)}`}`,
    ];
  });
}

/** One row for each owner of an ML-DSA-44 key on either side. */
function mlDsaRows(predecessor: TrustCore, successor: TrustCore | null): string[][] {
  const [before, after] = [mlDsaKeysOf(predecessor), mlDsaKeysOf(successor)];
  return [...new Set([...before.keys(), ...after.keys()])].map((owner) => [
    `ML-DSA-44 of ${owner}`,
    before.get(owner) ?? "none",
    after.get(owner) ?? "none",
  ]);
}

/** The beginnings of the verifier keys, by owner. */
function mlDsaKeysOf(core: TrustCore | null): Map<string, string> {
  const owners = [
    ["the log", core?.log_ml_dsa_vkey] as const,
    ...(core?.witnesses ?? []).map(({ id, ml_dsa_vkey }) => [id, ml_dsa_vkey] as const),
  ];
  return new Map(owners.flatMap(([owner, vkey]) => {
    // After the name come the key ID and base64, whose first letters are of the type.
    const [, id, encoded] = vkey?.split("+") ?? [];
    return id === undefined ? [] : [[owner, `${id}+${encoded!.slice(0, 16)}`] as const];
  }));
}

/** Who has the public key `pubkey` in `core`. */
function ownerOf({ witnesses, log_vkey }: TrustCore, pubkey: string | undefined) {
  if (pubkey === undefined) return undefined;
  const isLogs = log_vkey !== undefined && hexOf(parseVkey(log_vkey).publicKey) === pubkey;
  return isLogs ? "the log" : witnesses.find((one) => one.pubkey === pubkey)?.id;
}

function shortKey(pubkey: string): string {
  return pubkey.slice(0, 16);
}

function signerLines(succession: Succession): string[] {
  const { predecessor, successor, signatures } = succession;
  const missing = missingSigners(succession);
  const names = (list: readonly { readonly witness_id: string }[]) =>
    list.map(({ witness_id }) => witness_id).join(", ") || "nobody";
  return [
    `signed by the present witnesses: ${names(signatures.predecessor)}${
      missing.predecessor > 0 ? ` (${missing.predecessor} more of them needed)` : ""
    }`,
    ...(successor === null ? [] : [
      `signed by the next witnesses: ${names(signatures.successor)}${
        missing.successor.length > 0 ? ` (missing: ${missing.successor.join(", ")})` : ""
      }`,
    ]),
    ...(predecessor.log_vkey === undefined
      ? []
      : [`signed by the log key: ${missing.log ? "no" : "yes"}`]),
    ...(needsSuccessorLog(succession)
      ? [`signed by the next log key: ${missing.successor_log ? "no" : "yes"}`]
      : []),
  ];
}
