/**
 * The two shapes of a threshold signature (protocol.md "Resources"), as members of the resource that
 * is signed. A resource has exactly one shape.
 *
 * @module
 */

import { isWitnessId, WITNESS_ID } from "./names.ts";
import { hex, list, type Members, object, type OfMembers, type Schema, union } from "./schema.ts";
import type { JsonObject } from "./strict_json.ts";

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

/** The id of a signer. */
export const SIGNER = WITNESS_ID.map(
  (id) => isWitnessId(id) ? id : undefined,
  "a witness id of 1 to 112 characters",
);

const SIGNATURES = list(
  object({
    witness_id: SIGNER,
    signature: hex(SIGNATURE_LENGTH.ed25519, "Ed25519 signature (RFC 8032)"),
  }).named("WitnessSignature"),
).with({ description: "One signature per witness, strictly ascending by witness_id" });

/** A resource of `members` with the signatures of a threshold, of either shape and never a mixture. */
export function signed<const M extends Members>(
  name: string,
  members: M,
  keywords: JsonObject,
): Schema<OfMembers<M> & SignatureSet> {
  const schemas = union(
    object({ ...members, signatures: SIGNATURES }).named(`Ed25519${name}`),
    object({
      ...members,
      signature: hex(SIGNATURE_LENGTH.bls, "Aggregate BLS12-381 signature in G1, compressed"),
      signers: list(SIGNER).with({
        description: "Ids of the witnesses in the aggregate, strictly ascending",
      }),
    }).named(`Bls${name}`),
  ).named(name, keywords);
  return schemas as unknown as Schema<OfMembers<M> & SignatureSet>;
}
