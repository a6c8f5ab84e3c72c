/**
 * Signs the trees of one log with the witness's keys (c2sp.org/tlog-cosignature), and remembers recent
 * signatures for repeated requests.
 *
 * @module
 */

import { type Bytes, utf8 } from "../base/bytes.ts";
import type { NoteSignature } from "../proof/format/note.ts";
import type { NoteKey } from "../proof/format/note_key.ts";
import { cosignatureLine } from "../proof/format/note_writer.ts";
import { cosignatureMessage } from "../proof/format/tree_head.ts";
import { RecentlyUsed } from "../base/recently_used.ts";
import type { Tree } from "./growth_rule.ts";
import type { MlDsaCosigner } from "./ml_dsa_cosigner.ts";
import type { WitnessSigner } from "./ports.ts";

const MAX_SIGNATURES = 16;

export interface WitnessKeys {
  readonly signer: WitnessSigner;
  /** Absent if the witness has no such key. */
  readonly mlDsa?: MlDsaCosigner;
}

/** The signatures over one tree at one time. */
export interface TreeSignatures {
  readonly signature: Bytes;
  readonly mlDsaSignature?: Bytes;
}

export class TreeSigner {
  readonly #origin: string;
  readonly #keys: WitnessKeys;
  /** By the cosignature message. */
  readonly #signatures = new RecentlyUsed<string, TreeSignatures>(MAX_SIGNATURES);

  constructor(origin: string, keys: WitnessKeys) {
    this.#origin = origin;
    this.#keys = keys;
  }

  /** Whether the checkpoint `text` was signed recently at `timestamp`. */
  hasSigned(timestamp: number, text: string): boolean {
    return this.#signatures.get(cosignatureMessage(timestamp, text)) !== undefined;
  }

  /** The signatures over `tree`, which the checkpoint `text` states; remembered ones again. */
  async sign(timestamp: number, text: string, tree: Tree): Promise<TreeSignatures> {
    const message = cosignatureMessage(timestamp, text);
    const known = this.#signatures.get(message);
    if (known !== undefined) return known;
    const { signer, mlDsa } = this.#keys;
    const signature = await signer.sign(utf8(message));
    const mlDsaSignature = mlDsa && await mlDsa.cosign(this.#origin, tree, timestamp);
    const signatures = { signature, ...(mlDsaSignature !== undefined && { mlDsaSignature }) };
    this.#signatures.set(message, signatures);
    return signatures;
  }

  /** The lines of `signatures`, made at `timestamp`, for a note; `key` is the Ed25519 key. */
  lines(
    key: NoteKey,
    timestamp: number,
    { signature, mlDsaSignature }: TreeSignatures,
  ): NoteSignature[] {
    const { mlDsa } = this.#keys;
    const line = cosignatureLine(key, timestamp, signature);
    return mlDsa === undefined || mlDsaSignature === undefined
      ? [line]
      : [line, cosignatureLine(mlDsa.key, timestamp, mlDsaSignature)];
  }
}
