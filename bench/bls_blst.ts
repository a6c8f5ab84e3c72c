/**
 * Native blst through `@chainsafe/blst`, the fastest implementation. Minimal public key size only.
 *
 * @module
 */

import { type BlsContender, blsInputs, inTurn, makes } from "./bls_operations.ts";

/** Number of alternating keys for implementations without a key cache. */
const NEW_KEYS = 16;

/** Blst with its own inputs; throws if there is no build for this machine. */
export async function blstContender(): Promise<BlsContender> {
  const blst = await import("@chainsafe/blst");
  const { PublicKey, SecretKey, Signature } = blst;
  const sumOf = (signatures: readonly Uint8Array[]) =>
    blst.aggregateSerializedSignatures([...signatures], true).toBytes();
  const { own, byNewKeys, shares, sum, signers, batch } = blsInputs({
    skToPk: (secretKey) => SecretKey.fromBytes(secretKey).toPublicKey().toBytes(),
    sign: (secretKey, message) => SecretKey.fromBytes(secretKey).sign(message).toBytes(),
    aggregate: sumOf,
  }, NEW_KEYS);
  const next = inTurn(byNewKeys);
  const known = PublicKey.fromBytes(own.publicKey, true);
  const knownSum = blst.aggregateSerializedPublicKeys([...signers], true);
  return {
    name: "blst, native",
    remarks: [
      "blst, native: minimal public key size, hashing to G2; many signatures by random " +
      "coefficients, but with a pairing for each",
    ],
    operations: {
      sign: () =>
        makes(own.signature, SecretKey.fromBytes(own.secretKey).sign(own.message).toBytes()),
      verifyNew() {
        const { publicKey, message, signature } = next();
        return blst.verify(
          message,
          PublicKey.fromBytes(publicKey, true),
          Signature.fromBytes(signature, true),
        );
      },
      verifyKnown: () => blst.verify(own.message, known, Signature.fromBytes(own.signature, true)),
      aggregate: () => makes(sum, sumOf(shares)),
      batch: () =>
        blst.verifyMultipleAggregateSignatures(
          batch.map(({ message, signature }) => ({
            msg: message,
            pk: knownSum,
            sig: Signature.fromBytes(signature, true),
          })),
        ),
      keyValidate: () => PublicKey.fromBytes(next().publicKey, true) !== undefined,
      skToPk: () =>
        makes(own.publicKey, SecretKey.fromBytes(own.secretKey).toPublicKey().toBytes()),
    },
  };
}
