/**
 * The kinds of keys that witnesses and logs sign with, and their names at a signer.
 *
 * @module
 */

import type { KeyScheme } from "../crypto/key_signer.ts";

/** `cosigner`: an ML-DSA-44 key of a witness or a log. */
export type KeyKind = "witness" | "log" | "cosigner";

/** The name of a key at its signer, which may have keys of two schemes for a witness or log. */
export function nameAtSigner(name: string, scheme: KeyScheme): string {
  return scheme === "ml-dsa-44" ? `${name}+${scheme}` : name;
}
