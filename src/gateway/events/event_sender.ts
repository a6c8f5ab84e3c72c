/**
 * Sends waiting events to live readers in slices. The thread does all other work between two slices,
 * so submissions go first. Clients take turns, and the readers of a client take turns within its own.
 *
 * @module
 */

import type { Clock } from "../../clock.ts";
import { FairTurns } from "../../fair_turns.ts";

/** Share of the thread's time that sending may take. */
const SHARE = 0.25;
/** Milliseconds after which a slice ends. */
const SLICE_MS = 1;
/** Maximum pages of a slice: the runtime and the system then take as long again to write them. */
const PAGES_PER_SLICE = 16;

export interface ServedReader {
  readonly client: { readonly owner: string };
  /** Sends the next page if there is room; returns false when nothing more can be sent now. */
  sendNext(): boolean;
}

export class EventSender {
  readonly #clock: Clock;
  readonly #turns: FairTurns;
  /** Readers with waiting events, by client in the order of turns. */
  readonly #ready = new Map<string, Set<ServedReader>>();
  #isSending = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#turns = new FairTurns(clock, { share: SHARE });
  }

  /** Call when events wait for `reader`. */
  add(reader: ServedReader): void {
    this.#ready.getOrInsertComputed(reader.client.owner, () => new Set()).add(reader);
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#ready.size > 0) {
      await this.#turns.run("", async () => {
        const endMs = this.#clock.nowMs() + SLICE_MS;
        for (let page = 0; page < PAGES_PER_SLICE && this.#ready.size > 0; page++) {
          this.#sendOne();
          if (this.#clock.nowMs() >= endMs) break;
        }
        // Bytes leave the process after this turn of the event loop: the slice has to include that.
        await this.#clock.sleep(0);
      });
    }
    this.#isSending = false;
  }

  #sendOne(): void {
    for (const [owner, readers] of this.#ready) {
      for (const reader of readers) {
        readers.delete(reader);
        if (reader.sendNext()) readers.add(reader);
        break;
      }
      // Behind the other clients, or out of the map.
      this.#ready.delete(owner);
      if (readers.size > 0) this.#ready.set(owner, readers);
      return;
    }
  }
}
