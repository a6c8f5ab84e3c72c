/**
 * The modules of a mutation run: their committed bytes, and the core of their suite as a function of a
 * module's bytes.
 *
 * @module
 */

import type { Bytes } from "../../src/base/bytes.ts";
import { integerWords } from "../../wasm/generate/constants.ts";
import { P } from "../../wasm/generate/parameters.ts";
import { firstBlsFailure } from "./bls_checks.ts";
import { committedBuild, committedBuilds } from "./committed_builds.ts";
import { firstHashingFailure } from "./hashing_checks.ts";
import type { Tables } from "./mutants.ts";
import { type ToyFunctions, toyModule } from "./toy_module.ts";

export interface MutationSubject {
  /** The good module. */
  readonly module: () => Bytes;
  readonly tables: Tables;
  /** The first check that `module` fails; `undefined` if it passes all. May throw or hang. */
  readonly firstFailure: (module: Bytes) => string | undefined;
}

function firstWrongPower(module: Bytes): string | undefined {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module));
  const functions = instance.exports as unknown as ToyFunctions;
  const names = ["constantPower", "branchPower", "selectPower", "skipPower"];
  return names.find((name) =>
    [...Array(64).keys()].some((exponent) =>
      functions[name]!(exponent) !== Number(BigInt.asIntN(32, 3n ** BigInt(exponent)))
    )
  );
}

/**
 * No known point has a y so close to p / 2 that a low word decides its sign, and a mutant of the top
 * word changes a middle bit. `bls_constants_test.ts` changes the top bit.
 */
const HALF_MODULUS = integerWords((P - 1n) / 2n, 6).map((word) =>
  new Uint8Array(BigUint64Array.of(word).buffer).toHex()
);

function isOfHalfModulus(word: Uint8Array): boolean {
  return HALF_MODULUS.includes(word.toHex());
}

/** The tables and the core suite of each family of builds. */
const FAMILIES = {
  "hashing.": { tables: { wordLength: 4 }, firstFailure: firstHashingFailure },
  "bls.fma": {
    tables: { wordLength: 8, isFree: isOfHalfModulus },
    firstFailure: firstBlsFailure,
  },
  "bls.scalar": {
    tables: {
      wordLength: 8,
      // The last of the 8 words of an element is padding.
      isFree: (word: Uint8Array) => isOfHalfModulus(word) || word.every((byte) => byte === 0),
    },
    firstFailure: firstBlsFailure,
  },
} as const;

function subjectsOf(): Record<string, MutationSubject> {
  const subjects: Record<string, MutationSubject> = {};
  for (const [prefix, family] of Object.entries(FAMILIES)) {
    for (const name of committedBuilds(prefix)) {
      subjects[name] = { module: () => committedBuild(name), ...family };
    }
  }
  return subjects;
}

/** Every committed build by its name, and the toy. */
export const MUTATION_SUBJECTS: Readonly<Record<string, MutationSubject>> = {
  ...subjectsOf(),
  toy: { module: toyModule, tables: { wordLength: 4 }, firstFailure: firstWrongPower },
};
