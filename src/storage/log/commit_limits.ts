/**
 * Limits of Deno KV, and the sizes of our records.
 *
 * @module
 */

import { HASH_LENGTH } from "../../base/bytes.ts";
import type { LogLimits } from "../../gateway/ports.ts";

/** Deno KV's limit for keys and values in one commit. */
const KV_COMMIT_BYTES = 819_200;
const KV_COMMIT_MUTATIONS = 1_000;
const KV_COMMIT_KEY_BYTES = 81_920;

/** A value above about 960 bytes overflows its page and slows look-ups near it. */
const IN_PAGE_BYTES = 912;
/** Time of acceptance and checksum. */
const INTAKE_FRAME_BYTES = 16;
/** Intake row, offsets and checksum. */
const SPENT_FRAME_BYTES = 20;
const KEY_BYTES = 32;

/** Limit for a round record, which may overflow its page with many signatures. */
const ROUND_BYTES = 16_384;

/** A spent row for a full intake row. */
const SPENT_ROW_BYTES = IN_PAGE_BYTES - INTAKE_FRAME_BYTES + SPENT_FRAME_BYTES;

/** Reserve in every commit for the fence and serialisation. */
const SLACK_BYTES = 16_384;

/** A commit checks each of them, the fence and its first row; Deno KV allows 100 checks. */
const roundsPerCommit = 8;

/** Bytes of a commit for intake rows and spent rows. */
const INTAKE_BYTES = KV_COMMIT_BYTES - SLACK_BYTES - roundsPerCommit * ROUND_BYTES;

/** Number of groups in one commit; a group has one record for each of `bytes`. */
function groupsPerCommit(...bytes: readonly number[]): number {
  const size = bytes.reduce((sum, length) => sum + length + KEY_BYTES, 0);
  return Math.min(
    Math.floor((KV_COMMIT_MUTATIONS - roundsPerCommit) / bytes.length),
    Math.floor(KV_COMMIT_KEY_BYTES / (bytes.length * KEY_BYTES)),
    Math.floor(INTAKE_BYTES / size),
  );
}

/** Sizes of one commit on Deno KV. */
export const KV_LOG_LIMITS: LogLimits = Object.freeze({
  digestsPerRow: Math.floor((IN_PAGE_BYTES - INTAKE_FRAME_BYTES) / HASH_LENGTH),
  intakeRowsPerCommit: groupsPerCommit(IN_PAGE_BYTES),
  spendingRowsPerCommit: groupsPerCommit(IN_PAGE_BYTES, SPENT_ROW_BYTES),
  roundsPerCommit,
  indexRowsPerCommit: 256,
});
