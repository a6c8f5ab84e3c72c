/**
 * The interface of private keys: of a witness or a log, in a file or elsewhere.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";

/** Signs with one key. */
export interface KeySigner {
  readonly scheme: "ed25519" | "bls";
  readonly publicKey: Bytes;
  /** Of a `bls` key in a file. */
  readonly proofOfPossession?: Bytes;
  /** Of a key elsewhere: whether its last request failed. */
  readonly isAway?: boolean;
  /**
   * The signature of `message`. Of a key in a file it is returned at once. A key elsewhere is asked, and
   * its answer verified; `signer_unavailable`.
   */
  sign(message: Uint8Array): Bytes | Promise<Bytes>;
}
