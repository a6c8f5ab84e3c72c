/**
 * The two shapes of a threshold signature (protocol.md "Resources"), as members of the resource that
 * is signed. A resource has exactly one shape.
 *
 * @module
 */

import type { Fields } from "./fields.ts";
import { isWitnessId } from "./names.ts";

/** The signature schemes of protocol.md "Signature schemes". */
export type SignatureScheme = "ed25519" | "bls";

/** Bytes of a signature on the wire. */
export const SIGNATURE_LENGTH: Readonly<Record<SignatureScheme, number>> = { ed25519: 64, bls: 48 };

/** Bytes of a public key on the wire. */
export const PUBLIC_KEY_LENGTH: Readonly<Record<SignatureScheme, number>> = {
  ed25519: 32,
  bls: 96,
};

/** The signature of one witness. */
export interface WitnessSignature {
  readonly witness_id: string;
  /** 128 lowercase hex. */
  readonly signature: string;
}

/** A list of signatures, strictly ascending by `witness_id`. */
export interface Ed25519SignatureSet {
  readonly signatures: readonly WitnessSignature[];
}

/** One aggregate signature and its signers, strictly ascending. */
export interface BlsSignatureSet {
  /** 96 lowercase hex. */
  readonly signature: string;
  readonly signers: readonly string[];
}

/** Either shape. */
export type SignatureSet = Ed25519SignatureSet | BlsSignatureSet;

/** True for the shape of an `ed25519` network. */
export function isEd25519Set(set: SignatureSet): set is Ed25519SignatureSet {
  return "signatures" in set;
}

/** How many witnesses `set` names. */
export function signerCount(set: SignatureSet): number {
  return signerIds(set).length;
}

/** The witnesses that `set` names. */
export function signerIds(set: SignatureSet): readonly string[] {
  return isEd25519Set(set) ? set.signatures.map(({ witness_id }) => witness_id) : set.signers;
}

/** The members of both shapes: optional members of a signed resource. */
export const SIGNATURE_MEMBERS = ["signatures", "signature", "signers"] as const;

/** Reads the one shape in `fields`; mixed, partial and absent shapes are malformed. */
export function readSignatureSet(fields: Fields): SignatureSet {
  const present = SIGNATURE_MEMBERS.filter((name) => fields.has(name)).join();
  if (present === "signatures") {
    return {
      signatures: fields.objects("signatures", ["witness_id", "signature"]).map((entry) => ({
        witness_id: readWitnessId(entry.text("witness_id"), entry),
        signature: entry.hex("signature", SIGNATURE_LENGTH.ed25519),
      })),
    };
  }
  if (present === "signature,signers") {
    return {
      signature: fields.hex("signature", SIGNATURE_LENGTH.bls),
      signers: fields.texts("signers").map((id) => readWitnessId(id, fields)),
    };
  }
  throw fields.error("needs either signatures, or signature and signers");
}

function readWitnessId(text: string, fields: Fields): string {
  if (isWitnessId(text)) return text;
  throw fields.error("malformed witness id");
}
