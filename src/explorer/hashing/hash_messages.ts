/**
 * What the page and the worker that hashes say to one another.
 *
 * @module
 */

/** Asks for the hash of a file. A worker is asked once; ending it cancels. */
export interface HashRequest {
  readonly file: Blob;
}

/** What the worker says of it: bytes done so far, 64 lowercase hex, or why there is none. */
export type HashReport =
  | { readonly kind: "progress"; readonly done: number }
  | { readonly kind: "hashed"; readonly hash: string }
  | { readonly kind: "failed"; readonly message: string };
