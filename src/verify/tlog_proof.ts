/**
 * Verifies that an entry is in any log, from a tlog-proof and a policy alone (steps 1 to
 * 7 of "tlog-proof" in verification.md "Checks of the other resources").
 *
 * @module
 */

import { type Bytes, equalBytes } from "../bytes.ts";
import { type LogCheckpoint, parseLogCheckpoint } from "../format/log_checkpoint.ts";
import { type LogPolicy, meetsQuorum } from "../format/log_policy.ts";
import { parseNote } from "../format/note.ts";
import { NOTE_TYPE } from "../format/note_key.ts";
import type { TlogProof } from "../format/tlog_proof.ts";
import { rootFromInclusion } from "../merkle/proof.ts";
import { verifyNote } from "./note.ts";
import type { Outcome } from "./reasons.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/** Whether the entry is in a tree that the log signed and the policy's quorum cosigned. */
export interface TlogProofResult extends Outcome {
  /** As signed, if the proof is valid. */
  readonly head: LogCheckpoint;
  /** The witnesses whose cosignatures verify, by the policy's names. */
  readonly cosigners: readonly { readonly name: string; readonly timestamp: number }[];
}

/** `malformed_text` for a checkpoint that cannot be read. `leafHash` is that of the entry, 32 bytes. */
export async function verifyTlogProof(
  crypto: VerifierCrypto,
  policy: LogPolicy,
  { index, path, checkpoint }: TlogProof,
  leafHash: Bytes,
): Promise<TlogProofResult> {
  const note = parseNote(checkpoint); // 1
  const head = parseLogCheckpoint(note.text);
  const logKeys = policy.logs.map(({ key }) => key).filter(({ name }) => name === head.origin);
  const failed = (reason: Required<Outcome>["reason"], field: string): TlogProofResult => ({
    ...{ valid: false, reason, field, head, cosigners: [] },
  });
  if (logKeys.length === 0) return failed("log_key_missing", "origin"); // 2
  const witnesses = [...policy.witnesses];
  const keys = [...logKeys, ...witnesses.map(([, { key }]) => key)];
  const { lines, reason, field = "signatures" } = await verifyNote(crypto, keys, note);
  if (reason !== undefined) return failed(reason, field); // 3
  if (!lines.some(({ key }) => key.type === NOTE_TYPE.ed25519)) { // 4
    return failed("log_signature_missing", field);
  }
  const cosigners = witnesses.flatMap(([name, witness]) => {
    const times = lines.filter(({ key }) => key === witness.key).map((line) => line.timestamp ?? 0);
    return times.length === 0 ? [] : [{ name, timestamp: Math.max(...times) }];
  });
  if (!meetsQuorum(policy, new Set(cosigners.map(({ name }) => name)))) { // 5
    return failed("threshold_not_met", field);
  }
  const { size, root } = head;
  if (index >= size) return failed("leaf_beyond_tree", "index"); // 6
  const found = rootFromInclusion(crypto.kernels, { leafHash, index, size, path });
  return found !== undefined && equalBytes(found, root) // 7
    ? { valid: true, head, cosigners }
    : failed("inclusion_invalid", "path");
}
