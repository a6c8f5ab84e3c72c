/**
 * Reads events for readers: new events once for all live readers, missed events for one reader at a time.
 * Only durable events are read, so no reader holds a cursor beyond what a restarted gateway finds.
 *
 * @module
 */

import type { Clock } from "../../base/clock.ts";
import type { FairTurns } from "../../base/fair_turns.ts";
import type { EventAudience } from "./event_channel.ts";
import type { EventHistory } from "./event_history.ts";
import { EventPage } from "./event_page.ts";
import {
  type AnchorList,
  type EventLog,
  type EventPosition,
  isAtMost,
  START_POSITION,
} from "./event_ports.ts";
import type { EventReader } from "./event_reader.ts";

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
      // Before the end is read: in a front, that may apply updates to lists that were read already.
      const woken = new Promise<void>((resolve) => this.#wake = resolve);
      const target = history.now;
      if (isAtMost(target, this.#emittedUpTo)) {
        await woken;
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

export interface ReplayContext {
  readonly log: EventLog;
  readonly history: EventHistory;
  readonly clock: Clock;
  /** Shared by all replays of a feed. */
  readonly turns: FairTurns;
}

/** Sends `reader` its events between `start` and `target`; returns its position afterwards. */
export async function replay(
  { log, history, clock, turns }: ReplayContext,
  reader: EventReader,
  start: EventPosition,
  target: EventPosition,
): Promise<EventPosition> {
  const { filter: { types, hash }, client } = reader;
  const sequence = hash === undefined ? undefined : await log.sequenceOf(hash);
  // A hash that is unknown by now is accepted beyond `target`.
  if (hash !== undefined && sequence === undefined) return target;
  const wanted = { types, sequence };
  let position = start;
  while (!isAtMost(target, position)) {
    const weight = history.weight(position, target, wanted);
    await charge(reader, weight, clock);
    if (reader.hasLeft) break;
    position = await turns.run(client.owner, async (turn) => {
      if (reader.hasLeft) return position;
      const { events, end } = await history.read(position, target, wanted, weight, turn.pause);
      if (events.length > 0) reader.send(new EventPage(events));
      return end;
    });
    await reader.room();
    if (reader.hasLeft) break;
  }
  return position;
}

/** Resolves when the client is charged, or the reader has left. */
async function charge(reader: EventReader, weight: number, clock: Clock): Promise<void> {
  while (!reader.hasLeft) {
    const waitMs = reader.client.charge(weight);
    if (waitMs <= 0) return;
    await clock.sleep(waitMs, reader.leaving);
  }
}
