/**
 * The kinds of keys that a signer may have, and their names there.
 *
 * @module
 */

import type { KeyScheme } from "../crypto/key_signer.ts";

/** `cosigner`: an ML-DSA-44 key of a witness or a log. `tsa`: the key of a time-stamp authority. */
export type KeyKind = "witness" | "log" | "cosigner" | "tsa";

/** The name of a key at its signer, which may have keys of two schemes for a witness or log. */
export function nameAtSigner(name: string, scheme: KeyScheme): string {
  return scheme === "ml-dsa-44" ? `${name}+${scheme}` : name;
}
