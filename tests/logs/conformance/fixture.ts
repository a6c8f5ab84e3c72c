/** What tests of the conformance suite share. */
import type { LogSigner } from "../../../src/logs/conformance/suite_log.ts";
import { verifyNative } from "../../../src/proof/crypto/ed25519_native.ts";
import { portableBlsVerifier } from "../../../src/proof/crypto/portable_bls_verifier.ts";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { signerOf } from "../../witness/fixture.ts";

export const suiteCrypto = {
  kernels: portableKernels,
  ed25519: verifyNative,
  bls: portableBlsVerifier,
};

const signer = signerOf("suite log");

export const suiteSigner: LogSigner = {
  name: "suite.example/conformance",
  publicKey: signer.publicKey,
  sign: (message) => signer.sign(message),
};
