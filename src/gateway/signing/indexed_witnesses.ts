/**
 * The witnesses of a network by index, as records name them.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import { mlDsaWitnessKey } from "../../proof/format/network_check.ts";
import type { NoteKey } from "../../proof/format/note_key.ts";

/** A configured witness. Its index is its position in the ascending order of ids. */
export interface IndexedWitness {
  readonly id: string;
  readonly publicKey: Bytes;
  /** A further key, which cosigns tree heads. */
  readonly mlDsaKey?: NoteKey;
}

export function indexedWitnesses({ witnesses }: NetworkConfiguration): readonly IndexedWitness[] {
  return [...witnesses].sort((a, b) => a.id < b.id ? -1 : 1)
    .map((witness) => {
      const mlDsaKey = mlDsaWitnessKey(witness);
      return {
        id: witness.id,
        publicKey: Uint8Array.fromHex(witness.pubkey),
        ...(mlDsaKey !== undefined && { mlDsaKey }),
      };
    });
}
