/**
 * Which checkpoints are accepted: those of a pinned network, by the log key and the threshold of
 * witnesses, or those of any log, by the log's key alone.
 *
 * @module
 */

import { fromHex, hexOf } from "../bytes.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import { CountersignError } from "../errors.ts";
import { contradictionMembers } from "../format/federation.ts";
import { parseLogCheckpoint } from "../format/log_checkpoint.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { parseNote } from "../format/note.ts";
import { NOTE_TYPE, parseVkey } from "../format/note_key.ts";
import { verifyCheckpoint, verifyNote } from "../verify/note.ts";
import { type Outcome, VERIFY_REASONS } from "../verify/reasons.ts";
import type { AcceptedCheckpoint, TwoHistories } from "./ports.ts";
import { contradictionIn } from "./signed_head.ts";

/** Accepts the checkpoints of one log. */
export interface CheckpointRule {
  /** Accepts a signed note, or rejects with `proof_refused` or `malformed_text`. */
  accept(note: string): Promise<AcceptedCheckpoint>;
  /** Evidence of two histories, as JSON. */
  evidenceOf(histories: TwoHistories): Promise<string>;
}

/**
 * Accepts the checkpoints of `network`. The evidence is a contradiction that `log contradictions --file`
 * verifies, if each note has the threshold's cosignatures of one time.
 */
export function networkRule(crypto: CryptoSuite, network: NetworkConfiguration): CheckpointRule {
  return {
    async accept(text) {
      const result = await verifyCheckpoint(crypto, network, text);
      if (!result.valid) throw refused(result);
      const { head, cosigners } = result;
      return {
        text,
        origin: head.network_id,
        size: head.tree_size,
        root: fromHex(head.root_hash),
        cosignedAt: Math.max(...cosigners.map(({ timestamp }) => timestamp)),
        cosigners: cosigners.length,
      };
    },
    async evidenceOf(histories) {
      const contradiction = await contradictionIn(crypto, network, histories);
      return contradiction === undefined
        ? notesJson(histories)
        : indented(contradictionMembers(contradiction));
    },
  };
}

/**
 * Accepts what the key `vkey` signed as the log. Other signatures are ignored. `invalid_key` unless it is
 * an Ed25519 key of type 0x01.
 */
export function logKeyRule(crypto: CryptoSuite, vkey: string): CheckpointRule {
  const key = parseVkey(vkey);
  if (key.type !== NOTE_TYPE.ed25519) {
    throw new CountersignError(
      "invalid_key",
      "Cannot use verifier key: it is a witness's (type 0x04), and a log's is required (0x01)",
    );
  }
  return {
    async accept(text) {
      const note = parseNote(text);
      const { origin, size, root } = parseLogCheckpoint(note.text);
      const result = await verifyNote(crypto, [key], note);
      if (!result.valid) throw refused(result);
      return { text, origin, size, root };
    },
    evidenceOf: (histories) => Promise.resolve(notesJson(histories)),
  };
}

function notesJson({ origin, foundAt, first, second, path }: TwoHistories): string {
  return indented({
    origin,
    found_at: foundAt,
    first_checkpoint: first,
    second_checkpoint: second,
    consistency_path: path.map((node) => hexOf(node)),
  });
}

function indented(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function refused({ reason, field }: Outcome): CountersignError {
  const where = field === undefined ? "" : ` (${field})`;
  const why = reason === undefined ? "It is not valid." : VERIFY_REASONS[reason];
  return new CountersignError("proof_refused", `Cannot accept checkpoint${where}: ${why}`);
}
