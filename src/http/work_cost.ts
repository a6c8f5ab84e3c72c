/**
 * The cost of a request in reads. One read is the cost of a look-up of one hash: about 60 microseconds
 * of processor time, or 4 KiB read, parsed or sent. Every request costs one read on entry; further
 * work is charged before it is done (`RequestContext.charge`). Measured by `deno task bench` and
 * rounded up.
 *
 * @module
 */

/** Bytes that are parsed or sent for one read. */
export const BYTES_PER_READ = 4_096;

/** Reads that it costs to read the round of an attestation from the store, beyond finding its hash. */
export const STORED_ROUND_READS = 4;

/** Known hashes of a bulk request that are answered from memory for one read. */
export const REPEATS_PER_READ = 16;

/** Batches that are listed for one read. */
export const BATCHES_PER_READ = 8;

/** Reads of a proof whose path is made from tiles of the log. */
export const LOG_PROOF_READS = 2;

/** Reads for a time-stamp token, with those for its stored attestation, by the scheme of the authority's key. */
export const TOKEN_READS = { "ecdsa-p256": 14, "rsa-3072": 94 } as const;

/** Reads that one Ed25519 verification costs. */
export const SIGNATURE_READS = 1;

/** Reads that one pairing check costs: of a `bls` signature, or of a beacon. */
export const PAIRING_READS = 40;

/**
 * Events about digests that are replayed for one read. They are read and encoded page by page, at one
 * to two microseconds each; a head or an anchor costs as much as 32 of them (`SINGLE_WEIGHT`).
 */
export const EVENTS_PER_READ = 32;

/** Reads for `bytes` that are parsed or sent. */
export function readsOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_READ);
}

/** Characters of a URL that every route has for the read on entry. */
export const URL_CHARACTERS = 512;
/** Further characters that are parsed for one read: a query may have a parameter for each two of them. */
export const URL_CHARACTERS_PER_READ = 128;

/** Reads for a URL of `length` characters, beyond the one on entry. */
export function readsOfUrl(length: number): number {
  return Math.ceil(Math.max(0, length - URL_CHARACTERS) / URL_CHARACTERS_PER_READ);
}
