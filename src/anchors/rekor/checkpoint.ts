/**
 * Checkpoints of Rekor logs: C2SP signed notes (c2sp.org/signed-note) whose text is an origin, a size
 * and a root (c2sp.org/tlog-checkpoint), and lines that are the log's own. Other than ours, a line
 * may be signed by ECDSA, and logs of API version 1 append the number of a shard to their origin.
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
import type { TrustedLog } from "./roots.ts";
import { verifyLogSignature } from "./roots.ts";

/** A checkpoint, not verified. */
export interface RekorCheckpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Bytes;
  readonly note: Note;
}

const MAX_LENGTH = 16_384;

/** The checkpoint of a note's text; `malformed_text` for any other. */
export function parseRekorCheckpoint(text: string): RekorCheckpoint {
  if (text.length > MAX_LENGTH) throw malformed(`at most ${MAX_LENGTH} characters`);
  const note = parseNote(text);
  const [origin = "", size = "", root = "", ...others] = note.text.slice(0, -1).split("\n");
  const checkpoint = { origin, size: integerOf(size), root: bytesOfBase64(root), note };
  if (origin === "" || others.includes("")) throw malformed("lines that are not empty");
  if (checkpoint.size === undefined) throw malformed("a decimal size below 2^53");
  if (checkpoint.root?.length !== HASH_LENGTH) throw malformed("a root of 32 bytes");
  return { origin, size: checkpoint.size, root: checkpoint.root, note };
}

/** True when a checkpoint of `origin` is one of `log`, or of one of its shards. */
export function isOriginOf(log: TrustedLog, origin: string): boolean {
  return origin === log.origin ||
    origin.startsWith(`${log.origin} - `) && /^[0-9]+$/.test(origin.slice(log.origin.length + 3));
}

/**
 * True when `log` signed the note. Lines of others, such as witnesses, are ignored; every one that
 * names the log's key has to verify.
 */
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

function malformed(required: string): CountersignError {
  return new CountersignError(
    "malformed_text",
    `Cannot read checkpoint of Rekor log: ${required} required, found otherwise`,
  );
}
