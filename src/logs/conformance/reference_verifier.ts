/**
 * Our verifier with the interface of `conformance verifier`.
 *
 * @module
 */

import { type Bytes, textOf } from "../../base/bytes.ts";
import { leafHash } from "../../proof/crypto/hashing.ts";
import { CountersignError } from "../../base/errors.ts";
import { parseLogPolicy } from "../../proof/format/log_policy.ts";
import { parseNote } from "../../proof/format/note.ts";
import { NOTE_TYPE, type NoteKey, parseVkey } from "../../proof/format/note_key.ts";
import { parseTlogProof } from "../../proof/format/tlog_proof.ts";
import { verifyNote } from "../../proof/verify/note.ts";
import { verifyPolicyCheckpoint } from "../../proof/verify/policy_checkpoint.ts";
import { verifyTlogProof } from "../../proof/verify/tlog_proof.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";
import type { VectorKind } from "./vectors.ts";

const KEY_TYPES = [NOTE_TYPE.ed25519, NOTE_TYPE.cosignature, NOTE_TYPE.mlDsaCosignature];

/** Whether the inputs, in the order of `VECTOR_INPUTS`, are accepted. */
export async function accepts(
  crypto: VerifierCrypto,
  kind: VectorKind,
  inputs: readonly Bytes[],
): Promise<boolean> {
  try {
    return await isValid(crypto, kind, inputs);
  } catch (error) {
    if (error instanceof CountersignError) return false;
    throw error;
  }
}

async function isValid(
  crypto: VerifierCrypto,
  kind: VectorKind,
  [first, second, third]: readonly Bytes[],
): Promise<boolean> {
  if (kind === "vkey") return keysOf(first!).length === 1;
  if (kind === "note") {
    return (await verifyNote(crypto, keysOf(first!), parseNote(textOf(second!)))).valid;
  }
  const policy = parseLogPolicy(first!);
  if (kind === "policy") return true;
  if (kind === "checkpoint") {
    return (await verifyPolicyCheckpoint(crypto, policy, textOf(second!))).valid;
  }
  const proof = parseTlogProof(textOf(third!));
  return (await verifyTlogProof(crypto, policy, proof, leafHash(crypto.kernels, second!))).valid;
}

/** Reads one key from each line; `invalid_key`. */
function keysOf(bytes: Bytes): NoteKey[] {
  const lines = textOf(bytes, "invalid_key").split("\n");
  return lines.slice(0, -1).map((line) => parseVkey(line, KEY_TYPES));
}
