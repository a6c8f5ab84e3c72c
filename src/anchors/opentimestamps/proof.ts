/**
 * The proof of an OpenTimestamps anchor: `{"ots": "<base64>"}` with the `.ots` file of the anchored
 * digest.
 *
 * @module
 */

import { base64Of, type Bytes, bytesOfBase64, equalBytes } from "../../bytes.ts";
import type { JsonValue } from "../../format/strict_json.ts";
import type { Attestation } from "./attestation.ts";
import {
  decodeTimestampFile,
  encodeTimestampFile,
  type Timestamp,
  visitMessages,
} from "./format.ts";
import { OPERATION_TAG } from "./operation.ts";
import { malformed } from "./reader.ts";

/** Maximum bytes of a file. In base64 and JSON it stays below `MAX_PROOF_BYTES`. */
export const MAX_FILE_LENGTH = 44_000;

/** Encodes the proof with `timestamp` of `digest`. */
export function otsProof(digest: Bytes, timestamp: Timestamp): JsonValue {
  return { ots: base64Of(encodeTimestampFile({ hash: OPERATION_TAG.sha256, digest, timestamp })) };
}

/** Parses the timestamp of `digest`, 32 bytes, in `proof`; `malformed_text`. */
export function parseOtsProof(digest: Bytes, proof: JsonValue): Timestamp {
  const file = decodeTimestampFile(otsFile(proof));
  if (file.hash !== OPERATION_TAG.sha256 || !equalBytes(file.digest, digest)) {
    throw malformed("it is for another digest");
  }
  return file.timestamp;
}

/** The bytes of the `.ots` file in `proof`, not decoded; `malformed_text`. */
export function otsFile(proof: JsonValue): Bytes {
  const members = typeof proof === "object" && proof !== null ? Object.entries(proof) : [];
  const [name, value] = members[0] ?? [];
  if (members.length !== 1 || name !== "ots" || typeof value !== "string") {
    throw malformed("the text ots is not its only member");
  }
  // Four characters encode three bytes. A longer text is not decoded.
  const bytes = value.length <= MAX_FILE_LENGTH * 4 / 3 + 4 ? bytesOfBase64(value) : undefined;
  if (bytes === undefined || bytes.length > MAX_FILE_LENGTH) {
    throw malformed(`ots is not base64 of at most ${MAX_FILE_LENGTH} bytes`);
  }
  return bytes;
}

/** A message and an attestation of it. */
export interface Attested<A extends Attestation = Attestation> {
  readonly message: Bytes;
  readonly attestation: A;
}

/** The attestations of `kind` under `timestamp` of `message`, each with its message. */
export function attestationsOf<K extends Attestation["kind"]>(
  kind: K,
  message: Bytes,
  timestamp: Timestamp,
): Attested<Extract<Attestation, { readonly kind: K }>>[] {
  const found: Attested<Extract<Attestation, { readonly kind: K }>>[] = [];
  visitMessages(message, timestamp, (at, { attestations }) => {
    for (const attestation of attestations) {
      if (isOfKind(attestation, kind)) found.push({ message: at, attestation });
    }
  });
  return found;
}

function isOfKind<K extends Attestation["kind"]>(
  attestation: Attestation,
  kind: K,
): attestation is Extract<Attestation, { readonly kind: K }> {
  return attestation.kind === kind;
}
