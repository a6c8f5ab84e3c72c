/**
 * Verifies the checkpoint of any log under a policy: the log's key signed it, and the quorum cosigned it
 * (steps 1 to 5 of "tlog-proof" in verification.md "Checks of the other resources").
 *
 * @module
 */

import { type LogCheckpoint, parseLogCheckpoint } from "../format/log_checkpoint.ts";
import type { LogPolicy } from "../format/log_policy.ts";
import { parseNote } from "../format/note.ts";
import type { NoteKey } from "../format/note_key.ts";
import { verifyNote } from "./note.ts";
import { countByPolicy } from "./policy_quorum.ts";
import type { Outcome } from "./reasons.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

export interface PolicyCheckpoint extends Outcome {
  readonly head: LogCheckpoint;
  /**
   * The witnesses whose cosignatures verify, by the policy's names, each with its latest time. Empty unless
   * the log signed the checkpoint.
   */
  readonly cosigners: readonly { readonly name: string; readonly timestamp: number }[];
}

/**
 * `malformed_text` for a checkpoint that cannot be read. The log's keys are by default those whose name is
 * the origin. The reason is `threshold_not_met` if only the quorum is missing.
 */
export async function verifyPolicyCheckpoint(
  crypto: VerifierCrypto,
  policy: LogPolicy,
  checkpoint: string,
  logKeys?: readonly NoteKey[],
): Promise<PolicyCheckpoint> {
  const note = parseNote(checkpoint); // 1
  const head = parseLogCheckpoint(note.text);
  const logs = logKeys ??
    policy.logs.map(({ key }) => key).filter(({ name }) => name === head.origin);
  const failed = (reason: Required<Outcome>["reason"], field: string): PolicyCheckpoint => ({
    valid: false,
    reason,
    field,
    head,
    cosigners: [],
  });
  if (logs.length === 0) return failed("log_key_missing", "origin"); // 2
  const keys = [...logs, ...Array.from(policy.witnesses.values(), ({ key }) => key)];
  const { lines, reason, field = "signatures" } = await verifyNote(crypto, keys, note);
  if (reason !== undefined) return failed(reason, field); // 3
  if (!lines.some(({ key }) => logs.some((logKey) => logKey === key))) { // 4
    return failed("log_signature_missing", field);
  }
  const { cosigners, meetsQuorum } = countByPolicy(policy, lines);
  return meetsQuorum // 5
    ? { valid: true, head, cosigners }
    : { ...failed("threshold_not_met", field), cosigners };
}
