/**
 * Evidence that any log signed two histories, as JSON:
 *
 *     {"origin", "found_at", "first_checkpoint", "second_checkpoint", "consistency_path"}
 *
 * @module
 */

import { type Bytes, hexOf } from "../../base/bytes.ts";
import type { ErrorCode } from "../../base/errors.ts";
import { CONSISTENCY_PATH, object, TEXT, time } from "./schema.ts";

/** Two checkpoints of one log; the second does not extend the first. */
export interface LogHistories {
  readonly origin: string;
  /** Unix seconds. */
  readonly foundAt: number;
  /** Signed notes; the second size is not smaller. */
  readonly first: string;
  readonly second: string;
  /**
   * RFC 9162 consistency path from another tree of the first size to the second, with the root of that
   * tree as `showFirstRoot` puts it; empty for equal sizes.
   */
  readonly path: readonly Bytes[];
}

const LOG_HISTORIES = object({
  origin: TEXT,
  found_at: time("When it was found; not signed"),
  first_checkpoint: TEXT,
  second_checkpoint: TEXT,
  consistency_path: CONSISTENCY_PATH,
}).map(
  (members): LogHistories => ({
    origin: members.origin,
    foundAt: members.found_at,
    first: members.first_checkpoint,
    second: members.second_checkpoint,
    path: members.consistency_path,
  }),
  "",
);

/** The JSON text, indented. */
export function encodeLogHistories(
  { origin, foundAt, first, second, path }: LogHistories,
): string {
  const members = {
    origin,
    found_at: foundAt,
    first_checkpoint: first,
    second_checkpoint: second,
    consistency_path: path.map((node) => hexOf(node)),
  };
  return `${JSON.stringify(members, undefined, 2)}\n`;
}

/** Reads evidence; refused with `code`. Nothing is verified. */
export function parseLogHistories(text: string, code: ErrorCode): LogHistories {
  return LOG_HISTORIES.parseText(text, { where: "two histories", code });
}
