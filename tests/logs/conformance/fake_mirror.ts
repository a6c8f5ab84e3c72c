/**
 * A small mirror with one defect at a time. Its add-checkpoint is that of the fake witness.
 *
 * @module
 */

import { gunzipSync } from "node:zlib";
import {
  base64Of,
  type Bytes,
  concat,
  equalBytes,
  hexOf,
  textOf,
  utf8,
} from "../../../src/base/bytes.ts";
import { leafHash } from "../../../src/proof/crypto/hashing.ts";
import type { NoteKey } from "../../../src/proof/format/note_key.ts";
import { inclusionRanges } from "../../../src/proof/merkle/proof.ts";
import { parseTilePath, tileWidth } from "../../../src/proof/merkle/tile.ts";
import { treeRoot } from "../../../src/proof/merkle/tree.ts";
import { FakeCosigner } from "./fake_cosigner.ts";
import { withDefect } from "./fake_log.ts";
import { FakeSubtrees } from "./fake_subtrees.ts";
import { FakeWitness } from "./fake_witness.ts";
import { kernels } from "./fixture.ts";

/** The end of a signature line. */
const ZEROS = `${"A".repeat(79)}=\n`;

interface Pending {
  readonly size: number;
  readonly root: Uint8Array;
  /** The text and the log's signature. */
  readonly note: string;
}

export class FakeMirror {
  readonly #log: NoteKey;
  readonly #defect: string;
  readonly #witness: FakeWitness;
  readonly #cosigner: FakeCosigner;
  readonly #subtrees: FakeSubtrees;
  /** By size. */
  readonly #known = new Map<number, Pending>();
  readonly #entries: Bytes[] = [];
  #mirrored: Pending | undefined;

  constructor(log: NoteKey, defect: string) {
    this.#log = log;
    this.#defect = defect;
    this.#witness = new FakeWitness(log, defect);
    this.#cosigner = new FakeCosigner("mirror.example/m", defect);
    this.#subtrees = new FakeSubtrees(log, defect, this.#cosigner);
  }

  get key(): NoteKey {
    return this.#cosigner.key;
  }

  get keys(): readonly NoteKey[] {
    return this.#cosigner.keys;
  }

  readonly fetch = async (input: URL | Request | string, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const path = new URL(request.url).pathname.slice(1);
    if (path === "add-entries") return await this.#addEntries(request);
    if (path === "sign-subtree") return await this.#subtrees.answer(request);
    if (path !== "add-checkpoint") return await this.#served(path);
    const response = await this.#witness.fetch(request);
    const { record } = this.#witness;
    if (record !== undefined) {
      const [text = "", lines = ""] = record.note.split("\n\n");
      const own = `${lines.split("\n")[0]}\n`;
      const kept = this.#has("a log signature of zeros") ? own.replace(/.{80}\n/, ZEROS) : own;
      this.#known.set(record.size, {
        ...record,
        note: `${text}\n\n${this.#has("no log signature") ? "" : kept}`,
      });
    }
    if (response.status !== 200) return response;
    const line = this.#line(this.#pending!);
    if (this.#has("a signature for a checkpoint")) return new Response(line);
    // It is a witness too, under another name.
    if (!this.#has("a witness with the mirror's name")) return response;
    const lines = new FakeCosigner("mirror.example/m", "another key ID").cosign("x\n1\nAA==\n");
    return new Response(lines.slice(0, lines.indexOf("\n") + 1));
  };

  #has(defect: string): boolean {
    return this.#defect === defect;
  }

  get #pending(): Pending | undefined {
    return this.#known.get(this.#witness.record?.size ?? -1);
  }

  #line({ note }: Pending): string {
    return this.#cosigner.cosign(note.slice(0, note.indexOf("\n\n") + 1));
  }

  #info(status: number, end: number): Response {
    const ticket = this.#has("tickets in hex") ? "0g" : base64Of(utf8("t"));
    const shown = this.#has("another end") ? 7 : end;
    return new Response(`${shown}\n${this.#entries.length}\n${ticket}\n`, {
      status,
      headers: {
        "Content-Type": this.#has("text for information")
          ? "text/plain"
          : "text/x.tlog.mirror-info",
      },
    });
  }

  async #addEntries(request: Request): Promise<Response> {
    let body = new Uint8Array(await request.arrayBuffer());
    if (request.headers.get("Content-Encoding") === "gzip") {
      if (this.#has("no gzip")) return new Response("", { status: 415 });
      body = new Uint8Array(gunzipSync(body));
    }
    const view = new DataView(body.buffer);
    const refuse = (status: number) => new Response("", { status });
    if (body.length < 2) return refuse(400);
    const at = 2 + view.getUint16(0);
    if (body.length < at + 18) return refuse(400);
    if (textOf(body.slice(2, at)) !== this.#log.name) {
      return refuse(this.#has("401 for an unknown origin of entries") ? 401 : 404);
    }
    if (this.#pending === undefined) {
      return refuse(this.#has("409 without a checkpoint") ? 409 : 422);
    }
    const start = Number(view.getBigUint64(at));
    const end = Number(view.getBigUint64(at + 8));
    const current = this.#pending.size;
    const known = this.#has("one checkpoint")
      ? end === current || end === this.#mirrored?.size
      : this.#known.has(end);
    if (!known) return this.#has("400 for an unknown end") ? refuse(400) : this.#info(409, current);
    if (start > end) return refuse(400);
    if (end < (this.#mirrored?.size ?? 0) && !this.#has("old ends")) {
      return this.#info(409, current);
    }
    if (start > this.#entries.length) {
      return this.#has("422 for a late start") ? refuse(422) : this.#info(409, end);
    }
    return this.#addPackages(body, at + 18 + view.getUint16(at + 16), { start, end });
  }

  #addPackages(
    body: Bytes,
    offset: number,
    { start, end }: { readonly start: number; readonly end: number },
  ): Response {
    const view = new DataView(body.buffer);
    const target = this.#known.get(end)!;
    let [at, next, saved] = [offset, start, 0];
    while (next < end) {
      const aligned = Math.floor(next / 256) * 256;
      const entries: Bytes[] = [];
      const stop = Math.min(end, aligned + 256);
      let isWhole = true;
      for (let i = next; i < stop && isWhole; i++) {
        const size = at + 2 <= body.length ? view.getUint16(at) : Infinity;
        isWhole = at + 2 + size <= body.length;
        if (isWhole) entries.push(body.slice(at + 2, at + 2 + size));
        at += 2 + size;
      }
      const count = isWhole ? body[at] : undefined;
      if (count === undefined || at + 1 + 32 * count > body.length) break;
      if (count > 63 && !this.#has("any number of hashes")) {
        return new Response("", { status: 400 });
      }
      const hashes = Array.from(
        { length: count },
        (_, i) => body.slice(at + 1 + 32 * i, at + 33 + 32 * i),
      );
      at += 1 + 32 * count;
      const leaves = [...this.#entries.slice(aligned, next), ...entries].map((entry) =>
        leafHash(kernels, entry)
      );
      const isProved = this.#proves(leaves, { aligned, end, root: target.root }, hashes);
      if (!isProved && !this.#has("no proof of entries checked") && !(count > 63)) {
        return new Response("", { status: this.#has("400 for a proof of entries") ? 400 : 422 });
      }
      for (const [i, entry] of entries.entries()) this.#entries[next + i] ??= entry;
      next = stop;
      saved++;
    }
    if (next < end && saved === 0) {
      return new Response("", { status: this.#has("422 for nothing") ? 422 : 400 });
    }
    if (next < end) return this.#has("200 for a part") ? new Response("") : this.#info(202, end);
    if (end >= (this.#mirrored?.size ?? 0)) this.#mirrored = target;
    if (this.#has("204 for entries")) return new Response(undefined, { status: 204 });
    const accepts = this.#has("no Accept-Encoding") ? "identity" : "gzip";
    return new Response(this.#line(target), { headers: { "Accept-Encoding": accepts } });
  }

  /** The subtree consistency proof of the leaves from `aligned` on. */
  #proves(
    leaves: readonly Bytes[],
    { aligned, end, root }: {
      readonly aligned: number;
      readonly end: number;
      readonly root: Uint8Array;
    },
    hashes: readonly Bytes[],
  ): boolean {
    const ranges = inclusionRanges(aligned, end).filter(({ start }) =>
      start < aligned || start >= aligned + 256
    );
    if (ranges.length !== hashes.length) return false;
    let node = treeRoot(kernels, concat(...leaves));
    for (const [i, { start }] of ranges.entries()) {
      node = start < aligned
        ? kernels.nodeHash(hashes[i]!, node)
        : kernels.nodeHash(node, hashes[i]!);
    }
    return equalBytes(node, root);
  }

  async #served(path: string): Promise<Response> {
    const prefix = `${hexOf(kernels.sha256(utf8(this.#log.name)))}/`;
    const mirrored = this.#mirrored;
    if (!path.startsWith(prefix) || mirrored === undefined) {
      return new Response("", { status: 404 });
    }
    const below = path.slice(prefix.length);
    return await withDefect(this.#defect, below, (at) => this.#resource(at, mirrored));
  }

  #resource(path: string, mirrored: Pending): Response {
    if (path === "checkpoint") {
      const line = this.#has("no cosignature") ? "" : this.#line(mirrored);
      return new Response(mirrored.note + line, {
        headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-cache" },
      });
    }
    const address = parseTilePath(path);
    const level = address?.level === "entries" ? 0 : address?.level ?? 0;
    const isLacking = address === undefined ||
      tileWidth(level, address.index, mirrored.size) < address.width;
    if (isLacking) return new Response("", { status: 404 });
    const { index, width } = address;
    const headers = {
      "Content-Type": "application/octet-stream",
      "Cache-Control": "immutable",
      "Content-Encoding": "gzip",
    };
    if (address.level === "entries") {
      const entries = this.#entries.slice(index * 256, index * 256 + width);
      return new Response(
        concat(...entries.flatMap((one) => [Uint8Array.of(one.length >> 8, one.length), one])),
        { headers },
      );
    }
    const nodes = Array.from({ length: width }, (_, i) => {
      const from = (index * 256 + i) * 256 ** level;
      const leaves = this.#entries.slice(from, from + 256 ** level).map((entry) =>
        leafHash(kernels, entry)
      );
      return treeRoot(kernels, concat(...leaves));
    });
    return new Response(concat(...nodes), { headers });
  }
}
