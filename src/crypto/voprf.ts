/**
 * VOPRF over P-384 with SHA-384 (RFC 9497 section 4.4, mode 0x01), which tokens of type 1 are made of
 * (RFC 9578 section 5). Elements are compressed points of 49 bytes, scalars 48 bytes, outputs 48. Who
 * verifies an output holds the private key. Noble's curves are loaded by the first use.
 *
 * @module
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { type Bytes, concat, utf8 } from "../bytes.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";

/** Length in bytes of a private key and of a blind (Ns). */
export const VOPRF_SCALAR_LENGTH = 48;

/** Length in bytes of a public key and of every other element (Ne). */
export const VOPRF_ELEMENT_LENGTH = 49;

/** Length in bytes of a proof: two scalars. */
export const VOPRF_PROOF_LENGTH = 2 * VOPRF_SCALAR_LENGTH;

/** Length in bytes of an output (Nh). */
export const VOPRF_OUTPUT_LENGTH = 48;

/** So many random bytes. */
export type RandomBytes = (length?: number) => Bytes;

/** A key pair of the holder. */
export interface VoprfKeyPair {
  readonly privateKey: Bytes;
  readonly publicKey: Bytes;
}

/** An input on its way: what is sent, and the secret that turns the answer into an output. */
export interface BlindedInput {
  readonly blinded: Bytes;
  /** Links the answer to the output: never leaves the client. */
  readonly blind: Bytes;
}

/** An answer, with the proof that it was made with the private key of the public one. */
export interface VoprfEvaluation {
  readonly evaluated: Bytes;
  readonly proof: Bytes;
}

/** The operations of the scheme. All are synchronous; each scalar multiplication is some 0.5 ms. */
export interface Voprf {
  generateKeyPair(): VoprfKeyPair;

  /** The public key of a private one; `invalid_key` unless it is 48 bytes in [1, n). */
  publicKeyOf(privateKey: Uint8Array): Bytes;

  /** The element again; `invalid_key` for what is none, the identity included. */
  checkPublicKey(publicKey: Uint8Array): Bytes;

  /**
   * Blinds `input` (RFC 9497 section 3.3.1). `random` gives so many random bytes, and is passed by
   * tests of published vectors alone.
   */
  blind(input: Uint8Array, random?: RandomBytes): BlindedInput;

  /** `token_request_refused` for a blinded element that {@linkcode Voprf.blindEvaluate} refuses. */
  checkBlinded(blinded: Uint8Array): void;

  /**
   * Evaluates `blinded` and proves it (RFC 9497 section 3.3.2); `token_request_refused` for what is no
   * element, the identity included. `random` as of {@linkcode Voprf.blind}.
   */
  blindEvaluate(keys: VoprfKeyPair, blinded: Uint8Array, random?: RandomBytes): VoprfEvaluation;

  /**
   * The output that `evaluation` hides, once its proof verifies; `issuer_refused` otherwise. `blinding`
   * is what {@linkcode Voprf.blind} gave for `input`.
   */
  finalize(
    input: Uint8Array,
    blinding: BlindedInput,
    publicKey: Uint8Array,
    evaluation: VoprfEvaluation,
  ): Bytes;

  /** True when `output` is that of `input`, compared in constant time. */
  isOutput(privateKey: Uint8Array, input: Uint8Array, output: Uint8Array): boolean;
}

type Nist = typeof import("@noble/curves/nist.js");

/** DST of HashToGroup: the context string of mode 0x01 (RFC 9497 sections 3.1 and 4.4). */
const HASH_TO_GROUP = "HashToGroup-OPRFV1-\x01-P384-SHA384";

const NO_ELEMENT =
  "Cannot evaluate blinded element: a compressed point of P-384 required, found other bytes";

let loaded: Promise<Voprf> | undefined;

/** The scheme, loaded once for all who ask. */
export function loadVoprf(): Promise<Voprf> {
  return loaded ??= import("@noble/curves/nist.js").then(voprfOver);
}

/** What noble throws of hostile bytes is a refusal with `code`. */
function attempt<Value>(code: ErrorCode, message: string, operation: () => Value): Value {
  try {
    return operation();
  } catch (cause) {
    throw new CountersignError(code, message, { cause });
  }
}

/** Noble reads other encodings of a point as well. */
function element(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== VOPRF_ELEMENT_LENGTH) throw new RangeError("another length");
  return bytes;
}

/** The bytes before which Hash is taken, each with its length before it (RFC 9497 section 3.3.1). */
function outputOf(input: Uint8Array, unblinded: Uint8Array): Uint8Array {
  const lengthOf = ({ length }: Uint8Array) => Uint8Array.of(length >> 8, length & 0xff);
  return createHash("sha384")
    .update(concat(lengthOf(input), input, lengthOf(unblinded), unblinded, utf8("Finalize")))
    .digest();
}

function voprfOver({ p384, p384_hasher, p384_oprf }: Nist): Voprf {
  const suite = p384_oprf.voprf;
  return {
    generateKeyPair() {
      const { secretKey, publicKey } = suite.generateKeyPair();
      return { privateKey: secretKey.slice(), publicKey: publicKey.slice() };
    },

    publicKeyOf: (privateKey) =>
      attempt(
        "invalid_key",
        "Cannot use VOPRF private key: 48 bytes in [1, n) of P-384 required, found others",
        () => p384.getPublicKey(privateKey, true).slice(),
      ),

    checkPublicKey: (publicKey) =>
      attempt(
        "invalid_key",
        "Cannot use VOPRF public key: a compressed point of P-384 required, found other bytes",
        () => p384.Point.fromBytes(element(publicKey)).toBytes(true).slice(),
      ),

    blind(input, random) {
      const { blinded, blind } = suite.blind(input, random);
      return { blinded: blinded.slice(), blind: blind.slice() };
    },

    checkBlinded: (blinded) =>
      attempt(
        "token_request_refused",
        NO_ELEMENT,
        () => void p384.Point.fromBytes(element(blinded)),
      ),

    blindEvaluate: ({ privateKey, publicKey }, blinded, random) =>
      attempt(
        "token_request_refused",
        NO_ELEMENT,
        () => {
          const answer = suite.blindEvaluate(privateKey, publicKey, element(blinded), random);
          return { evaluated: answer.evaluated.slice(), proof: answer.proof.slice() };
        },
      ),

    finalize: (input, { blinded, blind }, publicKey, { evaluated, proof }) =>
      attempt(
        "issuer_refused",
        "Cannot finalize evaluation: a proof under the issuer's key required, found another",
        () => suite.finalize(input, blind, element(evaluated), blinded, publicKey, proof).slice(),
      ),

    isOutput(privateKey, input, output) {
      const scalar = p384.Point.Fn.fromBytes(privateKey);
      const point = p384_hasher.hashToCurve(input, { DST: HASH_TO_GROUP }).multiply(scalar);
      return output.length === VOPRF_OUTPUT_LENGTH &&
        timingSafeEqual(outputOf(input, point.toBytes(true)), output);
    },
  };
}
