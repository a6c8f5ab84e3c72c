/**
 * A small log with one defect at a time.
 *
 * @module
 */

import { type Bytes, concat, utf8 } from "../../../src/base/bytes.ts";
import { leafHash } from "../../../src/proof/crypto/hashing.ts";
import { encodeLogCheckpoint } from "../../../src/proof/format/log_checkpoint.ts";
import { encodeNote, noteSignature } from "../../../src/proof/format/note_writer.ts";
import { NOTE_TYPE, type NoteKey } from "../../../src/proof/format/note_key.ts";
import { parseTilePath, tileWidth } from "../../../src/proof/merkle/tile.ts";
import { treeRoot } from "../../../src/proof/merkle/tree.ts";
import { signerOf } from "../../witness/fixture.ts";
import { kernels } from "./fixture.ts";

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

/** A resource as a faulty server of tiles has it; `serve` is an honest one. */
export async function withDefect(
  defect: string,
  path: string,
  serve: (path: string) => Response,
): Promise<Response> {
  const absent = () => new Response("", { status: 404 });
  const kind = /^tile\/entries\//.test(path) ? "entries" : /^tile\//.test(path) ? "tile" : path;
  const isPartial = path.includes(".p/");
  const honest = serve(path);
  const isGone = {
    "no checkpoint": kind === "checkpoint",
    "no entry bundles": kind === "entries",
    "no partial tiles": kind === "tile" && isPartial,
    "no last bundle": kind === "entries" && !path.endsWith("/000"),
    "a pruned log": /\/000$/.test(path),
  }[defect];
  if (isGone) return absent();
  if (honest.status !== 200) {
    if (defect === "empty tiles" && kind === "tile") return new Response("");
    if (defect === "a page for each path" && kind === "tile") return new Response("Not found");
    const width = Number(/^tile\/1\/.*\.p\/(\d+)$/.exec(path)?.[1]);
    if (defect !== "partial tiles hashed upwards" || !(width > 0)) return honest;
    const shorter = serve(path.replace(/\d+$/, String(width - 1)));
    const hashes = shorter.ok ? new Uint8Array(await shorter.arrayBuffer()) : new Uint8Array();
    return width === 1 || shorter.ok ? new Response(concat(hashes, new Uint8Array(32))) : honest;
  }
  const headers = new Headers(honest.headers);
  let body = new Uint8Array(await honest.arrayBuffer());
  if (defect === `${kind} as text`) headers.set("Content-Type", "text/plain");
  if (defect === "checkpoint cached for half a minute" && kind === "checkpoint") {
    headers.set("Cache-Control", "max-age=30");
  }
  if (defect === "tiles cached for hours" && kind !== "checkpoint") {
    headers.set("Cache-Control", "max-age=36000");
  }
  if (defect === `${kind} cached wrongly`) headers.set("Cache-Control", "max-age=600");
  if (defect === "entries as they are") headers.delete("Content-Encoding");
  if (defect === "another hash in level 1" && /^tile\/1\//.test(path)) body[0]! ^= 1;
  if (defect === "a full tile too short" && kind === "tile" && !isPartial) body = body.slice(32);
  if (defect === "a partial tile too long" && kind === "tile" && isPartial) {
    body = concat(body, new Uint8Array(32));
  }
  if (defect === "another entry" && kind === "entries") body[2]! ^= 1;
  if (defect === "entries cut short" && kind === "entries") body = body.slice(0, -1);
  return new Response(body, { headers });
}

export class FakeLog {
  readonly key: NoteKey;
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
    const name = this.#has("a key name that is no URL") ? "log" : ORIGIN;
    this.key = { name, type: NOTE_TYPE.ed25519, publicKey: signerOf("fake log").publicKey };
    this.#size = size;
    this.#growth = growth;
    this.#stored = this.#isAhead ? size + growth : size;
  }

  readonly fetch = async (input: URL | Request | string): Promise<Response> => {
    const path = new URL(input instanceof Request ? input.url : input).pathname.slice(
      ORIGIN.length - 10,
    );
    // Reading the checkpoint makes the log grow, so it is made once.
    const checkpoint = path === "checkpoint" ? this.#checkpoint() : undefined;
    return await withDefect(this.#defect, path, (at) => checkpoint ?? this.#tile(at));
  };

  #has(defect: string): boolean {
    return this.#defect === defect;
  }

  #checkpoint(): Response {
    if (++this.#reads === 2) this.#stored = this.#size += this.#growth;
    const size = this.#size;
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
    if (this.#has("two lines")) text = text.split("\n").slice(0, 2).join("\n") + "\n";
    if (this.#has("a tab")) text = text.replace("\n", "\t\n");
    const signer = signerOf(/another key$/.test(this.#defect) ? "other" : "fake log");
    const name = this.#has("another key name") ? "name.example" : this.key.name;
    const type = this.#has("another key ID") ? NOTE_TYPE.cosignature : this.key.type;
    const own = noteSignature({ ...this.key, name, type }, signer.sign(utf8(text)));
    // Nobody verifies it: only its length shows.
    const mlDsa = { ...own, keyId: Uint8Array.of(1, 2, 3, 4), payload: new Uint8Array(8 + 2_420) };
    const signatures = this.#has("no ML-DSA-44 line") ? [own] : [own, mlDsa];
    let note = encodeNote({ text, signatures });
    if (this.#has("no empty line")) note = note.replace("\n\n", "\n");
    if (this.#has("a space in a key name")) {
      note += note.slice(note.indexOf("\u2014")).replace("log.", "log .");
    }
    return new Response(note, {
      headers: {
        "Content-Type": "text/plain; charset=utf-8",
        "Cache-Control": "no-cache",
      },
    });
  }

  /** Its tiles grow before its checkpoint, and full tiles replace partial ones. */
  get #isAhead(): boolean {
    return this.#has("tiles ahead of the checkpoint") || this.#has("a fork behind its tiles");
  }

  /** The hash of the leaves [start, end). */
  #hash(start: number, end: number): Bytes {
    const salt = this.#has("a rewritten history") || this.#has("a history of another key")
      ? Number(this.#size > 600) * 1_000_000
      : 0;
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
    if (this.#isAhead && width < 256 && has === 256) return new Response("", { status: 404 });
    const isForgotten = this.#has("partial tiles that are deleted") && width < 256 && has > width &&
      has < 256;
    if (has < width || isForgotten) return new Response("", { status: 404 });
    if (level === "entries") return this.#entries(index * 256, width);
    const span = 256 ** level;
    const first = index * 256;
    const hashes = Array.from({ length: width }, (_, i) => {
      const start = (first + i) * span;
      return this.#hash(start, Math.min(start + span, this.#stored));
    });
    return this.#octets(concat(...hashes));
  }

  #entries(start: number, width: number): Response {
    const entries = Array.from({ length: width }, (_, i) => entryOf(start + i));
    const bundle = concat(...entries.flatMap((entry) => [uint16(entry.length), entry]));
    return this.#octets(bundle, { "Content-Encoding": "gzip" });
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

  #octets(body: Bytes, more: Record<string, string> = {}): Response {
    return new Response(body, {
      headers: {
        "Content-Type": "application/octet-stream",
        "Cache-Control": "max-age=31536000, immutable",
        ...more,
      },
    });
  }
}
