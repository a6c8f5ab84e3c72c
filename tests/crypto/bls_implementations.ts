/**
 * Every implementation of the `bls` scheme that the suite runs over.
 *
 * @module
 */

import type { Bls } from "../../src/crypto/bls.ts";
import { portableBls } from "../../src/crypto/portable_bls.ts";

export interface Implementation {
  readonly name: string;
  readonly bls: Bls;
  /** Of long tables of cases, every stride-th is run: 1 for what is fast. */
  readonly stride: number;
}

export function implementations(): readonly Implementation[] {
  return [
    { name: "portable", bls: portableBls, stride: 31 },
  ];
}
