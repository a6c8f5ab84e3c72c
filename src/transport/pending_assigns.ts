/**
 * The requests of a front that have no outcome, in the order in which they were made.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { Assigned } from "../gateway/fronts/ports.ts";

/** Bytes of requests that may be sent without an outcome, */
const WINDOW_BYTES = 2 ** 22;
/** and that may wait to be sent. */
const MAX_BYTES = 2 ** 26;

export interface PendingAssign {
  readonly frame: Bytes;
  readonly madeMs: number;
  readonly resolve: (assigned: Assigned | undefined) => void;
  readonly reject: (error: CountersignError) => void;
  isSent: boolean;
  /** It was sent before: that one may have had the sequences assigned. */
  isRepeated: boolean;
}

export class PendingAssigns {
  readonly #pending = new Map<number, PendingAssign>();
  /** Requests that are not sent, ascending: a new one is sent before the map is searched. */
  #unsent: PendingAssign[] = [];
  #bytes = 0;
  #sentBytes = 0;

  get size(): number {
    return this.#pending.size;
  }

  /** `overloaded` if too much waits already. */
  add(id: number, made: Omit<PendingAssign, "isSent" | "isRepeated">): void {
    if (this.#bytes + made.frame.length > MAX_BYTES) {
      throw new CountersignError("overloaded", "Too many hashes wait for the gateway; retry later");
    }
    const pending = { ...made, isSent: false, isRepeated: false };
    this.#pending.set(id, pending);
    this.#unsent.push(pending);
    this.#bytes += made.frame.length;
  }

  /** `undefined` for the second outcome of a request that was sent twice. */
  take(id: number): PendingAssign | undefined {
    const pending = this.#pending.get(id);
    if (pending === undefined) return undefined;
    this.#pending.delete(id);
    this.#bytes -= pending.frame.length;
    if (pending.isSent) this.#sentBytes -= pending.frame.length;
    else this.#unsent = this.#unsent.filter((other) => other !== pending);
    return pending;
  }

  /** Takes those that were made at a time that `isTaken` accepts. */
  takeAll(isTaken: (madeMs: number) => boolean): PendingAssign[] {
    return [...this.#pending].flatMap(([id, { madeMs }]) => isTaken(madeMs) ? this.take(id)! : []);
  }

  /** All have to be sent again. */
  repeat(): void {
    this.#unsent = [...this.#pending.values()];
    this.#sentBytes = 0;
    for (const pending of this.#unsent) {
      pending.isRepeated ||= pending.isSent;
      pending.isSent = false;
    }
  }

  /** Sends as many as the window allows; a long one goes alone. */
  send(send: (frame: Bytes) => void): void {
    let count = 0;
    for (const pending of this.#unsent) {
      const { length } = pending.frame;
      if (this.#sentBytes > 0 && this.#sentBytes + length > WINDOW_BYTES) break;
      pending.isSent = true;
      this.#sentBytes += length;
      send(pending.frame);
      count++;
    }
    if (count > 0) this.#unsent = this.#unsent.slice(count);
  }
}
