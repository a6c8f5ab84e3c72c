/**
 * Limits of Deno KV, and the sizes of our records within them. A remote store allows 10 checks in
 * a commit where the local one allows 100: this stays within 10.
 *
 * @module
 */

import { HASH_LENGTH } from "../bytes.ts";
import type { LogLimits } from "../gateway/ports.ts";

/** Deno KV: the most bytes of keys and values in one commit. */
const KV_COMMIT_BYTES = 819_200;
const KV_COMMIT_MUTATIONS = 1_000;
const KV_COMMIT_KEY_BYTES = 81_920;
const KV_CHECKS = 10;

/** Beyond about 960 bytes a value overflows its page and slows every look-up near it. */
const IN_PAGE_BYTES = 904;
const ACCEPTED_AT_BYTES = 8;
const SPENT_HEADER_BYTES = 12;
const KEY_BYTES = 32;
const TILE_BYTES = 8_192;

/** A round record with many witnesses' signatures may overflow its page; this bounds the commit. */
const ROUND_BYTES = 16_384;

/** What was spent for the digests of a full intake row: its header more than those take. */
const SPENT_ROW_BYTES = IN_PAGE_BYTES - ACCEPTED_AT_BYTES + SPENT_HEADER_BYTES;

/** Bytes left over in every commit for the fence, the serialisation and rounding. */
const SLACK_BYTES = 16_384;

/** One check each is spent on the fence and on the first row. */
const roundsPerCommit = KV_CHECKS - 2;

/** Bytes of a commit for whatever takes intake in, beside its rounds. */
const INTAKE_BYTES = KV_COMMIT_BYTES - SLACK_BYTES - roundsPerCommit * ROUND_BYTES;

/** How many records of `bytes` of intake one commit takes, in groups of as many as are given. */
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
  digestsPerRow: Math.floor((IN_PAGE_BYTES - ACCEPTED_AT_BYTES) / HASH_LENGTH),
  intakeRowsPerCommit: groupsPerCommit(IN_PAGE_BYTES),
  spendingRowsPerCommit: groupsPerCommit(IN_PAGE_BYTES, SPENT_ROW_BYTES),
  roundsPerCommit,
  // Level edges and the head take the rest: at most 8 levels of less than a tile.
  tilesPerCommit: Math.floor((KV_COMMIT_BYTES - SLACK_BYTES) / (TILE_BYTES + KEY_BYTES)) - 8,
  indexRowsPerCommit: 256,
});
