/**
 * Clients that submit again as soon as they are answered. A commit and a round cost much more than the digests
 * in them, so the next commit waits for these clients, if those that were answered before have returned in time.
 * Clients have no identity here: a digest of any client counts.
 *
 * @module
 */

import { type Clock, SLEEP_OVER } from "../../base/clock.ts";

/** The clients of one committer. */
export class ReturningClients {
  readonly #clock: Clock;
  /** Clients that submit again later than this do not count as returning. */
  readonly #withinMs: number;
  #answeredMs = 0;
  /** Sequence after the digest with which all clients have returned that were answered last; then infinite. */
  #all = Infinity;
  #haveReturned = false;
  /** Whether the clients of the answers before the last ones returned in time. */
  #didReturn = false;
  /** Ends the wait. */
  #ready = new AbortController();

  constructor(clock: Clock, withinMs: number) {
    this.#clock = clock;
    this.#withinMs = withinMs;
  }

  /** Whether the clients that were answered last have all returned in time. */
  get haveReturned(): boolean {
    return this.#haveReturned;
  }

  /** The clients of `digests` digests were answered. Digests below sequence `end` had arrived. */
  answered(digests: number, end: number): void {
    this.#didReturn = this.#haveReturned;
    this.#haveReturned = false;
    this.#answeredMs = this.#clock.elapsedMs();
    this.#all = end + digests;
  }

  /** Digests below sequence `end` have arrived. */
  arrived(end: number): void {
    if (end < this.#all) return;
    this.#haveReturned = this.#leftMs > 0;
    this.#all = Infinity;
    this.endWait();
  }

  /** Resolves when all clients have returned or their time is over; `undefined` if none is expected. */
  wait(): Promise<void> | undefined {
    if (!this.#didReturn || this.#all === Infinity) return undefined;
    // Read once: the time may end between two reads.
    const leftMs = this.#leftMs;
    if (leftMs <= 0) return undefined;
    this.#ready = new AbortController();
    return this.#clock.sleep(leftMs, this.#ready.signal);
  }

  /** Ends the wait early. */
  endWait(): void {
    this.#ready.abort(SLEEP_OVER);
  }

  get #leftMs(): number {
    return this.#answeredMs + this.#withinMs - this.#clock.elapsedMs();
  }
}
