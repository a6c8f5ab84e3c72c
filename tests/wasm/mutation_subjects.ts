/**
 * What a mutation run needs to know of each module: the committed bytes, and the suite's core as a
 * function of a module's bytes.
 *
 * @module
 */

import type { Bytes } from "../../src/bytes.ts";
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

export const MUTATION_SUBJECTS: Readonly<Record<string, MutationSubject>> = {
  toy: { module: toyModule, wordLength: 4, firstFailure: firstWrongPower },
};
