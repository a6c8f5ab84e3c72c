/**
 * SHA-384 and SHA-512 for files of any size. Only time-stamp tokens have them, so they are built as a
 * script of their own, `long_hashes.js`.
 *
 * @module
 */

export { createSHA384, createSHA512 } from "hash-wasm";
