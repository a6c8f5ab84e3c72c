/**
 * The rows of the BLS12-381 modules: one set of sources over two fields.
 *
 * @module
 */

import type { WasmModule } from "./modules.ts";
import { curveConstants, type PairEncoding } from "./generate/constants.ts";
import { fmaProducts } from "./generate/fma_products.ts";
import { fmaFieldConstants, wordsOfPair } from "./generate/fma_writer.ts";
import { scalarProducts } from "./generate/scalar_products.ts";
import { scalarFieldConstants, scalarWordsOfPair } from "./generate/scalar_writer.ts";
import { compressSource } from "./unroll_sha256.ts";

/** The generators of one field. */
interface Field {
  readonly source: string;
  products(): string;
  constants(): string;
  readonly encode: PairEncoding;
}

function blsModule(name: string, features: readonly string[], field: Field): WasmModule {
  return {
    name,
    entry: "bls/entry.ts",
    features,
    pages: 32,
    optimization: "-O1",
    generated: {
      "bls/field.ts": () => `export * from "./${field.source}";\n`,
      "bls/products.ts": field.products,
      "bls/field_constants.ts": field.constants,
      "bls/curve_constants.ts": () => curveConstants(field.encode),
      "hashing/compress.ts": compressSource,
    },
  };
}

/** One row for each field. */
export const BLS_MODULES: readonly WasmModule[] = [
  blsModule("bls.fma", ["simd", "relaxed-simd"], {
    source: "field_fma",
    products: fmaProducts,
    constants: fmaFieldConstants,
    encode: wordsOfPair,
  }),
  blsModule("bls.scalar", [], {
    source: "field_scalar",
    products: scalarProducts,
    constants: scalarFieldConstants,
    encode: scalarWordsOfPair,
  }),
];
