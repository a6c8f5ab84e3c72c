/**
 * What the page verifies with: our WebAssembly modules from the page's own site, each once, or the
 * portable path where the browser does not run them.
 *
 * @module
 */

import type { Bls } from "../crypto/bls.ts";
import { bestVerify } from "../crypto/ed25519.ts";
import { portableBls } from "../crypto/portable_bls.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";
import { loadServedBls, loadServedKernels } from "../crypto/wasm_kernels.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import type { AssetNames } from "./asset_names.ts";

/** Loads what is verified with, once. */
export interface CryptoLoader {
  /** What the keys in `configuration`, a network's JSON, are validated with. */
  blsFor(configuration: string): Promise<Bls>;
  crypto(): Promise<CryptoSuite>;
}

/** One for the life of the page. */
export function cryptoLoader(assets: AssetNames): CryptoLoader {
  const open = (file: string) => fetch(assets(file));
  let loadedBls: Promise<Bls> | undefined;
  let loaded: Promise<CryptoSuite> | undefined;

  function bls(): Promise<Bls> {
    return loadedBls ??= loadServedBls(open).then((found) => found ?? portableBls);
  }

  async function load(): Promise<CryptoSuite> {
    const [kernels, ed25519] = await Promise.all([loadServedKernels(open), bestVerify()]);
    return { kernels: kernels ?? portableKernels, ed25519, bls: await bls() };
  }

  return {
    // Either computes the same: a network without BLS keys need not wait for the module.
    blsFor: (text) => text.includes("bls") ? bls() : Promise.resolve(portableBls),
    crypto: () => loaded ??= load(),
  };
}
