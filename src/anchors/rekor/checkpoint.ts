/**
 * Checkpoints of Rekor logs: C2SP signed notes (c2sp.org/signed-note) with an origin, a size, a
 * root (c2sp.org/tlog-checkpoint) and extension lines. Unlike our checkpoints, a signature may be
 * ECDSA, and logs of API version 1 append the number of a shard to their origin.
 *
 * @module
 */

import {
  type Bytes,
  bytesOfBase64,
  equalBytes,
  HASH_LENGTH,
  integerOf,
  utf8,
} from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import { type Note, parseNote } from "../../format/note.ts";
import { type TrustedLog, verifyLogSignature } from "./roots.ts";

/** A checkpoint, not verified. */
export interface RekorCheckpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Bytes;
  readonly note: Note;
}

const MAX_LENGTH = 16_384;

/** Parses a checkpoint; `malformed_text` for any other text. */
export function parseRekorCheckpoint(text: string): RekorCheckpoint {
  if (text.length > MAX_LENGTH) throw malformed(`it is longer than ${MAX_LENGTH} characters`);
  const note = parseNote(text);
  const [origin = "", size = "", root = "", ...others] = note.text.slice(0, -1).split("\n");
  const checkpoint = { origin, size: integerOf(size), root: bytesOfBase64(root), note };
  if (origin === "" || others.includes("")) throw malformed("a line is empty");
  if (checkpoint.size === undefined) {
    throw malformed("the size is not a decimal integer below 2^53");
  }
  if (checkpoint.root?.length !== HASH_LENGTH) throw malformed("the root is not 32 bytes");
  return { origin, size: checkpoint.size, root: checkpoint.root, note };
}

/** Reports whether `origin` is that of `log` or of one of its shards. */
export function isOriginOf(log: TrustedLog, origin: string): boolean {
  return origin === log.origin ||
    origin.startsWith(`${log.origin} - `) && /^[0-9]+$/.test(origin.slice(log.origin.length + 3));
}

/** Reports whether `log` signed the note: every line with the log's name and key ID must verify. */
export async function isSignedBy(log: TrustedLog, note: Note): Promise<boolean> {
  const hint = log.keyId.subarray(0, 4);
  const lines = note.signatures.filter(({ name, keyId }) =>
    name === log.origin && equalBytes(keyId, hint)
  );
  for (const { payload } of lines) {
    if (!await verifyLogSignature(log, utf8(note.text), payload)) return false;
  }
  return lines.length > 0;
}

function malformed(reason: string): CountersignError {
  return new CountersignError("malformed_text", `Cannot read checkpoint of Rekor log: ${reason}`);
}
