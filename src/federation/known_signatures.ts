/**
 * What of a verified set of signatures is kept.
 *
 * @module
 */

import type { NetworkConfiguration } from "../format/network.ts";
import { isEd25519Set, type SignatureSet } from "../format/signature_set.ts";

/**
 * `set` without the signatures of ids that the pinned `network` does not have. They are ignored in
 * every count (protocol.md "Signature schemes"), and whoever could have them kept could fill a
 * store and every bundle
 * with them, or make evidence against itself too large to keep. An aggregate has none.
 */
export function knownSignatures(network: NetworkConfiguration, set: SignatureSet): SignatureSet {
  if (!isEd25519Set(set)) return { signature: set.signature, signers: set.signers };
  const ids = new Set(network.witnesses.map(({ id }) => id));
  return { signatures: set.signatures.filter(({ witness_id }) => ids.has(witness_id)) };
}
