/**
 * The body of `add-checkpoint` (c2sp.org/tlog-witness):
 *
 *     old <size that the consistency proof begins at>
 *     <at most 63 lines, each a base64 hash of the proof>
 *
 *     <the checkpoint, a signed note>
 *
 * @module
 */

import { base64Of, type Bytes, bytesOfBase64, HASH_LENGTH, integerOf } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";
import { type Note, parseNote } from "./note.ts";
import { encodeNote } from "./note_writer.ts";

/** A request to cosign a checkpoint. Not verified. */
export interface AddCheckpoint {
  readonly oldSize: number;
  readonly consistencyPath: readonly Bytes[];
  readonly checkpoint: Note;
}

const malformed = errorBuilder("malformed_text", "Cannot read add-checkpoint request");

/** From the specification. */
const MAX_PATH_LENGTH = 63;
const OLD = "old ";

/** The exact body. */
export function encodeAddCheckpoint(request: AddCheckpoint): string {
  const path = request.consistencyPath.map((hash) => `${base64Of(hash)}\n`).join("");
  return `${OLD}${request.oldSize}\n${path}\n${encodeNote(request.checkpoint)}`;
}

/** Parses the exact body; `malformed_text`. */
export function parseAddCheckpoint(text: string): AddCheckpoint {
  const split = text.indexOf("\n\n");
  if (split < 0) throw malformed("no empty line before the checkpoint");
  const [old = "", ...encoded] = text.slice(0, split).split("\n");
  const oldSize = old.startsWith(OLD) ? integerOf(old.slice(OLD.length)) : undefined;
  if (oldSize === undefined) throw malformed("the first line is not an old size");
  if (encoded.length > MAX_PATH_LENGTH) throw malformed(`more than ${MAX_PATH_LENGTH} proof lines`);
  const consistencyPath = encoded.map((line) => {
    const hash = bytesOfBase64(line);
    if (hash?.length !== HASH_LENGTH) throw malformed("a proof line is not a hash");
    return hash;
  });
  return { oldSize, consistencyPath, checkpoint: parseNote(text.slice(split + 2)) };
}
