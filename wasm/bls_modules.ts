/**
 * The rows of the BLS12-381 modules: one set of sources over two fields.
 *
 * @module
 */

import type { WasmModule } from "./modules.ts";
import { curveConstants } from "./generate/constants.ts";
import { fmaFieldConstants, fmaProducts, wordsOfPair } from "./generate/fma_products.ts";
import { scalarProducts } from "./generate/scalar_products.ts";
import { scalarFieldConstants, scalarWordsOfPair } from "./generate/scalar_writer.ts";

/** One row for each field. */
export const BLS_MODULES: readonly WasmModule[] = [
  {
    name: "bls.fma",
    entry: "bls/entry.ts",
    features: ["simd", "relaxed-simd"],
    generated: {
      "bls/field.ts": () => 'export * from "./field_fma";\n',
      "bls/products.ts": fmaProducts,
      "bls/field_constants.ts": fmaFieldConstants,
      "bls/curve_constants.ts": () => curveConstants(wordsOfPair),
    },
  },
  {
    name: "bls.scalar",
    entry: "bls/entry.ts",
    features: [],
    generated: {
      "bls/field.ts": () => 'export * from "./field_scalar";\n',
      "bls/products.ts": scalarProducts,
      "bls/field_constants.ts": scalarFieldConstants,
      "bls/curve_constants.ts": () => curveConstants(scalarWordsOfPair),
    },
  },
];
