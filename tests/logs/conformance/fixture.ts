/** What tests of the conformance suite share. */
import type { LogSigner } from "../../../src/logs/conformance/suite_log.ts";
import { verifyNative } from "../../../src/proof/crypto/ed25519_native.ts";
import { portableBlsVerifier } from "../../../src/proof/crypto/portable_bls_verifier.ts";
import { loadCompiledKernels } from "../../../src/proof/crypto/compiled_kernels.ts";
import { signerOf } from "../../witness/fixture.ts";

/** The fastest. */
export const kernels = await loadCompiledKernels();

export const suiteCrypto = {
  kernels,
  ed25519: verifyNative,
  bls: portableBlsVerifier,
};

const signer = signerOf("suite log");

export const suiteSigner: LogSigner = {
  name: "suite.example/conformance",
  publicKey: signer.publicKey,
  sign: (message) => signer.sign(message),
};
