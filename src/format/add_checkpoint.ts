/**
 * The body of `add-checkpoint` (c2sp.org/tlog-witness):
 *
 *     old <size from which the proof leads>
 *     <base64 hash, one line for each of the consistency proof, at most 63>
 *
 *     <the checkpoint, a signed note>
 *
 * @module
 */

import { base64Of, type Bytes, bytesOfBase64, HASH_LENGTH, integerOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import { type Note, parseNote } from "./note.ts";
import { encodeNote } from "./note_writer.ts";

/** A checkpoint that a witness is asked to cosign. Nothing of it is verified. */
export interface AddCheckpoint {
  readonly oldSize: number;
  readonly consistencyPath: readonly Bytes[];
  readonly checkpoint: Note;
}

/** What the specification admits. */
const MAX_PATH_LENGTH = 63;
const OLD = "old ";

/** The exact body. */
export function encodeAddCheckpoint(request: AddCheckpoint): string {
  const path = request.consistencyPath.map((hash) => `${base64Of(hash)}\n`).join("");
  return `${OLD}${request.oldSize}\n${path}\n${encodeNote(request.checkpoint)}`;
}

/** The request of its exact body; `malformed_text` for any other. */
export function parseAddCheckpoint(text: string): AddCheckpoint {
  const split = text.indexOf("\n\n");
  if (split < 0) throw malformed("no empty line before the checkpoint");
  const [old = "", ...encoded] = text.slice(0, split).split("\n");
  const oldSize = old.startsWith(OLD) ? integerOf(old.slice(OLD.length)) : undefined;
  if (oldSize === undefined) throw malformed("no canonical old size");
  if (encoded.length > MAX_PATH_LENGTH) throw malformed(`${encoded.length} proof lines`);
  const consistencyPath = encoded.map((line) => {
    const hash = bytesOfBase64(line);
    if (hash?.length !== HASH_LENGTH) throw malformed("a proof line that is no hash");
    return hash;
  });
  return { oldSize, consistencyPath, checkpoint: parseNote(text.slice(split + 2)) };
}

function malformed(found: string): CountersignError {
  return new CountersignError(
    "malformed_text",
    `Cannot read add-checkpoint request: an old size, at most ${MAX_PATH_LENGTH} hashes and a ` +
      `checkpoint required, ${found} found`,
  );
}
