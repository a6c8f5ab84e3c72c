/**
 * A log of another implementation: arbitrary entries, a log key, an extension line, and a cosignature of
 * an unknown witness. Its tiles are cut from all nodes of the tree, by other code than the product's.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { type Bytes, concat, utf8 } from "../../../src/base/bytes.ts";
import { Ed25519Signer, generateSeed } from "../../../src/proof/crypto/ed25519_native.ts";
import { encodeLogCheckpoint } from "../../../src/proof/format/log_checkpoint.ts";
import { encodeVkey, NOTE_TYPE } from "../../../src/proof/format/note_key.ts";
import {
  cosignatureLine,
  encodeNote,
  noteSignature,
} from "../../../src/proof/format/note_writer.ts";
import { parseTilePath, type TileAddress } from "../../../src/proof/merkle/tile.ts";
import type { SuccessionLink } from "../../../src/proof/format/succession.ts";
import type { LogSource } from "../../../src/logs/publishing/ports.ts";

function sha256(...parts: Uint8Array[]): Bytes {
  return new Uint8Array(createHash("sha256").update(concat(...parts)).digest());
}

export class SyntheticLog implements LogSource {
  readonly name = "synthetic";
  readonly origin: string;
  readonly #signer: Ed25519Signer;
  readonly #entries: Bytes[] = [];
  readonly #leaves: Bytes[] = [];
  /** By level and index. */
  readonly #nodes: Bytes[][] = [];
  /** By level and index: tests read large logs again and again. */
  readonly #fullTiles = new Map<string, Bytes>();
  /** Entries that the checkpoint covers. */
  #size = 0;
  /** Paths that were requested. */
  readonly requested: string[] = [];

  constructor(origin = "Other log of example.org", seed = generateSeed()) {
    this.origin = origin;
    this.#signer = new Ed25519Signer(seed);
  }

  get vkey(): string {
    return encodeVkey(this.#key);
  }

  get size(): number {
    return this.#size;
  }

  get #key() {
    const { publicKey } = this.#signer;
    return { name: "key.example.org", type: NOTE_TYPE.ed25519, publicKey };
  }

  succession(): Promise<{ readonly value: readonly SuccessionLink[] }> {
    return Promise.resolve({ value: [] });
  }

  /** Appends entries of some bytes each, and signs a checkpoint over them. */
  grow(count: number, salt = ""): void {
    for (let i = 0; i < count; i++) {
      const index = this.#entries.length;
      const entry = utf8(this.entryText(index, salt));
      this.#entries.push(entry);
      this.#leaves.push(sha256(Uint8Array.of(0), entry));
    }
    this.#size = this.#entries.length;
  }

  protected entryText(index: number, salt: string): string {
    return `${salt}entry ${index} ${"x".repeat(index % 40)}`;
  }

  /** Shows the log as it was at `size`. */
  rewind(size: number): void {
    this.#size = size;
  }

  async checkpoint(): Promise<string> {
    const text = encodeLogCheckpoint({
      origin: this.origin,
      size: this.#size,
      root: this.root(this.#size),
      extensions: ["an extension"],
    });
    const witness = {
      name: "unknown.example",
      type: NOTE_TYPE.cosignature,
      publicKey: new Uint8Array(32),
    };
    return encodeNote({
      text,
      signatures: [
        noteSignature(this.#key, await this.#signer.sign(utf8(text))),
        cosignatureLine(witness, 1, new Uint8Array(64)),
      ],
    });
  }

  root(size: number): Bytes {
    let subtrees: Bytes | undefined;
    let end = size;
    for (let level = 0; end > 0; level++, end = Math.floor(end / 2)) {
      if (end % 2 === 0) continue;
      const node = this.#node(level, end - 1);
      subtrees = subtrees === undefined ? node : sha256(Uint8Array.of(1), node, subtrees);
    }
    return subtrees ?? sha256();
  }

  tile({ level, index, width }: TileAddress): Promise<Bytes | undefined> {
    this.requested.push(`${level}/${index}/${width}`);
    const span = level === "entries" ? 1 : 256 ** level;
    if ((index * 256 + width) * span > this.#size) return Promise.resolve(undefined);
    if (width < 256) return Promise.resolve(this.#tile({ level, index, width }));
    const key = `${level}/${index}`;
    const tile = this.#fullTiles.getOrInsertComputed(
      key,
      () => this.#tile({ level, index, width }),
    );
    // Readers may damage it.
    return Promise.resolve(tile.slice());
  }

  #tile({ level, index, width }: TileAddress): Bytes {
    const places = Array.from({ length: width }, (_, i) => index * 256 + i);
    if (level !== "entries") return concat(...places.map((place) => this.#node(8 * level, place)));
    return concat(...places.flatMap((place) => {
      const entry = this.#entries[place]!;
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry];
    }));
  }

  /** The perfect node `index` of `level` (RFC 9162 section 2.1.1). */
  #node(level: number, index: number): Bytes {
    if (level === 0) return this.#leaves[index]!;
    const nodes = this.#nodes[level] ??= [];
    const known = nodes[index];
    if (known !== undefined) return known;
    return nodes[index] = sha256(
      Uint8Array.of(1),
      this.#node(level - 1, 2 * index),
      this.#node(level - 1, 2 * index + 1),
    );
  }
}

/** The answer of a server of `log` with the layout of c2sp.org/tlog-tiles. */
export async function answerOf(log: LogSource, request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.slice(1);
  if (path === "checkpoint") return new Response(await log.checkpoint());
  const address = parseTilePath(path);
  const bytes = address && await log.tile(address);
  return new Response(bytes ?? "none", { status: bytes === undefined ? 404 : 200 });
}
