/**
 * Follows a gateway's events by Server-Sent Events, and looks at its latest head in between where it
 * has none to tell or the line is cut.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { type FeedEvent, parseFeedEvent } from "./feed_event.ts";

/**
 * How the line to the gateway is. `polling`: there is none, and the head is looked at instead.
 * `silent`: nor is that answered.
 */
export type FeedLine = "connecting" | "live" | "polling" | "silent";

/** What is used of the browser's `EventSource`. */
export interface EventLine {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: MessageEvent) => void): void;
  close(): void;
}

/** What a feed is made of. */
export interface FeedParts {
  /** Opens the line for events of `types`. The browser resumes it by itself. */
  readonly open: (types: readonly string[]) => EventLine;
  /** The events that the gateway had to tell at about this moment, asked in another way. */
  readonly poll: (signal: AbortSignal) => Promise<readonly FeedEvent[]>;
  readonly everyMs: number;
  /** Resolves after that time, or at once when `signal` aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** What a feed tells. */
export interface FeedListener {
  readonly events: (events: readonly FeedEvent[]) => void;
  readonly line: (line: FeedLine) => void;
  /** The gateway cannot tell some of what happened while the line was cut. */
  readonly gap: () => void;
  /** An event that cannot be read. */
  readonly fault: (error: CountersignError) => void;
}

/** `EventSource.CLOSED`: the browser has given up, as it does after an answer that is no stream. */
const CLOSED = 2;

/** After so many looks at the head, the line is tried again. */
const LOOKS_BEFORE_LINE = 6;

/** Follows events of `types` until the result is called. */
export function followEvents(
  parts: FeedParts,
  types: readonly string[],
  listener: FeedListener,
): () => void {
  const stop = new AbortController();
  void follow(parts, types, listener, stop.signal);
  return () => stop.abort();
}

async function follow(
  parts: FeedParts,
  types: readonly string[],
  listener: FeedListener,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    listener.line("connecting");
    await readLine(parts.open(types), types, listener, signal);
    if (signal.aborted) return;
    for (let look = 0; look < LOOKS_BEFORE_LINE && !signal.aborted; look++) {
      await lookOnce(parts, listener, signal);
      await parts.sleep(parts.everyMs, signal);
    }
  }
}

/** Resolves when the browser has given the line up, or `signal` aborts. */
function readLine(
  line: EventLine,
  types: readonly string[],
  listener: FeedListener,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      line.close();
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
    for (const type of types) {
      line.addEventListener(type, ({ data }) => {
        if (!signal.aborted) take(String(data), listener);
      });
    }
    line.addEventListener("gap", () => {
      if (!signal.aborted) listener.gap();
    });
    line.addEventListener("open", () => {
      if (!signal.aborted) listener.line("live");
    });
    line.addEventListener("error", () => {
      if (signal.aborted) return;
      // Otherwise the browser takes the line up again, where it was cut.
      if (line.readyState !== CLOSED) return listener.line("connecting");
      signal.removeEventListener("abort", end);
      end();
    });
  });
}

function take(data: string, listener: FeedListener): void {
  try {
    listener.events([parseFeedEvent(data)]);
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    listener.fault(error);
  }
}

async function lookOnce(
  { poll }: FeedParts,
  listener: FeedListener,
  signal: AbortSignal,
): Promise<void> {
  try {
    const events = await poll(signal);
    if (signal.aborted) return;
    listener.line("polling");
    listener.events(events);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof CountersignError)) throw error;
    listener.line("silent");
  }
}
