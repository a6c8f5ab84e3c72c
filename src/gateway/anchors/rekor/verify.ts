/**
 * Verifies an entry of a Rekor log in two steps: the entry itself, then the signatures of a trusted
 * log over it.
 *
 * `@sigstore/verify` serves as an oracle in the tests only: it needs the artifact, where a verifier
 * has its digest, and it names no hash for ECDSA, which `node:crypto` of Deno requires.
 *
 * Checkpoints of Rekor logs are C2SP signed notes (c2sp.org/signed-note) with an origin, a size, a
 * root (c2sp.org/tlog-checkpoint) and extension lines. Unlike in our checkpoints, a signature may be
 * ECDSA, and logs of API version 1 append the number of a shard to their origin.
 *
 * @module
 */

import {
  base64Of,
  type Bytes,
  bytesOfBase64,
  equalBytes,
  HASH_LENGTH,
  hexOf,
  integerOf,
  utf8,
} from "../../../base/bytes.ts";
import { verifyP256 } from "../../../proof/crypto/p256.ts";
import { portableKernels } from "../../../proof/crypto/portable_kernels.ts";
import { errorBuilder } from "../../../base/errors.ts";
import { type Note, parseNote } from "../../../proof/format/note.ts";
import { verifyInclusion } from "../../../proof/merkle/proof.ts";
import type { RekorProof } from "./bundle.ts";
import type { RekorEntry } from "./entry.ts";
import { type TrustedLog, verifyLogSignature } from "./keys.ts";

const refused = errorBuilder("proof_refused", "Cannot verify Rekor entry");
const malformed = errorBuilder("malformed_text", "Cannot read checkpoint of Rekor log");

/**
 * Checks that an entry records a signature over `digest` and that its path leads to the root of its
 * checkpoint. Returns the checkpoint.
 *
 * @throws CountersignError `proof_refused`, `malformed_text`
 */
export async function verifyEntry(
  { entry, record }: RekorProof,
  digest: Uint8Array,
): Promise<RekorCheckpoint> {
  if (!equalBytes(record.digest, digest)) throw refused("it is for another digest");
  if (!await verifyP256(record.publicKey, digest, record.signature)) {
    throw refused("its signature is invalid");
  }
  const { index, size, root, path } = entry.inclusion;
  const checkpoint = parseRekorCheckpoint(entry.inclusion.checkpoint);
  if (checkpoint.size !== size) throw refused("its tree size is not that of the checkpoint");
  if (!equalBytes(checkpoint.root, root)) throw refused("its root is not that of the checkpoint");
  const leafHash = portableKernels.leafHashes(entry.body, Uint32Array.of(entry.body.length));
  if (!verifyInclusion(portableKernels, { leafHash, index, size, path, root })) {
    throw refused("its inclusion proof does not lead to the root of the checkpoint");
  }
  return checkpoint;
}

/**
 * Returns the one of `logs` that signed the checkpoint and the promise, if there is one.
 *
 * @throws CountersignError `proof_refused`
 */
export async function verifyLog(
  entry: RekorEntry,
  checkpoint: RekorCheckpoint,
  logs: readonly TrustedLog[],
): Promise<TrustedLog> {
  const log = logs.find(({ keyId }) => equalBytes(keyId, entry.logId));
  if (log === undefined) throw refused("its log is not among the roots");
  if (!isOriginOf(log, checkpoint.origin)) {
    throw refused(`the origin of the checkpoint is not ${log.origin}`);
  }
  if (!await isSignedBy(log, checkpoint.note)) {
    throw refused(`${log.origin} did not sign the checkpoint`);
  }
  const { promise } = entry;
  if (promise === undefined) return log;
  if (!await verifyLogSignature(log, promisedMessage(entry, promise), promise.signature)) {
    throw refused(`${log.origin} did not sign the time`);
  }
  if (promise.integratedTime < log.validFrom || promise.integratedTime > log.validTo) {
    throw refused("the log's key was not valid at the time");
  }
  return log;
}

/** The message of a signed entry timestamp (sigstore/rekor `pkg/api/entries.go`, RFC 8785). */
function promisedMessage(
  { body, logId, logIndex }: RekorEntry,
  { integratedTime }: { readonly integratedTime: number },
): Bytes {
  const logID = hexOf(logId);
  return utf8(JSON.stringify({ body: base64Of(body), integratedTime, logID, logIndex }));
}

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
  const [origin, sizeText = "", rootText = "", ...others] = note.text.slice(0, -1).split("\n");
  if (!origin || others.includes("")) throw malformed("a line is empty");
  const size = integerOf(sizeText);
  if (size === undefined) throw malformed("the size is not a decimal integer below 2^53");
  const root = bytesOfBase64(rootText);
  if (root?.length !== HASH_LENGTH) throw malformed("the root is not 32 bytes");
  return { origin, size, root, note };
}

/** Reports whether `origin` is that of `log` or of one of its shards. */
function isOriginOf(log: TrustedLog, origin: string): boolean {
  return origin === log.origin ||
    origin.startsWith(`${log.origin} - `) && /^[0-9]+$/.test(origin.slice(log.origin.length + 3));
}

/** Reports whether `log` signed the note: every line with the log's name and key ID must verify. */
async function isSignedBy(log: TrustedLog, note: Note): Promise<boolean> {
  const hint = log.keyId.subarray(0, 4);
  const lines = note.signatures.filter(({ name, keyId }) =>
    name === log.origin && equalBytes(keyId, hint)
  );
  for (const { payload } of lines) {
    if (!await verifyLogSignature(log, utf8(note.text), payload)) return false;
  }
  return lines.length > 0;
}
