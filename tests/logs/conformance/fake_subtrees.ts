/**
 * The sign-subtree of a fake witness or mirror, with one defect at a time.
 *
 * @module
 */

import { bytesOfBase64, equalBytes, integerOf } from "../../../src/base/bytes.ts";
import { isOf } from "../../../src/logs/conformance/cosignature_checks.ts";
import { tryParse } from "../../../src/base/errors.ts";
import { parseLogCheckpoint } from "../../../src/proof/format/log_checkpoint.ts";
import { parseNote } from "../../../src/proof/format/note.ts";
import type { NoteKey } from "../../../src/proof/format/note_key.ts";
import { inclusionRanges } from "../../../src/proof/merkle/proof.ts";
import { verifyNote } from "../../../src/proof/verify/note.ts";
import { kernels, suiteCrypto } from "./fixture.ts";
import type { FakeCosigner } from "./fake_cosigner.ts";

export class FakeSubtrees {
  readonly #log: NoteKey;
  readonly #defect: string;
  readonly #cosigner: FakeCosigner;

  constructor(log: NoteKey, defect: string, cosigner: FakeCosigner) {
    this.#log = log;
    this.#defect = defect;
    this.#cosigner = cosigner;
  }

  async answer(request: Request): Promise<Response> {
    if (this.#has("no sign-subtree")) return new Response("", { status: 404 });
    if (request.method !== "POST") return new Response("", { status: 405 });
    return await this.#sign(await request.text());
  }

  #has(defect: string): boolean {
    return this.#defect === defect;
  }

  async #sign(body: string): Promise<Response> {
    const refuse = (status: number) => new Response("", { status });
    const malformed = refuse(this.#has("422 for malformed requests") ? 422 : 400);
    let sent = body;
    if (this.#has("carriage returns of a subtree")) sent = sent.replaceAll("\r", "");
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
      if (this.#has("403 for an unknown origin of a subtree")) return refuse(403);
      return refuse(this.#has("401 for an unknown origin of a subtree") ? 401 : 404);
    }
    const own = this.#cosigner.keys.map(async (key) => {
      const isNamed = note!.signatures.some((line) => isOf(key, line));
      const isTrusted = this.#has("unverified signatures") && isNamed;
      return isTrusted || (await verifyNote(suiteCrypto, [key], note!)).valid;
    });
    const isOwn = (await Promise.all(own)).includes(true);
    if (!isOwn) return refuse(this.#has("401 for a subtree's signature") ? 401 : 403);
    const isProved = this.#has("any start") && start % width !== 0 ||
      this.#has("no proof of a subtree checked") ||
      this.#has("long proofs") && hashes.length > 63 ||
      this.#proves(
        root,
        { start, width, size: head.size, target: head.root },
        hashes as Uint8Array[],
      );
    if (!isProved) return refuse(this.#has("400 for a subtree's proof") ? 400 : 422);
    if (this.#has("204 for a subtree")) return new Response(undefined, { status: 204 });
    const { origin } = head;
    return new Response(this.#cosigner.cosignSubtree({ origin, start, end, root }));
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
}
