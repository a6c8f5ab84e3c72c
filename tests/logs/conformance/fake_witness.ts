/**
 * A small witness with one defect at a time, by which the suite's own findings are tested.
 *
 * @module
 */

import {
  base64Of,
  bytesOfBase64,
  concat,
  equalBytes,
  hexOf,
  textOf,
  utf8,
} from "../../../src/base/bytes.ts";
import { verifyNative } from "../../../src/proof/crypto/ed25519_native.ts";
import { parseAddCheckpoint } from "../../../src/proof/format/add_checkpoint.ts";
import { parseLogCheckpoint } from "../../../src/proof/format/log_checkpoint.ts";
import { type NoteKey, noteKeyId } from "../../../src/proof/format/note_key.ts";
import { encodeSignatureLine, noteSignature } from "../../../src/proof/format/note_writer.ts";
import { verifyConsistency } from "../../../src/proof/merkle/proof.ts";
import { tryParse } from "../../../src/base/errors.ts";
import { FakeCosigner } from "./fake_cosigner.ts";
import { FakeSubtrees } from "./fake_subtrees.ts";
import { kernels } from "./fixture.ts";

/** Malformed bodies that a defect accepts. */
const LENIENT: Record<string, RegExp> = {
  "old with a leading zero": /^old 0[0-9]/,
  "old with a sign": /^old \+/,
  "old in capitals": /^OLD /,
  "carriage returns": /\r/,
  "no newline at the end": /[^\n]$/,
  "hashes in hex": /\n[0-9a-f]{64}\n/,
  "no empty line": /^old [0-9]+\n[^\n]+\n[0-9]+\n/,
  "size with a leading zero": /\n0[0-9]+\n/,
  "empty extension lines": /=\n\nx\n/,
  // deno-lint-ignore no-control-regex
  "control characters": /\u0007/,
  "texts that are not UTF-8": /\u00ff/,
  "short root hashes": /\n[A-Za-z0-9+/]{42}==\n/,
};

interface Submission {
  readonly old: number;
  readonly path: readonly Uint8Array<ArrayBuffer>[];
  readonly text: Uint8Array;
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
  readonly signatures: readonly {
    readonly name: string;
    readonly keyId: Uint8Array;
    readonly payload: Uint8Array;
  }[];
}

export class FakeWitness {
  readonly #cosigner: FakeCosigner;
  readonly #subtrees: FakeSubtrees;
  readonly #log: NoteKey;
  readonly #defect: string;
  /** The first checkpoint, as monitors get it. */
  #first: string | undefined;
  #record: { size: number; root: Uint8Array; note: string } | undefined;

  constructor(log: NoteKey, defect: string) {
    this.#log = log;
    this.#defect = defect;
    this.#cosigner = new FakeCosigner("fake.example/w", defect);
    this.#subtrees = new FakeSubtrees(log, defect, this.#cosigner);
  }

  get key(): NoteKey {
    return this.#cosigner.key;
  }

  get keys(): readonly NoteKey[] {
    return this.#cosigner.keys;
  }

  /** The last checkpoint, with the log's signature. */
  get record():
    | { readonly size: number; readonly root: Uint8Array; readonly note: string }
    | undefined {
    return this.#record;
  }

  readonly fetch = async (input: URL | Request | string, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    if (request.url.endsWith("/sign-subtree")) return await this.#subtrees.answer(request);
    const response = await this.#answer(request, new Uint8Array(await request.arrayBuffer()));
    if (this.#has("closes connections")) response.headers.set("Connection", "close");
    return response;
  };

  #has(defect: string): boolean {
    return this.#defect === defect;
  }

  async #answer(request: Request, body: Uint8Array<ArrayBuffer>): Promise<Response> {
    const path = new URL(request.url).pathname;
    if (path !== "/add-checkpoint") return this.#monitoring(request, path);
    if (request.method !== "POST") return new Response("", { status: 405 });
    const limit = this.#has("small bodies only") ? 16_384 : 1 << 20;
    if (body.length > limit) return new Response("", { status: 413 });
    const submission = this.#read(body);
    if (submission === undefined) return new Response("", { status: 400 });
    return await this.#add(submission);
  }

  #read(body: Uint8Array<ArrayBuffer>): Submission | undefined {
    const latin = Array.from(body, (byte) => String.fromCharCode(byte)).join("");
    if (!LENIENT[this.#defect]?.test(latin)) {
      return tryParse(() => {
        const { oldSize, consistencyPath, checkpoint } = parseAddCheckpoint(
          textOf(body),
        );
        const { origin, size, root } = parseLogCheckpoint(checkpoint.text);
        const { text, signatures } = checkpoint;
        return {
          old: oldSize,
          path: consistencyPath,
          text: utf8(text),
          origin,
          size,
          root,
          signatures,
        };
      });
    }
    // Everything as it may have been meant. Texts are bytes, so that signatures still verify.
    let text = latin.replaceAll("\r", "").replace(/^OLD/, "old");
    if (this.#has("no empty line")) text = text.replace("\n", "\n\n");
    const [old = "", ...hashes] = text.slice(0, text.indexOf("\n\n")).split("\n");
    const note = text.slice(text.indexOf("\n\n") + 2);
    const noteText = note.slice(0, note.indexOf("\n\u00e2"));
    const [origin = "", size = "", root = ""] = noteText.split("\n");
    const lines = note.slice(noteText.length + 1).split("\n").filter((line) => line !== "");
    return {
      old: Number(old.slice(4)),
      path: hashes.map((hash) =>
        hash.length === 64 ? Uint8Array.fromHex(hash) : bytesOfBase64(hash)!
      ),
      text: Uint8Array.from(noteText, (char) => char.charCodeAt(0)),
      origin,
      size: Number(size),
      root: this.#has("short root hashes") ? this.#record!.root : bytesOfBase64(root)!,
      signatures: lines.map((line) => {
        const [, name = "", encoded = ""] = line.split(" ");
        const bytes = bytesOfBase64(encoded)!;
        return { name, keyId: bytes.slice(0, 4), payload: bytes.slice(4) };
      }),
    };
  }

  #refuse(status: number, body = ""): Response {
    const shown = this.#has("cosigns what it refuses") && status === 422
      ? this.#cosigner.cosign("x\n1\nAA==\n")
      : this.#has("refuses with a dash")
      ? "Refused \u2014 see the log."
      : body;
    return new Response(shown, { status });
  }

  async #add({ old, path, text, origin, size, root, signatures }: Submission): Promise<Response> {
    const record = this.#record ?? { size: 0, root: kernels.sha256(new Uint8Array()), note: "" };
    if (origin !== this.#log.name) {
      return this.#refuse(this.#has("403 for an unknown origin") ? 403 : 404);
    }
    if (this.#has("refuses extension lines") && text.filter((byte) => byte === 10).length > 3) {
      return this.#refuse(400);
    }
    if (this.#has("eight signatures at most") && signatures.length > 8) return this.#refuse(400);
    const id = noteKeyId(this.#log);
    const known = signatures.filter(({ name, keyId }) =>
      (name === this.#log.name || this.#has("keys by ID alone")) &&
      (equalBytes(keyId, id) || this.#has("keys by name alone"))
    );
    const valid = known.filter(({ payload }) =>
      this.#has("no verification") || verifyNative(this.#log.publicKey, text, payload)
    );
    const isSigned = this.#has("one valid signature suffices")
      ? valid.length > 0
      : valid.length > 0 && valid.length === known.length;
    const isUnsigned = this.#has("unsigned checkpoints") && known.length === 0;
    if (!isSigned && !isUnsigned) return this.#refuse(this.#has("401 for a signature") ? 401 : 403);
    if (old > size && this.#has("422 above the checkpoint")) return this.#refuse(422);
    if (old > size && !this.#has("409 above the checkpoint")) return this.#refuse(400);
    const matches = old === record.size ||
      (this.#has("any old size") && 0 < old && old < record.size && record.size < size);
    if (!matches || old > size) {
      const status = this.#has("400 for a conflict") ? 400 : 409;
      const type = this.#has("conflicts as text") ? "text/plain" : "text/x.tlog.size";
      const body = this.#has("conflicts without a size")
        ? `size: ${record.size}\n`
        : `${record.size}\n`;
      return new Response(body, { status, headers: { "Content-Type": type } });
    }
    const fault = this.#treeFault({ old, path, size, root }, record);
    if (fault !== undefined) return this.#refuse(fault);
    if (this.#has("a race")) await new Promise((resolve) => setTimeout(resolve, 0));
    const noteText = new TextDecoder().decode(text);
    const lines = this.#cosigner.cosign(noteText);
    const own = encodeSignatureLine({
      ...noteSignature(this.#log, valid[0]?.payload ?? new Uint8Array(64)),
    });
    const served = this.#has("no log signature for monitors") ? "" : own;
    if (!this.#has("a record that stays") || path.length === 0) {
      this.#record = { size, root, note: `${noteText}\n${served}${lines}` };
      this.#first ??= this.#record.note;
    }
    if (this.#has("no lines")) return new Response("");
    return new Response(lines);
  }

  #treeFault(
    { old, path, size, root }: Pick<Submission, "old" | "path" | "size" | "root">,
    record: { readonly size: number; readonly root: Uint8Array },
  ): number | undefined {
    if (
      size === 0 && !equalBytes(root, kernels.sha256(new Uint8Array())) &&
      !this.#has("any root of size 0")
    ) {
      return this.#has("400 for the root of size 0") ? 400 : 422;
    }
    const proofStatus = this.#has("409 for a proof") ? 409 : 422;
    if (old === 0) return path.length > 0 && !this.#has("a proof from 0") ? proofStatus : undefined;
    if (old === size && path.length === 0) {
      if (equalBytes(root, record.root) || this.#has("any root of the same size")) return undefined;
      return this.#has("409 for the same size") ? 409 : 422;
    }
    if (this.#has("any old size") && old !== record.size) return undefined;
    if (this.#has("no proof checked")) return undefined;
    if (this.#has("any proof from a size to itself") && old === size) return undefined;
    const [first, second] = [old, size];
    const roots = { firstRoot: record.root, secondRoot: root };
    return verifyConsistency(kernels, { first, second, ...roots, path }) ? undefined : proofStatus;
  }

  #monitoring(request: Request, path: string): Response {
    const isKnown = path === `/${hexOf(kernels.sha256(utf8(this.#log.name)))}/checkpoint`;
    if (request.method !== "GET") return this.#refuse(405);
    if (this.#has("500 for monitors") && this.#record !== undefined) return this.#refuse(500);
    if (this.#has("an empty checkpoint for monitors") && this.#record === undefined) {
      return new Response(
        `${this.#log.name}\n0\n${base64Of(concat(kernels.sha256(new Uint8Array())))}\n`,
      );
    }
    if (!isKnown || this.#record === undefined || this.#has("no monitoring")) {
      return this.#refuse(404);
    }
    const { note } = this.#record;
    if (!this.#has("an old checkpoint for monitors")) return new Response(note);
    return new Response(this.#first);
  }
}
