/**
 * A log and its anchors that grow under control of a test. Every read takes some turns of the event
 * loop, so that readers and the broadcast interleave.
 *
 * @module
 */

import type { Clock } from "../../src/base/clock.ts";
import type {
  AnchorList,
  DigestEvent,
  EventLog,
  ListedAnchor,
  PublishedHead,
} from "../../src/gateway/events/event_ports.ts";

/** A clock whose sleeps end after all other work that is ready. */
export const hastyClock: Clock = {
  nowMs: () => 0,
  elapsedMs: () => 0,
  sleep: (_ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      setTimeout(resolve, 0);
    }),
};

/** Waits for `count` microtasks. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await Promise.resolve();
}

class Listeners {
  readonly #all = new Set<() => void>();

  add(listener: () => void, signal: AbortSignal): void {
    this.#all.add(listener);
    signal.addEventListener("abort", () => this.#all.delete(listener), { once: true });
  }

  get count(): number {
    return this.#all.size;
  }

  notify(): void {
    for (const listener of this.#all) listener();
  }
}

/** The hash of a sequence: 64 hex digits. */
export function hashAt(sequence: number): string {
  return sequence.toString(16).padStart(64, "0");
}

/** {@linkcode EventLog} without signatures. */
export class GrowingLog implements EventLog {
  readonly networkId = "test.example/log";
  readonly listeners = new Listeners();
  readonly sizes: number[] = [];
  accepted = 0;
  confirmed = 0;
  /** Thrown by every read while it is set. */
  fault: Error | undefined;
  /** Reads wait for it while it is set. */
  gate: Promise<void> | undefined;
  /** Number of digests read. */
  read = 0;
  #turn = 0;

  get published(): number {
    return this.sizes.at(-1) ?? 0;
  }

  accept(count: number): void {
    this.accepted += count;
    this.listeners.notify();
  }

  confirm(count: number): void {
    this.confirmed = Math.min(this.accepted, this.confirmed + count);
    this.listeners.notify();
  }

  publish(): void {
    if (this.confirmed > this.published) this.sizes.push(this.confirmed);
    this.listeners.notify();
  }

  acceptances(start: number, end: number): Promise<readonly DigestEvent[]> {
    return this.#digests(start, end, 1_000);
  }

  confirmations(start: number, end: number): Promise<readonly DigestEvent[]> {
    return this.#digests(start, end, 2_000);
  }

  async headAbove(size: number): Promise<PublishedHead | undefined> {
    await this.#pause();
    const found = this.sizes.find((other) => other > size);
    return found === undefined ? undefined : this.#head(found);
  }

  async sequenceOf(hash: string): Promise<number | undefined> {
    const sequence = Number.parseInt(hash, 16);
    await this.#pause();
    return sequence < this.accepted ? sequence : undefined;
  }

  onProgress(listener: () => void, signal: AbortSignal): void {
    this.listeners.add(listener, signal);
  }

  async #digests(start: number, end: number, at: number): Promise<DigestEvent[]> {
    await this.#pause();
    this.read += end - start;
    return Array.from({ length: end - start }, (_, i) => ({
      hash: hashAt(start + i),
      at: at + start + i,
    }));
  }

  #head(size: number): PublishedHead {
    const before = this.sizes[this.sizes.indexOf(size) - 1] ?? 0;
    const root = hashAt(size);
    const { networkId } = this;
    return {
      size,
      sth: () => ({
        tree_head: { network_id: networkId, tree_size: size, timestamp: size, root_hash: root },
        signatures: [],
      }),
      batch: () =>
        Promise.resolve({
          id: size,
          network_id: networkId,
          root_hash: root,
          tree_size: size,
          first_index: before,
          attestation_count: size - before,
          period_start: before,
          period_end: size,
        }),
    };
  }

  async #pause(): Promise<void> {
    await this.gate;
    await turns(this.#turn++ % 7);
    if (this.fault !== undefined) throw this.fault;
  }
}

/** {@linkcode AnchorList} in memory. */
export class GrowingAnchors implements AnchorList {
  readonly added: ListedAnchor[] = [];
  readonly listeners = new Listeners();

  get length(): number {
    return this.added.length;
  }

  add(type: ListedAnchor["type"]): void {
    const data = JSON.stringify({ index: this.added.length });
    this.added.push({ type, at: 3_000 + this.added.length, data });
    this.listeners.notify();
  }

  async list(start: number, end: number): Promise<readonly ListedAnchor[]> {
    await turns(start % 3);
    return this.added.slice(start, end);
  }

  onAdded(listener: () => void, signal: AbortSignal): void {
    this.listeners.add(listener, signal);
  }
}
