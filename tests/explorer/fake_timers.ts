/**
 * `setTimeout` of this process, moved by a test.
 *
 * @module
 */

interface Timer {
  readonly id: number;
  readonly endMs: number;
  readonly run: () => void;
}

/** In place of the machine's timers until it is disposed of. */
export class FakeTimers implements Disposable {
  readonly #set = globalThis.setTimeout;
  readonly #clear = globalThis.clearTimeout;
  #nowMs = 0;
  #nextId = 1;
  #timers: readonly Timer[] = [];

  constructor() {
    globalThis.setTimeout = ((run: () => void, ms = 0) => {
      const id = this.#nextId++;
      this.#timers = [...this.#timers, { id, endMs: this.#nowMs + ms, run }];
      return id;
    }) as typeof setTimeout;
    globalThis.clearTimeout = (id) => {
      this.#timers = this.#timers.filter((timer) => timer.id !== id);
    };
  }

  /** Lets `ms` pass. */
  pass(ms: number): void {
    this.#nowMs += ms;
    const due = this.#timers.filter(({ endMs }) => endMs <= this.#nowMs);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { run } of due.toSorted((a, b) => a.endMs - b.endMs)) run();
  }

  [Symbol.dispose](): void {
    globalThis.setTimeout = this.#set;
    globalThis.clearTimeout = this.#clear;
  }
}
