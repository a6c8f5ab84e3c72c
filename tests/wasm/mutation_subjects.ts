/**
 * What a mutation run needs to know of each module: the committed bytes, and the suite's core as a
 * function of a module's bytes.
 *
 * @module
 */

import type { Bytes } from "../../src/bytes.ts";
import { firstBlsFailure } from "./bls_checks.ts";
import { committedBuild, committedBuilds } from "./committed_builds.ts";
import { firstHashingFailure } from "./hashing_checks.ts";
import { type ToyFunctions, toyModule } from "./toy_module.ts";

export interface MutationSubject {
  /** The good module. */
  readonly module: () => Bytes;
  /** Bytes of a word of its tables. */
  readonly wordLength: number;
  /** The first check that `module` fails, `undefined` when it passes all. May throw or hang. */
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

/** Of each family of builds, the bytes of a word in its tables and the core of its suite. */
const FAMILIES = {
  "hashing.": { wordLength: 4, firstFailure: firstHashingFailure },
  "bls.fma": { wordLength: 8, firstFailure: firstBlsFailure },
  "bls.scalar": { wordLength: 4, firstFailure: firstBlsFailure },
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
  toy: { module: toyModule, wordLength: 4, firstFailure: firstWrongPower },
};
