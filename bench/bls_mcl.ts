/**
 * Mcl in WebAssembly, in two packages by its author: `bls-eth-wasm`, a signature scheme with
 * minimal public key size only, and `mcl-wasm`, groups and pairing, from which we build our scheme.
 *
 * @module
 */

import { type BlsContender, blsInputs, inTurn, makes } from "./bls_operations.ts";
import type { OwnInputs } from "./bls_own.ts";

/** Number of alternating keys for implementations without a key cache. */
const NEW_KEYS = 16;
const COEFFICIENT_LENGTH = 16;

/** Decodes into `value`; throws for points off the curve or outside the subgroup. */
function decode<Value extends { deserialize(bytes: Uint8Array): void }>(
  value: Value,
  bytes: Uint8Array,
): Value {
  value.deserialize(bytes);
  return value;
}

/** Minimal signature size with the parts of `mcl-wasm`, with our inputs. */
export async function mclContender(inputs: OwnInputs): Promise<BlsContender> {
  const mcl = await import("mcl-wasm");
  const { Fr, G1, G2, PrecomputedG2 } = mcl;
  await mcl.init(mcl.BLS12_381);
  mcl.setETHserialization(true);
  mcl.setMapToMode(mcl.IRTF);
  mcl.verifyOrderG1(true);
  mcl.verifyOrderG2(true);
  const scalarOf = (bytes: Uint8Array) => {
    const scalar = new Fr();
    scalar.setBigEndianMod(bytes);
    return scalar;
  };
  const generator = decode(new G2(), inputs.generator);
  const negated = new PrecomputedG2(mcl.neg(generator));
  const { own, shares, sum, signers, batch, hash } = inputs;
  const next = inTurn(inputs.byNewKeys);
  const known = new PrecomputedG2(decode(new G2(), own.publicKey));
  const knownSum = new PrecomputedG2(
    signers.map((key) => decode(new G2(), key)).reduce(mcl.add),
  );
  const isOne = (product: InstanceType<typeof mcl.GT>) => mcl.finalExp(product).isOne();
  return {
    name: "mcl-wasm",
    remarks: [
      "mcl-wasm: minimal signature size, put together of its groups and pairing; many signatures " +
      "by one random linear combination",
    ],
    operations: {
      hash: () => makes(hash, mcl.hashAndMapToG1(own.message).serialize()),
      sign: () =>
        makes(
          own.signature,
          mcl.mul(mcl.hashAndMapToG1(own.message), scalarOf(own.secretKey)).serialize(),
        ),
      verifyNew() {
        const { publicKey, message, signature } = next();
        const key = decode(new G2(), publicKey);
        const point = decode(new G1(), signature);
        const hash = mcl.hashAndMapToG1(message);
        return isOne(mcl.precomputedMillerLoop2mixed(hash, key, point, negated));
      },
      verifyKnown() {
        const point = decode(new G1(), own.signature);
        const hash = mcl.hashAndMapToG1(own.message);
        return isOne(mcl.precomputedMillerLoop2(hash, known, point, negated));
      },
      aggregate: () =>
        makes(sum, shares.map((share) => decode(new G1(), share)).reduce(mcl.add).serialize()),
      batch() {
        const points = batch.map(({ signature }) => decode(new G1(), signature));
        const hashes = batch.map(({ message }) => mcl.hashAndMapToG1(message));
        const coefficients = batch.map(() =>
          scalarOf(crypto.getRandomValues(new Uint8Array(COEFFICIENT_LENGTH)))
        );
        return isOne(mcl.precomputedMillerLoop2(
          mcl.mulVec(hashes, coefficients),
          knownSum,
          mcl.mulVec(points, coefficients),
          negated,
        ));
      },
      keyValidate: () => !decode(new G2(), next().publicKey).isZero(),
      skToPk: () => makes(own.publicKey, mcl.mul(generator, scalarOf(own.secretKey)).serialize()),
    },
  };
}

/** The scheme of `bls-eth-wasm` with its own inputs. */
export async function blsEthContender(): Promise<BlsContender> {
  // `init` creates its classes after the module's names were bound.
  const { default: mcl } = await import("bls-eth-wasm") as unknown as {
    default: typeof import("bls-eth-wasm");
  };
  await mcl.init(mcl.BLS12_381);
  mcl.verifySignatureOrder(true);
  mcl.verifyPublicKeyOrder(true);
  const { SecretKey, PublicKey, Signature } = mcl;
  const secretOf = (bytes: Uint8Array) => decode(new SecretKey(), bytes);
  const keyOf = (bytes: Uint8Array) => decode(new PublicKey(), bytes);
  const signatureOf = (bytes: Uint8Array) => decode(new Signature(), bytes);
  const sumOf = (signatures: readonly Uint8Array[]) => {
    const sum = new Signature();
    sum.aggregate(signatures.map(signatureOf));
    return sum.serialize();
  };
  const { own, byNewKeys, shares, sum, signers, batch } = blsInputs({
    skToPk: (secretKey) => secretOf(secretKey).getPublicKey().serialize(),
    sign: (secretKey, message) => secretOf(secretKey).sign(message).serialize(),
    aggregate: sumOf,
  }, NEW_KEYS);
  const next = inTurn(byNewKeys);
  const known = keyOf(own.publicKey);
  const knownSum = keyOf(signers[0]!);
  for (const signer of signers.slice(1)) knownSum.add(keyOf(signer));
  return {
    name: "bls-eth-wasm",
    remarks: [
      "bls-eth-wasm: minimal public key size, hashing to G2; one by one, since its verification " +
      "of many takes messages of 32 bytes only",
    ],
    operations: {
      sign: () => makes(own.signature, secretOf(own.secretKey).sign(own.message).serialize()),
      verifyNew() {
        const { publicKey, message, signature } = next();
        return keyOf(publicKey).verify(signatureOf(signature), message);
      },
      verifyKnown: () => known.verify(signatureOf(own.signature), own.message),
      aggregate: () => makes(sum, sumOf(shares)),
      batch: () =>
        batch.every(({ message, signature }) => knownSum.verify(signatureOf(signature), message)),
      keyValidate: () => !keyOf(next().publicKey).isZero(),
      skToPk: () => makes(own.publicKey, secretOf(own.secretKey).getPublicKey().serialize()),
    },
  };
}
