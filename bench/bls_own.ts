/**
 * Our implementations of the BLS scheme.
 *
 * @module
 */

import type { Bytes } from "../src/base/bytes.ts";
import { type Bls, BLS_SECRET_LENGTH, popProve } from "../src/proof/crypto/bls.ts";
import { popVerify } from "../src/proof/crypto/bls_verifier.ts";
import { BLS_SIGNATURE_DST as DST } from "../src/proof/crypto/domains.ts";
import {
  type BlsContender,
  type BlsInputs,
  blsInputs,
  inTurn,
  makes,
  type SignedByKey,
} from "./bls_operations.ts";

/** A signature with a proof of possession of its key. */
interface ProvenKey extends SignedByKey {
  readonly proof: Bytes;
}

/** Inputs of minimal signature size. */
export interface OwnInputs extends BlsInputs {
  readonly byNewKeys: readonly ProvenKey[];
  /** The hash of the message of `own`. */
  readonly hash: Bytes;
  /** The generator of G2, the key of the secret 1. */
  readonly generator: Bytes;
}

/** Inputs made by `bls`. */
export function ownInputs(bls: Bls): OwnInputs {
  const inputs = blsInputs({
    skToPk: (secretKey) => bls.skToPk(secretKey),
    sign: (secretKey, message) => bls.sign(secretKey, message, DST),
    aggregate: (signatures) => bls.aggregate(signatures)!,
  });
  return {
    ...inputs,
    byNewKeys: inputs.byNewKeys.map((key) => ({ ...key, proof: popProve(bls, key.secretKey) })),
    hash: bls.hashToG1(inputs.own.message, DST),
    generator: bls.skToPk(
      Uint8Array.from({ length: BLS_SECRET_LENGTH }, (_, i) => i === 31 ? 1 : 0),
    ),
  };
}

/** `bls` with a name. */
export function ownContender(
  name: string,
  bls: Bls,
  inputs: OwnInputs,
  remarks: readonly string[] = [],
): BlsContender {
  const { own, shares, sum, signers, batch, hash } = inputs;
  const checks = batch.map((signed) => ({ publicKeys: signers, ...signed }));
  const next = inTurn(inputs.byNewKeys);
  return {
    name,
    remarks,
    operations: {
      hash: () => makes(hash, bls.hashToG1(own.message, DST)),
      sign: () => makes(own.signature, bls.sign(own.secretKey, own.message, DST)),
      verifyNew() {
        const { publicKey, message, signature } = next();
        return bls.verify(publicKey, message, signature, DST);
      },
      verifyKnown: () => bls.verify(own.publicKey, own.message, own.signature, DST),
      aggregate: () => makes(sum, bls.aggregate(shares)),
      batch: () => bls.batchVerify(checks, DST).every((holds) => holds),
      possession() {
        const { publicKey, proof } = next();
        return popVerify(bls, publicKey, proof);
      },
      keyValidate: () => bls.keyValidate(next().publicKey),
      skToPk: () => makes(own.publicKey, bls.skToPk(own.secretKey)),
    },
  };
}
