/**
 * All implementations of the `bls` scheme.
 *
 * @module
 */

import type { Bls } from "../../../src/proof/crypto/bls.ts";
import { portableBls } from "../../../src/proof/crypto/portable_bls.ts";
import { wasmBls } from "../../../src/proof/crypto/wasm_bls.ts";
import type { BlsExports } from "../../../src/proof/crypto/wasm_bls_exports.ts";
import { committedBuild, committedBuilds } from "../../wasm/committed_builds.ts";

export interface Implementation {
  readonly name: string;
  readonly bls: Bls;
  /** The stride for long tables of cases; 1 for fast implementations. */
  readonly stride: number;
}

/**
 * A committed build, even if the product would not choose it here. Only the build that most engines
 * use runs every case; the others differ only in the field.
 */
function built(name: string): Implementation {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(committedBuild(name)));
  const stride = name === "bls.fma" ? 1 : 8;
  return { name, bls: wasmBls(exports as unknown as BlsExports), stride };
}

const IMPLEMENTATIONS: readonly Implementation[] = [
  { name: "portable", bls: portableBls, stride: 31 },
  ...committedBuilds("bls.").map(built),
];

export function implementations(): readonly Implementation[] {
  return IMPLEMENTATIONS;
}
