/**
 * Noble's own signature functions, which the program never calls (`proof/crypto/portable_bls.ts`).
 *
 * @module
 */

import { bls12_381 } from "@noble/curves/bls12-381.js";
import { BLS_POSSESSION_DST, BLS_SIGNATURE_DST as DST } from "../src/proof/crypto/domains.ts";
import { type BlsContender, inTurn, makes } from "./bls_operations.ts";
import type { OwnInputs } from "./bls_own.ts";

const { shortSignatures: scheme, G2: { Point } } = bls12_381;

/** Noble's public functions with our inputs. */
export function nobleContender(inputs: OwnInputs): BlsContender {
  const { own, shares, sum, signers, batch, hash } = inputs;
  const next = inTurn(inputs.byNewKeys);
  const known = Point.fromBytes(own.publicKey);
  const knownSum = scheme.aggregatePublicKeys([...signers]);
  return {
    name: "noble",
    remarks: ["noble: one by one; it has no verification of many signatures"],
    operations: {
      hash: () => makes(hash, scheme.hash(own.message, DST).toBytes()),
      sign: () =>
        makes(own.signature, scheme.sign(scheme.hash(own.message, DST), own.secretKey).toBytes()),
      verifyNew() {
        const { publicKey, message, signature } = next();
        return scheme.verify(signature, scheme.hash(message, DST), publicKey);
      },
      verifyKnown: () => scheme.verify(own.signature, scheme.hash(own.message, DST), known),
      aggregate: () => makes(sum, scheme.aggregateSignatures([...shares]).toBytes()),
      batch: () =>
        batch.every(({ message, signature }) =>
          scheme.verify(signature, scheme.hash(message, DST), knownSum)
        ),
      possession() {
        const { publicKey, proof } = next();
        return scheme.verify(proof, scheme.hash(publicKey, BLS_POSSESSION_DST), publicKey);
      },
      keyValidate() {
        const point = Point.fromBytes(next().publicKey);
        point.assertValidity();
        return !point.is0();
      },
      skToPk: () => makes(own.publicKey, scheme.getPublicKey(own.secretKey).toBytes()),
    },
  };
}
