/**
 * Properties of every implementation of the `bls` scheme. They are values, so that the suite runs
 * over each implementation and over defective ones.
 *
 * @module
 */

import type { Bls } from "../../../src/proof/crypto/bls.ts";
import { implementations } from "./bls_implementations.ts";

/** One property. `check` throws if it does not hold. */
export interface Claim {
  readonly name: string;
  /** `stride`: uses every stride-th case of a long table; 1 uses all. */
  readonly check: (bls: Bls, stride: number) => void;
}

/** Every `stride`-th of `cases`, always including the last. */
export function sampled<T>(cases: readonly T[], stride: number): T[] {
  return cases.filter((_, index) => (cases.length - 1 - index) % stride === 0);
}

/** Registers one test for each claim and implementation. */
export function testClaims(claims: readonly Claim[]): void {
  for (const { name, bls, stride } of implementations()) {
    for (const claim of claims) {
      Deno.test(`${name} bls: ${claim.name}`, () => claim.check(bls, stride));
    }
  }
}

/** The name of the first of `claims` that fails for `bls`; `undefined` if all hold. */
export function firstFailure(
  bls: Bls,
  claims: readonly Claim[],
  stride: number,
): string | undefined {
  for (const claim of claims) {
    try {
      claim.check(bls, stride);
    } catch {
      return claim.name;
    }
  }
  return undefined;
}
