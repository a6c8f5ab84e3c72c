/**
 * Every implementation of the `bls` scheme that the suite runs over.
 *
 * @module
 */

import type { Bls } from "../../src/crypto/bls.ts";
import { portableBls } from "../../src/crypto/portable_bls.ts";
import { wasmBls } from "../../src/crypto/wasm_bls.ts";
import type { BlsExports } from "../../src/crypto/wasm_bls_exports.ts";
import { committedBuild, committedBuilds } from "../wasm/committed_builds.ts";

export interface Implementation {
  readonly name: string;
  readonly bls: Bls;
  /** Of long tables of cases, every stride-th is run: 1 for what is fast. */
  readonly stride: number;
}

/**
 * A committed build, whether or not the product would choose it here. Every case is for the one that
 * it chooses nearly everywhere: the others have the same sources but for the field's.
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
