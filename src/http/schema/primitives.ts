/**
 * Schemas of the basic values on the wire (protocol.md "Encodings", "Signed messages").
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import { HASH_LENGTH, INTEGER_LIMIT } from "../../bytes.ts";
import { isNetworkId, isWitnessId } from "../../format/names.ts";
import { SIGNATURE_LENGTH } from "../../format/signature_set.ts";
import { HASH, NETWORK, SIGNED_ATTESTATION } from "./examples.ts";

/** An integer in [0, 2^53). */
export function count(description: string, example?: number): z.ZodNumber {
  return z.int().min(0).max(INTEGER_LIMIT - 1).openapi({
    description,
    ...(example !== undefined && { example }),
  });
}

/** Unix seconds. */
export function time(description: string): z.ZodNumber {
  return count(`${description}, Unix seconds`, 1766275200);
}

/** Lowercase hex of exactly `byteLength` bytes. */
export function hex(byteLength: number, description: string): z.ZodString {
  return z.string().regex(new RegExp(`^[0-9a-f]{${2 * byteLength}}$`)).openapi({ description });
}

/** `schema` or null. `nullable()` would make the named component itself nullable. */
export function orNull<S extends z.ZodType>(schema: S): z.ZodUnion<[S, z.ZodNull]> {
  return z.union([schema, z.null()]);
}

export const Hash = hex(HASH_LENGTH, "32 bytes, lowercase hex").openapi("Hash", { example: HASH });

export const NetworkId = z.string().min(1).max(48).regex(/^[A-Za-z0-9][A-Za-z0-9._~/-]*$/)
  .refine(isNetworkId).openapi("NetworkId", {
    description: "The log's C2SP origin",
    example: NETWORK.id,
  });

export const WitnessId = z.string().min(1).max(80).regex(/^[A-Za-z0-9][A-Za-z0-9._~/-]*$/)
  .refine(isWitnessId).openapi("WitnessId", {
    description: "The witness's C2SP key name",
    example: NETWORK.witnesses[0]!.id,
  });

export const HashPath = z.array(Hash).readonly().openapi("HashPath", {
  description: "Hashes of an RFC 9162 proof, in the order in which the RFC's algorithm reads them",
  example: SIGNED_ATTESTATION.round.inclusion_path,
});

const WitnessSignature = z.strictObject({
  witness_id: WitnessId,
  signature: hex(SIGNATURE_LENGTH.ed25519, "Ed25519 signature (RFC 8032)"),
}).openapi("WitnessSignature", { example: SIGNED_ATTESTATION.signatures[0] });

/** Signature members of a resource in an `ed25519` network. */
export const ED25519_MEMBERS = {
  signatures: z.array(WitnessSignature).readonly().openapi({
    description: "One signature per witness, strictly ascending by witness_id",
    example: SIGNED_ATTESTATION.signatures,
  }),
};

/** Signature members of a resource in a `bls` network. */
export const BLS_MEMBERS = {
  signature: hex(SIGNATURE_LENGTH.bls, "Aggregate BLS12-381 signature in G1, compressed"),
  signers: z.array(WitnessId).readonly().openapi({
    description: "Ids of the witnesses in the aggregate, strictly ascending",
  }),
};
