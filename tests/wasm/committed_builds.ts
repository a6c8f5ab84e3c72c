/**
 * The modules of `wasm/build/`, as its manifest lists them.
 *
 * @module
 */

import type { Bytes } from "../../src/base/bytes.ts";
import { FUSES_MULTIPLY_ADD } from "./fused_multiply_add.ts";

const BUILD = new URL("../../wasm/build/", import.meta.url);

interface Manifest {
  readonly modules: readonly { readonly name: string }[];
}

/** The names of the builds that begin with `prefix` and run here, in the order of the manifest. */
export function committedBuilds(prefix: string): string[] {
  const manifest: Manifest = JSON.parse(Deno.readTextFileSync(new URL("manifest.json", BUILD)));
  return manifest.modules.map(({ name }) => name)
    .filter((name) => name.startsWith(prefix) && (name !== "bls.fma" || FUSES_MULTIPLY_ADD));
}

export function committedBuild(name: string): Bytes {
  return Deno.readFileSync(new URL(`${name}.wasm`, BUILD));
}
