/**
 * A small log with one defect at a time.
 *
 * @module
 */

import { type Bytes, concat, utf8 } from "../../src/bytes.ts";
import { leafHash } from "../../src/crypto/hashing.ts";
import { portableKernels as kernels } from "../../src/crypto/portable_kernels.ts";
import { encodeLogCheckpoint } from "../../src/format/log_checkpoint.ts";
import { encodeNote, noteSignature } from "../../src/format/note_writer.ts";
import { NOTE_TYPE, type NoteKey } from "../../src/format/note_key.ts";
import { parseTilePath, tileWidth } from "../../src/merkle/tile.ts";
import { treeRoot } from "../../src/merkle/tree.ts";
import { signerOf } from "../witness/fixture.ts";

const ORIGIN = "log.example/2026";
const entryOf = (index: number) => utf8(`Entry ${index}`);
const uint16 = (value: number) => Uint8Array.of(value >> 8, value & 255);

const HASHES = new Map<string, Bytes>();
const LEAVES = new Map<number, Bytes>();

function leafOf(index: number): Bytes {
  const leaf = LEAVES.get(index) ?? leafHash(kernels, entryOf(index));
  LEAVES.set(index, leaf);
  return leaf;
}

export class FakeLog {
  readonly key: NoteKey = {
    name: ORIGIN,
    type: NOTE_TYPE.ed25519,
    publicKey: signerOf("fake log").publicKey,
  };
  readonly url = new URL(`https://${ORIGIN}/`);
  readonly #defect: string;
  readonly #growth: number;
  #size: number;
  /** Size of the tree that the tiles are of. */
  #stored: number;
  #reads = 0;

  /** It grows by `growth` when its checkpoint is read for the second time. */
  constructor(defect: string, size = 600, growth = 500) {
    this.#defect = defect;
    this.#size = size;
    this.#growth = growth;
    this.#stored = this.#isAhead ? size + growth : size;
  }

  readonly fetch = async (input: URL | Request | string): Promise<Response> => {
    const path = new URL(input instanceof Request ? input.url : input).pathname.slice(
      ORIGIN.length - 10,
    );
    return await Promise.resolve(
      path === "checkpoint" ? this.#checkpoint() : this.#tile(path),
    );
  };

  #has(defect: string): boolean {
    return this.#defect === defect;
  }

  #checkpoint(): Response {
    if (++this.#reads === 2) this.#stored = this.#size += this.#growth;
    const size = this.#size;
    if (this.#has("no checkpoint")) return new Response("", { status: 404 });
    const origin = this.#has("another origin") ? "other.example" : ORIGIN;
    const shown = this.#has("a log that shrinks") && size > 600 ? 599 : size;
    let text = encodeLogCheckpoint({
      origin,
      size: shown,
      root: this.#has("a fork behind its tiles") && shown < this.#stored
        ? this.#hash(1, shown + 1)
        : this.#hash(0, shown),
      extensions: this.#has("extension lines")
        ? ["x"]
        : this.#has("empty extension lines")
        ? ["", "x"]
        : [],
    });
    if (this.#has("a size with a leading zero")) text = text.replace("\n", "\n0");
    if (this.#has("a root without padding")) text = text.replace("=\n", "\n");
    if (this.#has("no origin")) text = text.replace(ORIGIN, "");
    if (this.#has("a tab")) text = text.replace("\n", "\t\n");
    const signer = signerOf(this.#has("another key") ? "other" : "fake log");
    const name = this.#has("another key name") ? "name.example" : this.key.name;
    const line = noteSignature({ ...this.key, name }, signer.sign(utf8(text)));
    let note = encodeNote({ text, signatures: [line] });
    if (this.#has("no empty line")) note = note.replace("\n\n", "\n");
    if (this.#has("a space in a key name")) {
      note += note.slice(note.indexOf("\u2014")).replace("log.", "log .");
    }
    return new Response(note, {
      headers: {
        "Content-Type": this.#has("a checkpoint without its type")
          ? "text/plain"
          : "text/plain; charset=utf-8",
        "Cache-Control": this.#has("a cached checkpoint") ? "max-age=600" : "no-cache",
      },
    });
  }

  /** Its tiles grow before its checkpoint, and full tiles replace partial ones. */
  get #isAhead(): boolean {
    return this.#has("tiles ahead of the checkpoint") || this.#has("a fork behind its tiles");
  }

  /** The hash of the leaves [start, end). */
  #hash(start: number, end: number): Bytes {
    const salt = this.#has("a rewritten history") && this.#size > 600 ? 1_000_000 : 0;
    const key = `${start + salt} ${end + salt}`;
    const known = HASHES.get(key);
    if (known !== undefined) return known;
    const leaves = Array.from({ length: end - start }, (_, i) => leafOf(start + i + salt));
    const hash = treeRoot(kernels, concat(...leaves));
    HASHES.set(key, hash);
    return hash;
  }

  #tile(path: string): Response {
    const address = parseTilePath(this.#normal(path));
    if (address === undefined) return new Response("", { status: 404 });
    const { level, index, width } = address;
    const has = tileWidth(level === "entries" ? 0 : level, index, this.#stored);
    if (level === "entries" && this.#has("no entry bundles")) {
      return new Response("", { status: 404 });
    }
    if (this.#isAhead && width < 256 && has === 256) return new Response("", { status: 404 });
    const isOld = this.#has("no partial tiles") && width < 256 && level !== "entries";
    const isPruned = this.#has("a pruned log") && index === 0 && width === 256;
    const isForgotten = this.#has("partial tiles that are deleted") && width < 256 && has > width &&
      has < 256;
    const beyond = this.#has("partial tiles hashed upwards") && level === 1 ? 1 : 0;
    if (this.#has("empty tiles") && has === 0) return this.#octets(new Uint8Array());
    if (has + beyond < width || isOld || isPruned || isForgotten) {
      return new Response("", { status: 404 });
    }
    if (level === "entries") return this.#entries(index * 256, width);
    const span = 256 ** level;
    const first = index * 256;
    const hashes = Array.from({ length: width }, (_, i) => {
      const start = (first + i) * span;
      return this.#hash(start, Math.min(start + span, this.#stored));
    });
    if (this.#has("another hash in level 1") && level === 1) hashes[0] = this.#hash(0, 255);
    if (this.#has("a full tile too short") && width === 256) hashes.pop();
    if (this.#has("a partial tile too long") && width < 256) hashes.push(hashes[0]!);
    return this.#octets(concat(...hashes));
  }

  #entries(start: number, width: number): Response {
    const entries = Array.from({ length: width }, (_, i) => entryOf(start + i));
    if (this.#has("another entry")) entries[0] = entryOf(7_000);
    if (this.#has("an entry too few")) entries.pop();
    const size = (entry: Bytes) =>
      this.#has("lengths in little-endian")
        ? uint16(entry.length).toReversed()
        : uint16(entry.length);
    return this.#octets(concat(...entries.flatMap((entry) => [size(entry), entry])), "entries");
  }

  /** Paths that a defect serves besides the right ones. */
  #normal(path: string): string {
    if (this.#has("levels with zeros")) return path.replace("tile/00/", "tile/0/");
    if (this.#has("short indexes")) {
      return path.replace("tile/0/0.p", "tile/0/000.p").replace(/^tile\/0\/0$/, "tile/0/000");
    }
    if (this.#has("indexes without an x")) return path.replace("000/000", "000");
    if (this.#has("widths of 256")) return path.replace(".p/256", "");
    return path;
  }

  #octets(body: Bytes, kind = "tile"): Response {
    const isText = this.#has(`${kind} as text`);
    const isBrief = this.#has(`${kind} cached briefly`);
    return new Response(body, {
      headers: {
        "Content-Type": isText ? "text/plain" : "application/octet-stream",
        "Cache-Control": isBrief ? "max-age=60" : "max-age=31536000, immutable",
        ...(kind === "entries" && !this.#has("entries as they are") &&
          { "Content-Encoding": "gzip" }),
      },
    });
  }
}
