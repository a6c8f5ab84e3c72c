/**
 * The body of `sign-subtree` (c2sp.org/tlog-witness):
 *
 *     subtree <start> <end>
 *     <base64 hash of the subtree>
 *     <at most 63 lines, each a base64 hash of the subtree consistency proof>
 *
 *     <a checkpoint that the witness cosigned, a signed note>
 *
 * @module
 */

import { type Bytes, bytesOfBase64, HASH_LENGTH, integerOf } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";
import { type Note, parseNote } from "./note.ts";

/** A request to cosign a subtree. Not verified. */
export interface SignSubtree {
  readonly start: number;
  readonly end: number;
  readonly root: Bytes;
  readonly path: readonly Bytes[];
  readonly checkpoint: Note;
}

const malformed = errorBuilder("malformed_text", "Cannot read sign-subtree request");

/** From the specification. */
const MAX_PATH_LENGTH = 63;

/** Parses the exact body; `malformed_text`. */
export function parseSignSubtree(text: string): SignSubtree {
  const split = text.indexOf("\n\n");
  if (split < 0) throw malformed("no empty line before the checkpoint");
  const [range = "", ...encoded] = text.slice(0, split).split("\n");
  const [word, startText = "", endText = "", ...rest] = range.split(" ");
  const [start, end] = [integerOf(startText), integerOf(endText)];
  if (word !== "subtree" || start === undefined || end === undefined || rest.length > 0) {
    throw malformed("the first line is not a subtree and its range");
  }
  const [root, ...path] = encoded.map((line) => {
    const hash = bytesOfBase64(line);
    if (hash?.length !== HASH_LENGTH) throw malformed("a line is not a hash");
    return hash;
  });
  if (root === undefined) throw malformed("it has no hash of the subtree");
  if (path.length > MAX_PATH_LENGTH) throw malformed(`more than ${MAX_PATH_LENGTH} proof lines`);
  return { start, end, root, path, checkpoint: parseNote(text.slice(split + 2)) };
}
