/**
 * Follows a gateway's events, and resumes from the last one when the connection is lost.
 *
 * @module
 */

import { Backoff } from "../base/backoff.ts";
import { anySignal, type Clock } from "../base/clock.ts";
import { CountersignError, hasCode } from "../base/errors.ts";
import { GatewayRefusal } from "../proof/format/gateway_refusal.ts";
import {
  type EventFrame,
  type FrameTexts,
  openEventStream,
  parseEventFrame,
  type StreamFrame,
} from "./event_frames.ts";
import type { ApiKeySource } from "./http_client.ts";
import { gatewayUrls, isAway, isBusy } from "./gateway_connection.ts";

const PAUSES = { firstMs: 500, longestMs: 30_000 };
/** Heartbeat intervals without data after which a connection counts as lost. */
const SILENT_HEARTBEATS = 3;
/** Time limit for the first frame. */
const HELLO_SECONDS = 30;

export interface FollowOptions {
  /** As `parseServiceUrl` returns it. */
  readonly url: URL;
  /** Other gateways of the same log: followed while the one before does not answer. */
  readonly others?: readonly URL[];
  /** Types of events; all when empty. */
  readonly types: readonly string[];
  /** Only events about this hash, 64 lowercase hex. */
  readonly hash?: string;
  /** Cursor of the last event already read; only new events when absent. */
  readonly after?: string;
  /** Sent to each of these gateways, and to no other address. */
  readonly apiKey?: ApiKeySource | undefined;
  readonly clock: Clock;
  /** Numbers in [0, 1). */
  readonly random: () => number;
  readonly fetch?: typeof fetch;
  /** Called when events follow, when the connection is lost, and when events cannot be replayed. */
  readonly changed: (change: "connected" | "lost" | "gap") => void;
  /** Called with each cursor from which following can resume. */
  readonly reached: (cursor: string) => void;
}

/**
 * Yields events until `signal` aborts. Rejects with `gateway_unreachable` when no gateway answers at first,
 * with the gateway's refusal when retrying cannot help, and with `gateway_refused` when the answer is
 * not an event stream or belongs to another network.
 */
export async function* followEvents(
  options: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<EventFrame> {
  const { clock, changed } = options;
  const backoff = new Backoff(PAUSES, options.random);
  const urls = gatewayUrls(options);
  const position: Position = { cursor: options.after, networkId: undefined };
  for (let attempt = 0; !signal.aborted; attempt++) {
    const url = urls[attempt % urls.length]!;
    const lost = new AbortController();
    const watchdog = new Watchdog(clock, lost);
    try {
      const either = anySignal(signal, lost.signal);
      const texts = await openEventStream(address(url, options, position), either, options);
      for await (const frame of framesOf(texts, watchdog)) {
        backoff.reset();
        if (frame.kind === "event") yield frame;
        advance(options, position, frame);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (attempt < urls.length - 1 && isAway(error)) continue;
      if (!isTransient(error, position)) throw error;
    } finally {
      watchdog.stop();
      lost.abort();
    }
    if (signal.aborted) return;
    changed("lost");
    await clock.sleep(backoff.afterFailure(), signal);
  }
}

/** Where a follower resumes. */
interface Position {
  cursor: string | undefined;
  /** From the first hello. */
  networkId: string | undefined;
}

/** Before the first answer, an unreachable gateway may be a wrong address and is not retried. */
function isTransient(error: unknown, { networkId }: Position): boolean {
  if (isBusy(error)) return true;
  if (error instanceof GatewayRefusal) return networkId !== undefined && error.status >= 500;
  return networkId !== undefined && hasCode(error, "gateway_unreachable");
}

function address(url: URL, { types, hash }: FollowOptions, { cursor }: Position): URL {
  const address = new URL("v1/events", url);
  if (types.length > 0) address.searchParams.set("types", types.join(","));
  if (hash !== undefined) address.searchParams.set("hash", hash);
  if (cursor !== undefined) address.searchParams.set("after", cursor);
  return address;
}

async function* framesOf(texts: FrameTexts, watchdog: Watchdog): AsyncGenerator<StreamFrame> {
  for await (const text of texts) {
    watchdog.restart();
    if (text === "") continue;
    const frame = parseEventFrame(text);
    if (frame.kind === "hello") watchdog.seconds = SILENT_HEARTBEATS * frame.heartbeat_seconds;
    yield frame;
  }
}

/** Closes a connection after `seconds` without data. */
class Watchdog {
  readonly #clock: Clock;
  readonly #lost: AbortController;
  /** A change applies from the next data on. */
  seconds = HELLO_SECONDS;
  #waiting = new AbortController();

  constructor(clock: Clock, lost: AbortController) {
    this.#clock = clock;
    this.#lost = lost;
    this.restart();
  }

  /** Call this whenever data arrives. */
  restart(): void {
    this.stop();
    this.#waiting = new AbortController();
    const { signal } = this.#waiting;
    this.#clock.sleep(this.seconds * 1000, signal).then(() => {
      if (!signal.aborted) this.#lost.abort();
    });
  }

  stop(): void {
    this.#waiting.abort();
  }
}

function advance(
  { changed, reached }: FollowOptions,
  position: Position,
  frame: StreamFrame,
): void {
  switch (frame.kind) {
    case "hello":
      if (position.networkId !== undefined && position.networkId !== frame.network_id) {
        throw new CountersignError(
          "gateway_refused",
          `Cannot follow events: the gateway of ${position.networkId} now answers for another network`,
        );
      }
      changed("connected");
      position.networkId = frame.network_id;
      position.cursor = frame.cursor;
      break;
    case "event":
      position.cursor = frame.id;
      break;
    case "lagged":
      position.cursor = frame.cursor;
      break;
    case "gap":
      return changed("gap");
  }
  reached(position.cursor);
}
