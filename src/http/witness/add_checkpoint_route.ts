/**
 * `POST /add-checkpoint` (c2sp.org/tlog-witness): cosigns checkpoints of any C2SP log by the same rules
 * and with the same state as `POST /v1/cosign`. The witness signs its own time. Only witnesses with an
 * Ed25519 key have the route.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../../bytes.ts";
import { type Clock, unixSeconds } from "../../clock.ts";
import { CountersignError } from "../../errors.ts";
import { parseAddCheckpoint } from "../../format/add_checkpoint.ts";
import { type Note } from "../../format/note.ts";
import { cosignatureLine, encodeSignatureLine } from "../../format/note_writer.ts";
import { NOTE_TYPE, noteKeyId } from "../../format/note_key.ts";
import { parseCheckpointBody } from "../../format/tree_head.ts";
import type { Witness } from "../../witness/witness.ts";

/** The witness's signature line with its newline, or the size of its tree head. */
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
      "Unknown origin: this witness does not follow the log",
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

/** The unverified signature by the log's key. Lines of other keys are ignored. */
function logSignature(checkpoint: Note, origin: string, publicKey: Bytes): Bytes {
  const keyId = noteKeyId({ name: origin, type: NOTE_TYPE.ed25519, publicKey });
  const [first, ...others] = checkpoint.signatures.filter((signature) =>
    signature.name === origin && equalBytes(signature.keyId, keyId)
  );
  // c2sp.org/signed-note rejects a note if any signature by a known key does not verify. Only one is
  // verified, so further signatures by the same key must be equal to it.
  if (
    first === undefined || others.some((other) => !equalBytes(other.payload, first.payload))
  ) {
    throw new CountersignError(
      "log_signature_refused",
      "Cannot cosign checkpoint: it needs one signature by the log's key",
    );
  }
  return first.payload;
}
