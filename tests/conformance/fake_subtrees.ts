/**
 * The fake witness with sign-subtree, and one defect of it at a time.
 *
 * @module
 */

import { bytesOfBase64, concat, equalBytes, integerOf, utf8 } from "../../src/bytes.ts";
import { verifyNative } from "../../src/crypto/ed25519_native.ts";
import { MlDsaSigner } from "../../src/crypto/ml_dsa_signer.ts";
import { portableKernels as kernels } from "../../src/crypto/portable_kernels.ts";
import { tryParse } from "../../src/errors.ts";
import { parseLogCheckpoint } from "../../src/format/log_checkpoint.ts";
import { parseNote, splitCosignature } from "../../src/format/note.ts";
import { NOTE_TYPE, type NoteKey, noteKeyId } from "../../src/format/note_key.ts";
import {
  cosignatureLine,
  encodeSignatureLine,
  noteSignature,
} from "../../src/format/note_writer.ts";
import { encodeSubtreeMessage } from "../../src/format/subtree_cosignature.ts";
import { cosignatureMessage } from "../../src/format/tree_head.ts";
import { inclusionRanges } from "../../src/merkle/proof.ts";
import { FakeWitness } from "./fake_witness.ts";
import { signerOf } from "../witness/fixture.ts";

export class FakeSubtreeWitness {
  readonly keys: readonly NoteKey[];
  readonly #log: NoteKey;
  readonly #defect: string;
  readonly #signer: MlDsaSigner;
  readonly #witness: FakeWitness;

  private constructor(log: NoteKey, defect: string, signer: MlDsaSigner) {
    this.#log = log;
    this.#defect = defect;
    this.#signer = signer;
    this.#witness = new FakeWitness(log, "");
    const { key } = this.#witness;
    const { publicKey } = signer;
    this.keys = [key, { name: key.name, type: NOTE_TYPE.mlDsaCosignature, publicKey }];
  }

  static async of(log: NoteKey, defect: string): Promise<FakeSubtreeWitness> {
    return new FakeSubtreeWitness(log, defect, await MlDsaSigner.of(kernels.sha256(utf8("fake"))));
  }

  readonly fetch = async (input: URL | Request | string, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    if (!request.url.endsWith("/sign-subtree")) return await this.#witness.fetch(request);
    if (request.method !== "POST") {
      return new Response("", { status: this.#has("answers GET") ? 200 : 405 });
    }
    return await this.#sign(await request.text());
  };

  #has(defect: string): boolean {
    return this.#defect === defect;
  }

  async #sign(body: string): Promise<Response> {
    const refuse = (status: number) => new Response("", { status });
    const malformed = refuse(this.#has("422 for malformed requests") ? 422 : 400);
    let sent = body;
    if (this.#has("carriage returns")) sent = sent.replaceAll("\r", "");
    if (this.#has("ranges with zeros")) sent = sent.replace(/^subtree 0+(?=[0-9])/, "subtree ");
    const split = sent.indexOf("\n\n");
    const [range = "", hash = "", ...path] = sent.slice(0, split).split("\n");
    const [, first = "", second = ""] = /^subtree (\S+) (\S+)$/.exec(range) ?? [];
    const [start, end] = [integerOf(first), integerOf(second)];
    const [root, ...hashes] = [hash, ...path].map((line) => bytesOfBase64(line));
    const note = tryParse(() => parseNote(sent.slice(split + 2)));
    const head = note && tryParse(() => parseLogCheckpoint(note.text));
    if (start === undefined || end === undefined || root?.length !== 32 || head === undefined) {
      return malformed;
    }
    if (
      !hashes.every((one) => one?.length === 32) || hashes.length > 63 && !this.#has("long proofs")
    ) return malformed;
    let width = 1;
    while (width < end - start) width *= 2;
    const isValid = start < end && (start % width === 0 || this.#has("any start")) &&
      end <= head.size;
    if (!isValid) return malformed;
    if (head.origin !== this.#log.name) {
      return refuse(this.#has("403 for an unknown origin") ? 403 : 404);
    }
    const [key] = this.keys as [NoteKey];
    const isOwn = note!.signatures.some((line) => {
      const cosignature = splitCosignature(line.payload);
      if (line.name !== key.name || !equalBytes(line.keyId, noteKeyId(key)) || !cosignature) {
        return false;
      }
      const message = utf8(cosignatureMessage(cosignature.timestamp, note!.text));
      return this.#has("unverified signatures") ||
        verifyNative(key.publicKey, message, cosignature.signature);
    });
    if (!isOwn) return refuse(this.#has("401 for a signature") ? 401 : 403);
    const isProved = this.#has("any start") && start % width !== 0 ||
      this.#has("no proof checked") ||
      this.#has("long proofs") && hashes.length > 63 ||
      this.#proves(
        root,
        { start, width, size: head.size, target: head.root },
        hashes as Uint8Array[],
      );
    if (!isProved) return refuse(this.#has("400 for a proof") ? 400 : 422);
    return new Response(await this.#line({ start, end, root, text: note!.text }));
  }

  #proves(
    node: Uint8Array,
    { start, width, size, target }: {
      readonly start: number;
      readonly width: number;
      readonly size: number;
      readonly target: Uint8Array;
    },
    hashes: readonly Uint8Array[],
  ): boolean {
    const ranges = inclusionRanges(start, size).filter((one) =>
      one.start < start || one.start >= start + width
    );
    if (ranges.length !== hashes.length) return false;
    for (const [i, one] of ranges.entries()) {
      node = one.start < start
        ? kernels.nodeHash(hashes[i]!, node)
        : kernels.nodeHash(node, hashes[i]!);
    }
    return equalBytes(node, target);
  }

  async #line({ start, end, root, text }: {
    readonly start: number;
    readonly end: number;
    readonly root: Uint8Array<ArrayBuffer>;
    readonly text: string;
  }): Promise<string> {
    const [ed25519, mlDsa] = this.keys as [NoteKey, NoteKey];
    if (this.#has("Ed25519 of a subtree")) {
      const signature = signerOf("fake").sign(utf8(cosignatureMessage(0, text)));
      return encodeSignatureLine(cosignatureLine(ed25519, 0, signature));
    }
    const name = this.#has("another name") ? "fake.example/x" : mlDsa.name;
    const origin = this.#has("another origin") ? "other.example" : this.#log.name;
    const message = encodeSubtreeMessage({
      cosigner: mlDsa.name,
      timestamp: 0,
      origin,
      start,
      end,
      root,
    });
    const time = new Uint8Array(8);
    if (this.#has("a timestamp")) time[7] = 1;
    const payload = concat(time, await this.#signer.sign(message));
    const line = encodeSignatureLine({
      ...noteSignature({ ...mlDsa, name }, payload),
      keyId: noteKeyId(mlDsa),
    });
    return this.#has("no newline") ? line.trimEnd() : line;
  }
}
