/**
 * Verifies evidence that any log signed two histories ("Two histories" in verification.md "Checks of the
 * other resources"). It needs only the log's keys.
 *
 * @module
 */

import { hexOf } from "../../base/bytes.ts";
import { type LogCheckpoint, parseLogCheckpoint } from "../format/log_checkpoint.ts";
import type { LogHistories } from "../format/log_histories.ts";
import type { LogPolicy } from "../format/log_policy.ts";
import { parseNote } from "../format/note.ts";
import type { NoteKey } from "../format/note_key.ts";
import { judgeGrowth } from "./contradiction.ts";
import { type PolicyCheckpoint, verifyPolicyCheckpoint } from "./policy_checkpoint.ts";
import { type Failure, type Outcome, within } from "./reasons.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/** Whether two histories are proved. The log's signatures suffice: no quorum is required. */
export interface LogHistoriesResult extends Outcome {
  readonly first: LogCheckpoint;
  readonly second: LogCheckpoint;
  /** Witnesses of the policy that cosigned both. */
  readonly signedBoth: readonly string[];
}

/** The keys of a log. */
export interface HistoryKeys {
  readonly policy: LogPolicy;
  readonly logKeys: readonly NoteKey[];
}

/**
 * `keysAt` has the keys for a head of a size, `undefined` after the end of the log. `malformed_text` for
 * checkpoints that cannot be read.
 */
export async function verifyLogHistories(
  crypto: VerifierCrypto,
  keysAt: (size: number) => HistoryKeys | undefined,
  { origin, path, ...notes }: LogHistories,
): Promise<LogHistoriesResult> {
  const check = async (note: string): Promise<PolicyCheckpoint> => {
    const head = parseLogCheckpoint(parseNote(note).text);
    const keys = keysAt(head.size);
    return keys === undefined
      ? { valid: false, reason: "log_ended", field: "tree_size", head, cosigners: [] }
      : await verifyPolicyCheckpoint(crypto, keys.policy, note, keys.logKeys);
  };
  const [first, second] = [await check(notes.first), await check(notes.second)];
  const heads = [first.head, second.head].map(({ size, root }) => ({
    network_id: origin,
    tree_size: size,
    root_hash: hexOf(root),
  }));
  const failure: Failure | undefined = signedBy("first", first) ?? signedBy("second", second) ?? // 1
    ([first, second].some(({ head }) => head.origin !== origin) // 2
      ? { reason: "network_mismatch", field: "origin" }
      : first.head.size <= second.head.size && // 3
          judgeGrowth(crypto.kernels, heads[0]!, heads[1]!, path) === "contradicts"
      ? undefined
      : { reason: "contradiction_unproven", field: "consistency_path" });
  const others = new Set(second.cosigners.map(({ name }) => name));
  return {
    valid: failure === undefined,
    ...failure,
    first: first.head,
    second: second.head,
    signedBoth: first.cosigners.map(({ name }) => name).filter((name) => others.has(name)),
  };
}

function signedBy(name: string, outcome: Outcome): Failure | undefined {
  return outcome.reason === "threshold_not_met" ? undefined : within(`${name}_checkpoint`, outcome);
}
