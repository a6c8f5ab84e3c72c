/**
 * The page's own files: their addresses, and the WebAssembly modules among them. The server names
 * each file after its content, so that browsers may cache it for ever, and lists the names in the
 * document:
 *
 *     <meta name="countersign-assets" content="hash_worker.js=assets/hash_worker.0f1e.js ...">
 *
 * @module
 */

import type { Bls } from "../proof/crypto/bls.ts";
import type { CryptoSuite } from "../proof/crypto/crypto_suite.ts";
import { bestVerify } from "../proof/crypto/ed25519.ts";
import { portableBls } from "../proof/crypto/portable_bls.ts";
import { portableKernels } from "../proof/crypto/portable_kernels.ts";
import { loadServedBls, loadServedKernels } from "../proof/crypto/served_wasm.ts";
import { importPart, PartNotLoaded } from "./page_part.ts";

/** Resolves the name of a file, such as `bls.fma.wasm`, to its address. */
export type AssetNames = (file: string) => URL;

/** The names in `content`. A file that is not listed keeps its own name. */
export function parseAssetNames(content: string, base: string): AssetNames {
  const paths = new Map(
    content.split(" ").filter((entry) => entry.includes("=")).map((entry) => {
      const [file, path] = entry.split("=");
      return [file!, path!] as const;
    }),
  );
  return (file) => new URL(paths.get(file) ?? `assets/${file}`, base);
}

/** What the script of time-stamp tokens exports. */
export type TimestampScript = typeof import("./verify/timestamp_script.ts");

/** Loads the script once. */
export type TimestampLoader = () => Promise<TimestampScript>;

/** {@linkcode PartNotLoaded}; the next call tries again. */
export function timestampLoader(assets: AssetNames): TimestampLoader {
  let loaded: ReturnType<TimestampLoader> | undefined;
  return () =>
    loaded ??= importPart<TimestampScript>(assets("timestamps.js").href).catch((cause) => {
      loaded = undefined;
      throw new PartNotLoaded("Cannot read the time-stamp token", { cause });
    });
}

/** Loads each WebAssembly module once; the portable code replaces one that does not run. */
export interface CryptoLoader {
  /** Validates the keys in `configuration`, a network's JSON. */
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
    // Both compute the same. A network without BLS keys need not wait for the module.
    blsFor: (text) => text.includes("bls") ? bls() : Promise.resolve(portableBls),
    crypto: () => loaded ??= load(),
  };
}
