/**
 * Signs with the ML-DSA-44 key that a witness may have besides its Ed25519 key (c2sp.org/tlog-cosignature).
 *
 * @module
 */

import type { Bytes } from "../base/bytes.ts";
import type { MlDsaKeySigner } from "../proof/crypto/key_signer.ts";
import { hasCode } from "../base/errors.ts";
import { NOTE_TYPE, type NoteKey } from "../proof/format/note_key.ts";
import {
  type CosignedSubtree,
  encodeSubtreeMessage,
  fitsSubtreeMessage,
} from "../proof/format/subtree_cosignature.ts";
import type { Tree } from "./growth_rule.ts";

export class MlDsaCosigner {
  readonly key: NoteKey;
  readonly #signer: MlDsaKeySigner;

  /** `name` is the witness's key name. */
  constructor(name: string, signer: MlDsaKeySigner) {
    this.key = { name, type: NOTE_TYPE.mlDsaCosignature, publicKey: signer.publicKey };
    this.#signer = signer;
  }

  /**
   * Over a whole tree at `timestamp`; `undefined` if the message cannot name an origin of this length, or if
   * the key is elsewhere and its signer does not sign: the Ed25519 signature is enough.
   */
  async cosign(origin: string, tree: Tree, timestamp: number): Promise<Bytes | undefined> {
    const { size: end, root } = tree;
    try {
      return await this.cosignSubtree({ timestamp, origin, start: 0, end, root });
    } catch (error) {
      if (hasCode(error, "signer_unavailable")) return undefined;
      throw error;
    }
  }

  /** Over a subtree; `undefined` for such an origin, `signer_unavailable`. */
  async cosignSubtree(subtree: Omit<CosignedSubtree, "cosigner">): Promise<Bytes | undefined> {
    if (!fitsSubtreeMessage(subtree.origin)) return undefined;
    return await this.#signer.sign(encodeSubtreeMessage({ ...subtree, cosigner: this.key.name }));
  }
}
