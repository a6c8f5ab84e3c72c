/**
 * The log of the conformance suite. Its leaves depend only on the origin and the index. Its key signs
 * whatever a check needs, also checkpoints that contradict each other.
 *
 * @module
 */

import { type Bytes, concat, utf8 } from "../../base/bytes.ts";
import { leafHash } from "../../proof/crypto/hashing.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { encodeAddCheckpoint } from "../../proof/format/add_checkpoint.ts";
import { encodeLogCheckpoint } from "../../proof/format/log_checkpoint.ts";
import type { Note, NoteSignature } from "../../proof/format/note.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey } from "../../proof/format/note_key.ts";
import { encodeNote, encodeSignatureLine, noteSignature } from "../../proof/format/note_writer.ts";
import { copyNodes } from "../../proof/merkle/nodes.ts";
import { consistencyRanges, inclusionRanges, type Range } from "../../proof/merkle/proof.ts";
import { treeRoot } from "../../proof/merkle/tree.ts";

/** The log's key; its name is the origin. */
export interface LogSigner {
  readonly name: string;
  readonly publicKey: Bytes;
  sign(message: Uint8Array): Bytes | Promise<Bytes>;
}

/** How a request differs from a valid one. */
export interface Change {
  readonly origin?: string;
  readonly root?: Uint8Array;
  readonly path?: readonly Bytes[];
  readonly extensions?: readonly string[];
  readonly text?: (text: string) => string;
  /** The signatures, given the log's own one. */
  readonly signatures?: (own: NoteSignature) => readonly NoteSignature[];
}

export class SuiteLog {
  readonly origin: string;
  readonly vkey: string;
  readonly key: NoteKey;
  readonly #signer: LogSigner;
  readonly #kernels: Kernels;
  #leaves: Bytes = new Uint8Array();

  constructor(signer: LogSigner, kernels: Kernels) {
    this.origin = signer.name;
    this.key = { name: signer.name, type: NOTE_TYPE.ed25519, publicKey: signer.publicKey };
    this.vkey = encodeVkey(this.key);
    this.#signer = signer;
    this.#kernels = kernels;
  }

  entry(index: number): Bytes {
    return utf8(`Entry ${index} of ${this.origin}\n`);
  }

  root(size: number): Bytes {
    return this.#hash({ start: 0, end: size });
  }

  /** The consistency path; empty for `first` 0, where none is defined. */
  path(first: number, second: number): Bytes[] {
    if (first === 0 || first > second) return [];
    return consistencyRanges(first, second).map((range) => this.#hash(range));
  }

  /** The hash of the leaves [start, end), a valid subtree. */
  subtreeRoot(start: number, end: number): Bytes {
    return this.#hash({ start, end });
  }

  /**
   * The subtree consistency proof (draft-ietf-plants-merkle-tree-certs section 4.4) of the leaves from
   * `start` on, `width` or to the end of the tree of `size`; `start` is a multiple of `width`.
   */
  subtreePath(start: number, size: number, width: number): Bytes[] {
    return inclusionRanges(start, size)
      .filter((range) => range.start < start || range.start >= start + width)
      .map((range) => this.#hash(range));
  }

  async note(size: number, change: Change = {}): Promise<Note> {
    const { origin = this.origin, root = this.root(size), extensions = [] } = change;
    const honest = encodeLogCheckpoint({ origin, size, root: concat(root), extensions });
    const text = change.text?.(honest) ?? honest;
    const own = noteSignature(this.key, await this.#signer.sign(utf8(text)));
    return { text, signatures: change.signatures?.(own) ?? [own] };
  }

  /** The body of an add-checkpoint request from `oldSize` to `size`. */
  async request(oldSize: number, size: number, change: Change = {}): Promise<string> {
    const consistencyPath = change.path ?? this.path(oldSize, size);
    return encodeAddCheckpoint({
      oldSize,
      consistencyPath,
      checkpoint: await this.note(size, change),
    });
  }

  /** A signed request for the present checkpoint whose text has an extension line of `byte`. */
  async requestWithByte(size: number, byte: number): Promise<Bytes> {
    const text = utf8((await this.note(size, { extensions: ["#"] })).text);
    text[text.length - 2] = byte;
    const own = noteSignature(this.key, await this.#signer.sign(text));
    return concat(utf8(`old ${size}\n\n`), text, utf8(`\n${encodeSignatureLine(own)}`));
  }

  async checkpoint(size: number): Promise<string> {
    return encodeNote(await this.note(size));
  }

  /** The root of the leaves [start, end), `start` at a subtree's begin. */
  #hash({ start, end }: Range): Bytes {
    const known = this.#leaves.length / 32;
    if (end > known) {
      const more = Array.from(
        { length: end - known },
        (_, i) => leafHash(this.#kernels, this.entry(known + i)),
      );
      this.#leaves = concat(this.#leaves, ...more);
    }
    return treeRoot(this.#kernels, copyNodes(this.#leaves, start, end));
  }
}
