/**
 * The signature line of a `bls` network in a checkpoint (protocol.md "C2SP read interface"): one
 * aggregate signature, with the network's id as name and a key of the private type 0xff.
 *
 *     key ID   SHA-256(name || 0x0A || 0xff || "countersign/bls-aggregate/v1" || witnesses)[:4]
 *     payload  time, 8 bytes big-endian || signers || signature, 48 bytes
 *
 * `witnesses` is the SHA-256 of one line for each witness, ascending by id: its id, a space and its
 * public key in hex. `signers` is a bitmap (`proof/format/signer_bitmap.ts`). The signature covers the
 * cosignature message (`proof/format/tree_head.ts`).
 *
 * @module
 */

import { type Bytes, utf8 } from "../../base/bytes.ts";
import { BLS_AGGREGATE_NOTE_IDENTIFIER } from "../crypto/domains.ts";
import { sha256 } from "../crypto/hashing.ts";
import type { NetworkConfiguration, WitnessKey } from "./network.ts";
import { splitCosignature } from "./note.ts";
import { NOTE_TYPE, type NoteKey } from "./note_key.ts";
import { SIGNATURE_LENGTH } from "./signature_set.ts";
import { decodeSignerBitmap } from "./signer_bitmap.ts";

/** The key of the line: all witnesses of a `bls` network. */
export interface AggregateKey extends NoteKey {
  /** Ascending by id. */
  readonly witnesses: readonly WitnessKey[];
}

/** The payload of an aggregate line. Not verified. */
export interface Aggregate {
  /** Unix seconds. */
  readonly timestamp: number;
  /** Indexes of the key's witnesses, ascending. */
  readonly signers: readonly number[];
  /** 48 bytes. */
  readonly signature: Bytes;
}

/** The key of a `bls` network's line. */
export function aggregateKey(
  network: Pick<NetworkConfiguration, "id" | "witnesses">,
): AggregateKey {
  const witnesses = network.witnesses.toSorted((a, b) => a.id < b.id ? -1 : 1);
  const text = witnesses.map(({ id, pubkey }) => `${id} ${pubkey}\n`).join("");
  return {
    name: network.id,
    type: NOTE_TYPE.private,
    identifier: BLS_AGGREGATE_NOTE_IDENTIFIER,
    publicKey: sha256(utf8(text)),
    witnesses,
  };
}

/** Splits the payload of a line of `key`; `undefined` if it is malformed. */
export function splitAggregate(key: AggregateKey, payload: Uint8Array): Aggregate | undefined {
  const timed = splitCosignature(payload);
  if (timed === undefined) return undefined;
  const end = timed.signature.length - SIGNATURE_LENGTH.bls;
  const bitmap = timed.signature.subarray(0, Math.max(0, end));
  const signers = decodeSignerBitmap(bitmap, key.witnesses.length);
  if (end < 0 || signers === undefined) return undefined;
  return { timestamp: timed.timestamp, signers, signature: timed.signature.slice(end) as Bytes };
}
