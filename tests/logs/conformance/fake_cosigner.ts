/**
 * The two keys of a fake witness or mirror, whose cosignatures have one defect at a time.
 *
 * @module
 */

import { concat, utf8 } from "../../../src/base/bytes.ts";
import { NOTE_TYPE, type NoteKey, noteKeyId } from "../../../src/proof/format/note_key.ts";
import { encodeSubtreeMessage } from "../../../src/proof/format/subtree_cosignature.ts";
import { NOW } from "../../witness/fixture.ts";
import { cosigned, cosigner, ed25519, line, mlDsa, type Signer, uint64 } from "./vectors/makers.ts";

/** Leaves [start, end) of the log `origin`. */
interface Subtree {
  readonly origin: string;
  readonly start: number;
  readonly end: number;
  readonly root: Uint8Array;
}

export class FakeCosigner {
  readonly #defect: string;
  readonly #ed25519: Signer;
  readonly #mlDsa: Signer;

  constructor(name: string, defect: string) {
    this.#defect = defect;
    const own = this.#has("a name that is no URL") ? name.split(".")[0]! : name;
    this.#ed25519 = cosigner(own);
    this.#mlDsa = mlDsa(own);
  }

  get key(): NoteKey {
    return this.#ed25519.key;
  }

  get keys(): readonly NoteKey[] {
    return [this.key, this.#mlDsa.key];
  }

  #has(defect: string): boolean {
    return this.#defect === defect;
  }

  /** The lines for the checkpoint `text`. */
  cosign(text: string): string {
    const lines = [this.#ed25519Line(text)];
    if (!this.#has("no ML-DSA-44 line")) lines.push(this.#mlDsaLine(text));
    if (this.#has("another name")) return lines.join("").replaceAll(this.key.name, "other.example");
    if (this.#has("lines as a list")) return lines.join("").replaceAll("\u2014", "-");
    return lines.join("");
  }

  #ed25519Line(text: string): string {
    const time = this.#has("no time")
      ? 0n
      : this.#has("times above 2^63")
      ? 1n << 63n
      : BigInt(NOW);
    const by = this.#has("another key") ? cosigner(this.key.name, "other") : this.#ed25519;
    const short = `${text.split("\n").slice(0, 3).join("\n")}\n`;
    const signed = this.#has("extensions left out") ? short : text;
    const message = this.#has("no header") ? text : `cosignature/v1\ntime ${time}\n${signed}`;
    const type = this.#has("another key ID") ? NOTE_TYPE.ed25519 : this.key.type;
    const signature = by.sign(utf8(message));
    const payload = this.#has("no timestamp") ? signature : concat(uint64(time), signature);
    return line(this.key.name, noteKeyId({ ...this.key, type }), payload);
  }

  #mlDsaLine(text: string): string {
    const time = this.#has("no time") ? 0n : BigInt(NOW);
    const options = this.#has("another ML-DSA-44 message") ? { time, message: text } : { time };
    const whole = cosigned(this.#mlDsa, text, options);
    if (!this.#has("another ML-DSA-44 key ID")) return whole;
    const { key } = this.#mlDsa;
    const payload = Uint8Array.fromBase64(whole.trimEnd().split(" ")[2]!).slice(4);
    return line(key.name, noteKeyId({ ...key, type: NOTE_TYPE.cosignature }), payload);
  }

  /** The line for a subtree. */
  cosignSubtree({ origin, start, end, root }: Subtree): string {
    const { key, sign } = this.#mlDsa;
    if (this.#has("Ed25519 of a subtree")) {
      const signature = ed25519(key.name).sign(utf8("subtree"));
      return line(key.name, noteKeyId(this.key), concat(uint64(0n), signature));
    }
    const message = encodeSubtreeMessage({
      cosigner: key.name,
      timestamp: 0,
      origin: this.#has("another origin of a subtree") ? "other.example" : origin,
      start,
      end,
      root: concat(root),
    });
    const time = uint64(this.#has("a timestamp of a subtree") ? 1n : 0n);
    const name = this.#has("another name of a subtree") ? "other.example" : key.name;
    const whole = line(name, noteKeyId(key), concat(time, sign(message)));
    return this.#has("no newline after a subtree") ? whole.trimEnd() : whole;
  }
}
