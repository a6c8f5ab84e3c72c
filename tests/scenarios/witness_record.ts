/**
 * What one witness was asked and what it signed, as seen from outside of it.
 *
 * @module
 */

import type { HttpMessage } from "./http_messages.ts";

/** A request on its way, as far as a record cares. */
export type AskedOfWitness =
  | { readonly kind: "cosign"; readonly head: AskedHead; readonly signedBefore: number }
  | { readonly kind: "sign"; readonly first: number; readonly hashes: readonly string[] }
  | { readonly kind: "other" };

/** A tree head that is put to a witness. */
export interface AskedHead {
  readonly size: number;
  /** Hex. */
  readonly root: string;
}

const decoder = new TextDecoder();

/** The record of one witness, through all of its lives. */
export class WitnessRecord {
  readonly id: string;
  /** Roots of heads whose cosignature left the witness, by size. */
  readonly cosigned = new Map<number, string>();
  /** What no honest witness does, in words. */
  readonly contradictions: string[] = [];
  /** Sizes that it remembers and whose cosignature never left it. */
  readonly remembered = new Set<number>();
  /** Hashes that this witness signed, by sequence. */
  readonly signed = new Map<number, string>();
  /** `performance.now()` of its first refusal that only an old or forked store explains. */
  refusedMs: number | undefined;
  /** Hashes of the rounds that were signed, by sequence; of all witnesses of the network. */
  readonly #signed: string[];
  #inFlight = 0;
  #largest = 0;
  #onCosign: () => void = () => {};

  /** `signed` is shared by the witnesses of one network: an honest gateway shows all the same. */
  constructor(id: string, signed: string[]) {
    this.id = id;
    this.#signed = signed;
  }

  /** Cosigning requests that have begun to reach the witness and are not answered. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Resolves when the next cosigning request has reached the witness. */
  nextCosign(): Promise<void> {
    return new Promise((resolve) => this.#onCosign = resolve);
  }

  /** A request that is about to be sent. */
  ask({ start, body }: HttpMessage): AskedOfWitness {
    const path = start.split(" ")[1];
    if (path === "/v1/cosign") {
      const { tree_head: { tree_size: size, root_hash: root } } = jsonOf(body);
      this.#inFlight++;
      return { kind: "cosign", head: { size, root }, signedBefore: this.#largest };
    }
    if (path === "/v1/sign") {
      const { first_sequence: first, hashes } = jsonOf(body);
      return { kind: "sign", first, hashes };
    }
    return { kind: "other" };
  }

  /** The request was sent whole. */
  sent({ kind }: AskedOfWitness): void {
    if (kind === "cosign") this.#onCosign();
  }

  answer(asked: AskedOfWitness, { start, body }: HttpMessage): void {
    const status = Number(start.split(" ")[1]);
    if (asked.kind === "sign" && status === 200) this.#noteRound(asked.first, asked.hashes);
    if (isContradiction(asked, status, body)) this.refusedMs ??= performance.now();
    if (asked.kind !== "cosign") return;
    this.#inFlight--;
    if (status === 200) this.#noteHead(asked.head);
    if (status === 409) this.#noteStanding(jsonOf(body).size, asked.signedBefore);
  }

  /** The witness died, or its connection did, before an answer left it. */
  unanswered({ kind }: AskedOfWitness): void {
    if (kind === "cosign") this.#inFlight--;
  }

  #noteHead({ size, root }: AskedHead): void {
    const before = this.cosigned.get(size);
    if (before !== undefined && before !== root) {
      this.contradictions.push(`${this.id} signed ${before} and ${root} for size ${size}`);
    }
    this.cosigned.set(size, root);
    this.#largest = Math.max(this.#largest, size);
  }

  /** It says that it stands at `size`; `signedBefore` had left it when it was asked. */
  #noteStanding(size: number, signedBefore: number): void {
    if (size < signedBefore) {
      this.contradictions.push(`${this.id} stands at ${size} and signed size ${signedBefore}`);
    }
    if (size > 0 && !this.cosigned.has(size)) this.remembered.add(size);
  }

  #noteRound(first: number, hashes: readonly string[]): void {
    for (const [i, hash] of hashes.entries()) {
      const before = this.#signed[first + i];
      if (before !== undefined && before !== hash) {
        this.contradictions.push(`${this.id} signed ${hash} at ${first + i}, where ${before} was`);
      }
      this.#signed[first + i] = hash;
      const own = this.signed.get(first + i);
      if (own !== undefined && own !== hash) {
        this.contradictions.push(`${this.id} signed ${hash} at ${first + i}, and ${own} before`);
      }
      this.signed.set(first + i, hash);
    }
  }
}

/** A conflict over a round, a larger size than that of the head, or a tree that it does not extend. */
function isContradiction(asked: AskedOfWitness, status: number, body: Uint8Array): boolean {
  if (asked.kind === "sign") return status === 409;
  if (asked.kind !== "cosign") return false;
  if (status === 409) return jsonOf(body).size > asked.head.size;
  return status === 422 && jsonOf(body).code === "consistency_refused";
}

function jsonOf(body: Uint8Array) {
  return JSON.parse(decoder.decode(body));
}
