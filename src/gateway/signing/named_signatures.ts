/**
 * Signatures with the names of their witnesses.
 *
 * @module
 */

import type { IndexedSignatureSet } from "../../format/records.ts";
import type { SignatureSet } from "../../format/signature_set.ts";

/**
 * `signatures` in the shape of protocol.md "Resources". `ids` are those of all witnesses, by place.
 */
export function namedSignatures(
  signatures: IndexedSignatureSet,
  ids: readonly string[],
): SignatureSet {
  if ("witnesses" in signatures) {
    return {
      signature: signatures.signature.toHex(),
      signers: signatures.witnesses.map((witnessIndex) => ids[witnessIndex]!),
    };
  }
  return {
    signatures: signatures.map(({ witness, signature }) => ({
      witness_id: ids[witness]!,
      signature: signature.toHex(),
    })),
  };
}
