/**
 * Waiting that ends early when the gateway tells of something that may be what is waited for. Events
 * are hints alone: without them everything goes on, by the clock.
 *
 * @module
 */

/** What is used of the browser's `EventSource`. */
export interface HintLine {
  readonly readyState: number;
  addEventListener(type: string, listener: () => void): void;
  close(): void;
}

/** After these it is worth looking at what waits for its batch or its anchors. */
export const HINT_TYPES = ["batch.closed", "cross_anchor.added", "external_anchor.added"] as const;

/** The line is kept so long after the last who waited. */
const LINGER_MS = 10_000;
/** `EventSource.CLOSED`: the browser has given up, as where the gateway has no such route. */
const CLOSED = 2;

/** One for the life of the page: all who wait share one line. */
export class EventWake {
  readonly #open: () => HintLine;
  readonly #sleepers = new Set<() => void>();
  #line: HintLine | undefined;
  #isRefused = false;
  #linger: ReturnType<typeof setTimeout> | undefined;

  constructor(open: () => HintLine) {
    this.#open = open;
  }

  /** Resolves after `ms`, at an event, with {@linkcode wake} or when `signal` aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    this.#listen();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        this.#sleepers.delete(end);
        if (this.#sleepers.size === 0) this.#retire();
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end, { once: true });
      this.#sleepers.add(end);
      if (signal.aborted) end();
    });
  }

  /** Ends all waiting. */
  wake(): void {
    for (const end of [...this.#sleepers]) end();
  }

  #listen(): void {
    clearTimeout(this.#linger);
    if (this.#line !== undefined || this.#isRefused) return;
    const line = this.#open();
    this.#line = line;
    for (const type of HINT_TYPES) line.addEventListener(type, () => this.wake());
    line.addEventListener("error", () => {
      if (line.readyState === CLOSED) this.#isRefused = true;
    });
  }

  #retire(): void {
    this.#linger = setTimeout(() => {
      this.#line?.close();
      this.#line = undefined;
    }, LINGER_MS);
  }
}
