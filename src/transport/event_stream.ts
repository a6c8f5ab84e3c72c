/**
 * Follows a gateway's events: resumes where it was, however often the line is lost.
 *
 * @module
 */

import { Backoff } from "../backoff.ts";
import type { Clock } from "../clock.ts";
import { CountersignError, hasCode } from "../errors.ts";
import { GatewayRefusal } from "../format/gateway_refusal.ts";
import { type EventFrame, parseEventFrame, type StreamFrame } from "./event_frames.ts";
import { type EventLine, openEventStream } from "./event_line.ts";
import { isBusy } from "./gateway_connection.ts";

const PAUSES = { firstMs: 500, longestMs: 30_000 };
/** Heartbeats without a sign of life after which a line counts as lost. */
const SILENT_HEARTBEATS = 3;
/** Seconds that the first frame may take. */
const HELLO_SECONDS = 30;

/** What is followed. */
export interface FollowOptions {
  /** As `parseServiceUrl` makes it. */
  readonly url: URL;
  /** All when empty. */
  readonly types: readonly string[];
  /** Only events about this hash, 64 lowercase hex. */
  readonly hash?: string;
  /** A cursor; from the present when absent. */
  readonly after?: string;
  readonly clock: Clock;
  /** Numbers in [0, 1). */
  readonly random: () => number;
  /** Told when the line is lost, and of what cannot be replayed. */
  readonly note: (text: string) => void;
  /** Told of each place that was reached: to go on from there. */
  readonly reached: (cursor: string) => void;
}

/**
 * Events as they come, until `signal` aborts. Rejects with `gateway_unreachable` when the first attempt
 * finds nobody, with the gateway's refusal when it is final, and with `gateway_refused` when what
 * answers is no such stream, or another network's.
 */
export async function* followEvents(
  options: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<EventFrame> {
  const { clock, note } = options;
  const backoff = new Backoff(PAUSES, options.random);
  const place: Place = { cursor: options.after, networkId: undefined };
  while (!signal.aborted) {
    const lost = new AbortController();
    const silence = new Silence(clock, lost);
    try {
      const either = AbortSignal.any([signal, lost.signal]);
      const line = await openEventStream(address(options, place), either);
      for await (const frame of framesOf(line, silence)) {
        backoff.reset();
        if (frame.kind === "event") yield frame;
        advance(options, place, frame);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!mayPass(error, place)) throw error;
    } finally {
      silence.end();
      lost.abort();
    }
    if (signal.aborted) return;
    note("The line to the gateway was lost; it is taken up again where it was");
    await clock.sleep(backoff.afterFailure(), signal);
  }
}

/** Where a follower stands. */
interface Place {
  cursor: string | undefined;
  /** As the first hello has it. */
  networkId: string | undefined;
}

/** Once a gateway has answered, it is waited for; before, its absence may be a wrong address. */
function mayPass(error: unknown, { networkId }: Place): boolean {
  if (isBusy(error)) return true;
  if (error instanceof GatewayRefusal) return networkId !== undefined && error.status >= 500;
  return networkId !== undefined && hasCode(error, "gateway_unreachable");
}

function address({ url, types, hash }: FollowOptions, { cursor }: Place): URL {
  const address = new URL("v1/events", url);
  if (types.length > 0) address.searchParams.set("types", types.join(","));
  if (hash !== undefined) address.searchParams.set("hash", hash);
  if (cursor !== undefined) address.searchParams.set("after", cursor);
  return address;
}

async function* framesOf(line: EventLine, silence: Silence): AsyncGenerator<StreamFrame> {
  for await (const text of line) {
    silence.broken();
    if (text === "") continue;
    const frame = parseEventFrame(text);
    if (frame.kind === "hello") silence.seconds = SILENT_HEARTBEATS * frame.heartbeatSeconds;
    yield frame;
  }
}

/** Gives a line up that is silent for long. */
class Silence {
  readonly #clock: Clock;
  readonly #lost: AbortController;
  /** That a line may be silent; from the next sign of life on. */
  seconds = HELLO_SECONDS;
  #waiting = new AbortController();

  constructor(clock: Clock, lost: AbortController) {
    this.#clock = clock;
    this.#lost = lost;
    this.broken();
  }

  /** A sign of life. */
  broken(): void {
    this.end();
    this.#waiting = new AbortController();
    const { signal } = this.#waiting;
    this.#clock.sleep(this.seconds * 1000, signal).then(() => {
      if (!signal.aborted) this.#lost.abort();
    });
  }

  end(): void {
    this.#waiting.abort();
  }
}

function advance({ note, reached }: FollowOptions, place: Place, frame: StreamFrame): void {
  switch (frame.kind) {
    case "hello":
      if (place.networkId !== undefined && place.networkId !== frame.networkId) {
        throw new CountersignError(
          "gateway_refused",
          `Cannot follow events: those of ${place.networkId} required, found another network's`,
        );
      }
      place.networkId = frame.networkId;
      place.cursor = frame.cursor;
      break;
    case "event":
      place.cursor = frame.id;
      break;
    case "lagged":
      place.cursor = frame.cursor;
      break;
    case "gap":
      return note("What came before cannot be replayed: the gateway's log is not where it was");
  }
  reached(place.cursor);
}
