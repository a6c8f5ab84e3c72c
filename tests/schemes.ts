/**
 * Both signature schemes for tests: signers of either, and tests that run once for each.
 *
 * @module
 */

import { hexOf, utf8 } from "../src/base/bytes.ts";
import type { Bls } from "../src/proof/crypto/bls.ts";
import { loadBls } from "../src/proof/crypto/best_bls.ts";
import { BeaconVerifier } from "../src/proof/crypto/beacon_verifier.ts";
import { BlsSigner } from "../src/proof/crypto/bls_signer.ts";
import { bestVerify } from "../src/proof/crypto/ed25519.ts";
import { Ed25519Signer, verifyNative } from "../src/proof/crypto/ed25519_native.ts";
import type { KeySigner } from "../src/proof/crypto/key_signer.ts";
import type { KeyReading } from "../src/config/key_file.ts";
import { portableBls } from "../src/proof/crypto/portable_bls.ts";
import { portableKernels } from "../src/proof/crypto/portable_kernels.ts";
import type { WitnessKey } from "../src/proof/format/network.ts";
import { encodeVkey, NOTE_TYPE } from "../src/proof/format/note_key.ts";
import type { SignatureScheme } from "../src/proof/format/signature_set.ts";
import type { CryptoSuite } from "../src/proof/crypto/crypto_suite.ts";
import type { BeaconRule } from "../src/witness/beacon_rule.ts";
import { generateKey } from "../src/proof/crypto/bls_key_gen.ts";

export const SCHEMES: readonly SignatureScheme[] = ["ed25519", "bls"];

/**
 * The implementation that programs use. Verdicts are cached, since tests verify the same signatures
 * again and again.
 */
export const bls: Bls = cachingVerdicts(await loadBls());

/** The server's crypto, the fastest for tests. */
export const nativeCrypto: CryptoSuite = {
  kernels: portableKernels,
  ed25519: verifyNative,
  bls,
};

/** The rule of a witness that does not require beacons. */
export const anyBeacons: BeaconRule = { verifier: new BeaconVerifier(bls) };

/** Portable implementations only. */
export const portableSuite: CryptoSuite = {
  kernels: portableKernels,
  ed25519: await bestVerify(),
  bls: portableBls,
};

/** With what tests read key files. */
export const KEY_READING: KeyReading = { bls, env: () => undefined, report: () => {} };

/** A witness's signer of either scheme. */
export type TestSigner = Ed25519Signer | BlsSigner;

/** Registers a test once for each scheme. */
export const eachScheme = {
  test(name: string, body: (scheme: SignatureScheme) => void | Promise<void>): void {
    for (const scheme of SCHEMES) Deno.test(`${scheme}: ${name}`, () => body(scheme));
  },
};

/** Registers a test with steps once for each scheme. */
export const eachSchemeInSteps = inSteps(SCHEMES);

/** As `eachSchemeInSteps`, for each of `schemes`. */
export function inSteps(schemes: readonly SignatureScheme[]) {
  return {
    test(
      name: string,
      body: (test: { readonly scheme: SignatureScheme; readonly t: Deno.TestContext }) => Promise<
        void
      >,
      options: Pick<Deno.TestDefinition, "sanitizeOps" | "sanitizeResources"> = {},
    ): void {
      for (const scheme of schemes) {
        Deno.test(`${scheme}: ${name}`, options, (t) => body({ scheme, t }));
      }
    },
  };
}

/**
 * A sweep tries every nth case. It varies the moment of a fault, which both schemes share, and a `bls`
 * round costs several times as much.
 */
export const SWEEP_STRIDE: Readonly<Record<SignatureScheme, number>> = { ed25519: 1, bls: 5 };

function cachingVerdicts(implementation: Bls): Bls {
  const verdicts = new Map<string, boolean>();
  const cached = (inputs: readonly Uint8Array[], dst: string, verify: () => boolean) => {
    const key = [dst, ...inputs.map((bytes) => hexOf(bytes))].join();
    const verdict = verdicts.get(key) ?? verify();
    verdicts.set(key, verdict);
    return verdict;
  };
  return {
    skToPk: (secretKey) => implementation.skToPk(secretKey),
    sign: (secretKey, message, dst) => implementation.sign(secretKey, message, dst),
    keyValidate: (publicKey) => implementation.keyValidate(publicKey),
    signatureValidate: (signature) => implementation.signatureValidate(signature),
    hashToG1: (message, dst) => implementation.hashToG1(message, dst),
    aggregate: (signatures) => implementation.aggregate(signatures),
    aggregateKeys: (publicKeys) => implementation.aggregateKeys(publicKeys),
    batchVerify: (checks, dst) => implementation.batchVerify(checks, dst),
    verify: (publicKey, message, signature, dst) =>
      cached(
        [message, signature, publicKey],
        dst,
        () => implementation.verify(publicKey, message, signature, dst),
      ),
    fastAggregateVerify: (publicKeys, message, signature, dst) =>
      cached(
        [message, signature, ...publicKeys],
        dst,
        () => implementation.fastAggregateVerify(publicKeys, message, signature, dst),
      ),
  };
}

const signers = new Map<string, TestSigner>();

/** The signer of `scheme` with a secret derived from `name`: the same in every run. */
export function schemeSigner(scheme: SignatureScheme, name: string): TestSigner {
  const key = `${scheme} ${name}`;
  const kept = signers.get(key);
  if (kept !== undefined) return kept;
  const seed = portableKernels.sha256(utf8(name));
  const signer = scheme === "ed25519"
    ? new Ed25519Signer(seed)
    : new BlsSigner(bls, generateKey(seed));
  signers.set(key, signer);
  return signer;
}

/** The entry of witness `id` with the key of `signer` in a configuration. */
export function configuredWitness(id: string, signer: KeySigner): WitnessKey {
  const { publicKey } = signer;
  const pubkey = hexOf(publicKey);
  return signer.scheme === "ed25519"
    ? { id, pubkey, vkey: encodeVkey({ name: id, type: NOTE_TYPE.cosignature, publicKey }) }
    : { id, pubkey, proof_of_possession: hexOf(signer.proofOfPossession!) };
}
