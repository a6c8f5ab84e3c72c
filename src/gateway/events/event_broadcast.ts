/**
 * Emits new events to live readers while at least one connection is open. It reads only what is
 * durable, so no reader holds a cursor beyond what a restarted gateway finds.
 *
 * @module
 */

import type { Clock } from "../../clock.ts";
import type { EventAudience } from "./event_audience.ts";
import type { EventHistory } from "./event_history.ts";
import { type EventPosition, isAtMost, START_POSITION } from "./event_position.ts";
import type { AnchorList, EventLog } from "./event_ports.ts";

/** Minimum milliseconds between two emissions: events of one interval share pages. */
const INTERVAL_MS = 25;

export interface BroadcastContext {
  readonly log: EventLog;
  readonly anchors?: AnchorList | undefined;
  readonly clock: Clock;
  readonly history: EventHistory;
  readonly audience: EventAudience;
  /** Called when reading the log failed, which stops the broadcast. */
  readonly failed: (error: unknown) => void;
}

export class EventBroadcast {
  readonly #context: BroadcastContext;
  #emittedUpTo: EventPosition = START_POSITION;
  #stop: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();
  #advanced = Promise.withResolvers<void>();
  #wake: () => void = () => {};

  constructor(context: BroadcastContext) {
    this.#context = context;
  }

  /** A reader at this position can become live. */
  get emittedUpTo(): EventPosition {
    return this.#emittedUpTo;
  }

  /** Starts at the present end of the log unless it runs already. */
  start(): void {
    if (this.#stop !== undefined) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#emittedUpTo = this.#context.history.now;
    // After the end of the previous run, which may still be reading.
    this.#ended = this.#ended.then(() => this.#run(stop.signal)).catch((error) => {
      if (this.#stop === stop) this.stop();
      this.#context.failed(error);
    });
  }

  /** Resolves once nothing is read any more. */
  stop(): Promise<void> {
    this.#stop?.abort();
    this.#stop = undefined;
    this.#wake();
    this.#advance();
    return this.#ended;
  }

  /** Resolves when {@linkcode EventBroadcast.emittedUpTo} advances, or the broadcast stops. */
  advanced(): Promise<void> {
    return this.#advanced.promise;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { log, anchors, clock, history } = this.#context;
    const wake = () => this.#wake();
    log.onProgress(wake, signal);
    anchors?.onAdded(wake, signal);
    while (!signal.aborted) {
      const target = history.now;
      if (isAtMost(target, this.#emittedUpTo)) {
        await new Promise<void>((resolve) => this.#wake = resolve);
      } else {
        await this.#emit(target, signal);
        await clock.sleep(INTERVAL_MS, signal);
      }
    }
  }

  async #emit(target: EventPosition, signal: AbortSignal): Promise<void> {
    const { audience, history, clock } = this.#context;
    while (!isAtMost(target, this.#emittedUpTo)) {
      const { types } = audience;
      const { events, end } = await history.read(this.#emittedUpTo, target, { types });
      if (signal.aborted) return;
      // A reader of another type may have become live meanwhile: read again.
      if (!audience.types.isSubsetOf(types)) continue;
      audience.emit(events);
      this.#emittedUpTo = end;
      this.#advance();
      // Other work gets a turn of the event loop between two pages.
      if (!isAtMost(target, end)) await clock.sleep(0);
    }
  }

  #advance(): void {
    this.#advanced.resolve();
    this.#advanced = Promise.withResolvers();
  }
}
