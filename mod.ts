/**
 * Countersign as a library: the offline verifier, clients, and formats.
 *
 * @module
 */

export * from "./src/client/mod.ts";
export * from "./src/proof/format/mod.ts";
export * from "./src/proof/verify/mod.ts";
