/**
 * Notices threads that hang. Such a thread ends the gateway: the runtime cannot end a thread that is in a
 * loop, and the connections that the system hands to its listener would never be answered.
 *
 * @module
 */

import { type Clock, systemClock } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import { HeartbeatMonitor, newHeartbeat } from "../../base/threads/heartbeat.ts";

const CHECK_MS = 1_000;
/**
 * A thread without a heartbeat in so many checks hangs. Checks are counted, not time: if the process was
 * suspended, or the machine, the thread that checks has not run either.
 */
const MAX_MISSED = 10;

/** Watches the threads of one gateway until it is disposed. */
export class ThreadWatch implements Disposable {
  /** Rejects with `internal` when a thread hangs. */
  readonly hung: Promise<never>;
  readonly #clock: Clock;
  readonly #hung = Promise.withResolvers<never>();
  #sequencer: HeartbeatMonitor | undefined;
  readonly #fronts = new Map<string, HeartbeatMonitor>();
  readonly #stopping = new AbortController();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.hung = this.#hung.promise;
    this.hung.catch(() => {});
    void this.#run();
  }

  /** Memory for the heartbeat of the sequencer. */
  sequencer(): SharedArrayBuffer {
    const heartbeat = newHeartbeat();
    this.#sequencer = new HeartbeatMonitor(heartbeat);
    return heartbeat;
  }

  /** Memory for the heartbeat of the named front, which replaces an earlier one of this name. */
  front(name: string): SharedArrayBuffer {
    const heartbeat = newHeartbeat();
    this.#fronts.set(name, new HeartbeatMonitor(heartbeat));
    return heartbeat;
  }

  /** The named front has ended. */
  frontEnded(name: string): void {
    this.#fronts.delete(name);
  }

  [Symbol.dispose](): void {
    this.#stopping.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      await this.#clock.sleep(CHECK_MS, signal);
      if (signal.aborted) return;
      this.#check();
    }
  }

  #check(): void {
    // A front may be waiting for the sequencer.
    if (this.#sequencer !== undefined && this.#missed("The sequencer", this.#sequencer) > 0) return;
    for (const [name, front] of this.#fronts) this.#missed(name, front);
  }

  #missed(name: string, thread: HeartbeatMonitor): number {
    const missed = thread.check();
    if (missed >= MAX_MISSED) {
      const seconds = MAX_MISSED * CHECK_MS / 1_000;
      const text = `${name} has not responded for ${seconds} s. Start the gateway again`;
      this.#hung.reject(new CountersignError("internal", text));
    }
    return missed;
  }
}
