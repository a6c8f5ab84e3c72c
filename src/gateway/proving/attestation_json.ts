/**
 * Signed attestations as JSON text (protocol.md "Resources"). The text is written directly, because
 * attestations are most of what the hot path sends. A test compares it with JSON.stringify. Every part is
 * hex, a number or a name, which needs no escaping.
 *
 * @module
 */

import { HASH_LENGTH } from "../../base/bytes.ts";
import type { RoundRecord } from "../../proof/format/records.ts";
import type { Beacon } from "../../proof/format/round.ts";
import type { SignatureSet } from "../../proof/format/signature_set.ts";

const HEX_LENGTH = 2 * HASH_LENGTH;
/** Height of the subtrees whose leaves share the upper part of their paths. */
const SHARED_FROM = 4;

/** A round's tree, from which inclusion paths are cut. */
export interface LevelTexts {
  /** Hex of each level's packed nodes, from the leaves up. */
  readonly levelsHex: readonly string[];
  /** By subtree: the upper part of its paths, made on first use. */
  readonly upperPaths: (string | undefined)[];
}

/** A round, and texts made on first use. */
export interface RoundTexts {
  readonly record: RoundRecord;
  levels?: LevelTexts;
  /** {@linkcode sharedMembers}. */
  sharedJson?: string;
}

export interface ReadAttestation {
  readonly round: RoundTexts;
  /** Hex. */
  readonly hash: string;
  /** Hex. */
  readonly leafHash: string;
  readonly sequence: number;
  /** JSON of the path in the round, from leaf to root. */
  readonly pathJson: string;
}

/** JSON of a SignedAttestation; `shared` as {@linkcode sharedMembers} makes it. */
export function signedAttestationJson(
  networkId: string,
  read: ReadAttestation,
  shared: string,
): string {
  const { hash, sequence, pathJson, round: { record } } = read;
  return `{"attestation":{"hash":"${hash}","timestamp":${record.timestamp},` +
    `"network_id":"${networkId}","sequence":${sequence}},` +
    `"round":{"index":${sequence - record.first},"size":${record.size},` +
    `"inclusion_path":${pathJson},${shared}}`;
}

/**
 * JSON that the attestations of one round share: from the beacon, the last member of `round`, to the
 * signatures.
 */
export function sharedMembers(beacon: Beacon | null, set: SignatureSet): string {
  return `"beacon":${beaconJson(beacon)}},${JSON.stringify(set).slice(1, -1)}`;
}

function beaconJson(beacon: Beacon | null): string {
  if (beacon === null) return "null";
  const { chain_hash, round, signature } = beacon;
  return `{"chain_hash":"${chain_hash}","round":${round},"signature":"${signature}"}`;
}

/** JSON of a list of hashes in hex. */
export function hashesJson(hashes: readonly string[]): string {
  return hashes.length === 0 ? "[]" : `["${hashes.join('","')}"]`;
}

/** JSON of the RFC 9162 inclusion path of the leaf at `index`, from leaf to root. */
export function pathJson({ levelsHex, upperPaths }: LevelTexts, index: number): string {
  let path = "";
  const top = Math.min(SHARED_FROM, levelsHex.length - 1);
  for (let level = 0, at = index; level < top; level++, at >>>= 1) {
    const sibling = siblingOf(levelsHex[level]!, at);
    if (sibling !== undefined) path += path === "" ? `["${sibling}"` : `,"${sibling}"`;
  }
  const subtree = index >>> SHARED_FROM;
  const upper = upperPaths[subtree] ??= upperPathOf(levelsHex, subtree);
  if (path !== "") return `${path}${upper}]`;
  return upper === "" ? "[]" : `[${upper.slice(1)}]`;
}

/** The path above a subtree, each node with a comma before it. */
function upperPathOf(levelsHex: readonly string[], subtree: number): string {
  const nodes: string[] = [];
  for (let level = SHARED_FROM, at = subtree; level + 1 < levelsHex.length; level++, at >>>= 1) {
    const sibling = siblingOf(levelsHex[level]!, at);
    if (sibling !== undefined) nodes.push(',"', sibling, '"');
  }
  return nodes.join("");
}

/** Hex of the sibling of node `at`; `undefined` for the last node of an odd level. */
function siblingOf(level: string, at: number): string | undefined {
  const start = (at ^ 1) * HEX_LENGTH;
  return start < level.length ? level.slice(start, start + HEX_LENGTH) : undefined;
}
