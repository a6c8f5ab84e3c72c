/**
 * Countersign as a library: the offline verifier, clients, and formats.
 *
 * @module
 */

export * from "./src/client/mod.ts";
export * from "./src/format/mod.ts";
export * from "./src/verify/mod.ts";
