/**
 * `POST /add-checkpoint` (c2sp.org/tlog-witness): the same rule and the same state as
 * `POST /v1/cosign`, for logs that know nothing of this project. No gateway proposes a time here, so
 * the witness takes its own. Witnesses with an Ed25519 key alone have the route.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import { parseAddCheckpoint } from "../format/add_checkpoint.ts";
import { cosignatureLine, encodeSignatureLine, type Note } from "../format/note.ts";
import { NOTE_TYPE, noteKeyId } from "../format/note_key.ts";
import { parseCheckpointBody } from "../format/tree_head.ts";
import type { Witness } from "../witness/witness.ts";

/** The witness's signature line, newline included, or the size at which it stands. */
export type AddCheckpointAnswer =
  | { readonly kind: "cosigned"; readonly line: string }
  | { readonly kind: "size_conflict"; readonly size: number };

/**
 * Cosigns the checkpoint of a request's body. Rejects with `malformed_text`, `origin_unknown`,
 * `log_signature_refused`, `malformed_request`, `consistency_refused` or `storage_failed`, in the
 * order in which the specification checks.
 */
export async function addCheckpoint(
  witness: Witness,
  clock: Clock,
  text: string,
): Promise<AddCheckpointAnswer> {
  const { oldSize, consistencyPath, checkpoint } = parseAddCheckpoint(text);
  const origin = checkpoint.text.slice(0, checkpoint.text.indexOf("\n"));
  const logKey = witness.logKey(origin);
  if (logKey === undefined) {
    throw new CountersignError(
      "origin_unknown",
      "Cannot cosign checkpoint: an origin that is followed required, another found",
    );
  }
  const timestamp = unixSeconds(clock);
  const answer = await witness.cosign({
    treeHead: { ...parseCheckpointBody(checkpoint.text), timestamp },
    logSignature: logSignature(checkpoint, origin, logKey),
    oldSize,
    consistencyPath,
  }, "stranger");
  if (answer.kind === "size_conflict") return answer;
  const { id: name, publicKey } = witness;
  const key = { name, type: NOTE_TYPE.cosignature, publicKey };
  return {
    kind: "cosigned",
    line: encodeSignatureLine(cosignatureLine(key, timestamp, answer.signature)),
  };
}

/** The signature by the log's key, still to be verified: lines of other keys are ignored. */
function logSignature(checkpoint: Note, origin: string, publicKey: Bytes): Bytes {
  const keyId = noteKeyId({ name: origin, type: NOTE_TYPE.ed25519, publicKey });
  const [first, ...others] = checkpoint.signatures.filter((signature) =>
    signature.name === origin && equalBytes(signature.keyId, keyId)
  );
  // c2sp.org/signed-note: a signature by a known key that does not verify refuses the whole note.
  // Only one is verified, so further ones by the same key have to be the same.
  if (
    first === undefined || others.some((other) => !equalBytes(other.payload, first.payload))
  ) {
    throw new CountersignError(
      "log_signature_refused",
      "Cannot cosign checkpoint: a signature by the log's key required, another found",
    );
  }
  return first.payload;
}
