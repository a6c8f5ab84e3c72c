/**
 * The one loop that tells of events, from cut to cut of their order, while somebody is there. Nothing
 * is told before it is durable, nor before the cut that it lies below is.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import type { EventAudience } from "./event_audience.ts";
import { type EventHistory, PAGE_WEIGHT } from "./event_history.ts";
import { EventOrder } from "./event_order.ts";
import { type EventPlace, FIRST_PLACE, isSamePlace, isUpTo, laterPlace } from "./event_place.ts";
import type { AnchorList, EventCuts, EventLog } from "./event_ports.ts";
import type { LogEvent } from "./event_text.ts";

/** Milliseconds between two cuts: what happens meanwhile is told together. */
const MIN_CUT_MS = 25;

/** What the loop works with. */
export interface TellerContext {
  readonly log: EventLog;
  readonly anchors?: AnchorList;
  readonly cuts: EventCuts;
  readonly clock: Clock;
  readonly history: EventHistory;
  readonly audience: EventAudience;
  /** Told why the loop ended, once for each that did. */
  readonly failed: (error: unknown) => void;
}

/** Tells an audience. */
export class EventTeller {
  readonly #context: TellerContext;
  #order: EventOrder | undefined;
  #told: EventPlace = FIRST_PLACE;
  /** Up to where has to be told though nobody may want it. */
  #demanded: EventPlace = FIRST_PLACE;
  #isTelling = false;
  #boundary = Promise.withResolvers<void>();
  #wake: () => void = () => {};
  #run: { readonly ready: Promise<void>; readonly stop: AbortController } | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(context: TellerContext) {
    this.#context = context;
  }

  /** The last cut up to which everybody was told. */
  get told(): EventPlace {
    return this.#told;
  }

  /** Between two cuts listeners may come; in the middle of telling, none may. */
  get isTelling(): boolean {
    return this.#isTelling;
  }

  /** Resolves when all of the loop has ended, after {@linkcode EventTeller.rest}. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** The order, once {@linkcode EventTeller.running} has resolved. */
  get order(): EventOrder {
    return this.#order!;
  }

  /** Starts the loop if it does not run. Rejects with `storage_failed` or `store_corrupt`. */
  running(): Promise<void> {
    this.#run ??= this.#start();
    return this.#run.ready;
  }

  /** Looks again whether there is something to be told. */
  wake(): void {
    this.#wake();
  }

  /** Has everything told up to `place`, whoever wants it; resolves at the next cut. */
  demand(place: EventPlace): Promise<void> {
    this.#demanded = laterPlace(this.#demanded, place);
    return this.boundary();
  }

  /** Resolves at the next cut, or when the loop ends. */
  boundary(): Promise<void> {
    this.#wake();
    return this.#boundary.promise;
  }

  /** Nobody is there: nothing is told, and no cut is made. */
  rest(): void {
    this.#run?.stop.abort();
    this.#run = undefined;
    this.#wake();
    this.#reachBoundary();
  }

  #start(): { readonly ready: Promise<void>; readonly stop: AbortController } {
    const stop = new AbortController();
    const ready = Promise.withResolvers<void>();
    ready.promise.catch(() => {});
    // One loop at a time: cuts follow one another.
    this.#ended = this.#ended.then(() => this.#loop(stop.signal, ready.resolve)).catch((error) => {
      stop.abort();
      if (this.#run?.stop === stop) this.#run = undefined;
      ready.reject(error);
      this.#reachBoundary();
      this.#context.failed(error);
    });
    return { ready: ready.promise, stop };
  }

  async #loop(signal: AbortSignal, ready: () => void): Promise<void> {
    const { log, anchors, cuts, clock, history } = this.#context;
    this.#order ??= await EventOrder.open(cuts, history.now);
    // What happened while nobody was there is told by replays alone.
    await this.#order.cut(history.now);
    this.#told = this.#order.last;
    const wake = () => this.#wake();
    log.onProgress(wake, signal);
    anchors?.onAdded(wake, signal);
    ready();
    this.#reachBoundary();
    while (!signal.aborted) {
      const cut = history.now;
      if (this.#isDue(cut)) {
        await this.#order.cut(cut);
        await this.#tell(cut, signal);
        this.#reachBoundary();
        await clock.sleep(MIN_CUT_MS, signal);
      } else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  #isDue(cut: EventPlace): boolean {
    if (isSamePlace(cut, this.#told)) return false;
    if (!isUpTo(this.#demanded, this.#told)) return true;
    const { types } = this.#context.audience;
    const { accepted, confirmed, heads, anchors } = this.#told;
    return (cut.accepted > accepted && types.has("attestation.accepted")) ||
      (cut.confirmed > confirmed && types.has("attestation.confirmed")) ||
      (cut.heads > heads && (types.has("batch.closed") || types.has("sth.published"))) ||
      (cut.anchors > anchors &&
        (types.has("cross_anchor.added") || types.has("external_anchor.added")));
  }

  async #tell(cut: EventPlace, signal: AbortSignal): Promise<void> {
    const { audience, history, clock } = this.#context;
    const wanted = { types: audience.types };
    this.#isTelling = true;
    try {
      let place = this.#told;
      let events: LogEvent[] = [];
      let weight = 0;
      while (!isUpTo(cut, place) && !signal.aborted) {
        const chunk = await history.next(place, cut, wanted);
        events.push(...chunk.events);
        weight += chunk.weight;
        place = chunk.end;
        if (weight < PAGE_WEIGHT) continue;
        audience.tell(events);
        [events, weight] = [[], 0];
        // Between two pages submissions are answered.
        await clock.sleep(0);
      }
      audience.tell(events);
      this.#told = cut;
    } finally {
      this.#isTelling = false;
    }
  }

  #reachBoundary(): void {
    this.#boundary.resolve();
    this.#boundary = Promise.withResolvers<void>();
  }
}
