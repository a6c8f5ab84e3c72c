/**
 * One connection to a gateway's event stream, as texts of frames: over a WebSocket, or by Server-Sent
 * Events where somebody in between lets no WebSocket through.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { readRefusal } from "../format/gateway_refusal.ts";
import { readBounded } from "./bounded_body.ts";

/** The texts of frames as they come; an empty one is a sign of life. Ends when the line is lost. */
export type EventLine = AsyncIterable<string>;

/** An unfinished block of a stream: no frame is nearly as long. */
const MAX_BLOCK_LENGTH = 1024 * 1024;
const MAX_PROBLEM_BYTES = 65_536;
const WHAT = "event stream";

/**
 * Opens a socket at `url` (`http:` or `https:`); `undefined` when the handshake is not taken, whose
 * reason a WebSocket does not tell.
 */
export function openEventSocket(url: URL, signal: AbortSignal): Promise<EventLine | undefined> {
  const socket = new WebSocket(url.href.replace(/^http/, "ws"));
  const texts = new TextQueue(signal, () => socket.close());
  return new Promise((resolve) => {
    socket.onopen = () => resolve(texts.line());
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") texts.push(data);
      // No frame of ours is binary: it is another service.
      else texts.end();
    };
    socket.onerror = () => texts.end();
    socket.onclose = () => {
      texts.end();
      resolve(undefined);
    };
  });
}

/** Reads the stream at `url`. Rejects with `gateway_unreachable`, or the gateway's refusal. */
export async function openEventStream(url: URL, signal: AbortSignal): Promise<EventLine> {
  let response: Response;
  try {
    const headers = { "Accept": "text/event-stream" };
    response = await fetch(url, { headers, redirect: "manual", signal });
  } catch (cause) {
    throw new CountersignError(
      "gateway_unreachable",
      `Cannot obtain ${WHAT}: an answer of ${url.origin} required, found none`,
      { cause },
    );
  }
  const isStream = /^text\/event-stream\b/i.test(response.headers.get("Content-Type") ?? "");
  if (response.status === 200 && isStream) return blocksOf(response);
  throw readRefusal(
    WHAT,
    response,
    await readBounded(response, MAX_PROBLEM_BYTES) ?? new Uint8Array(),
  );
}

/** `data` of each block of a stream (HTML section 9.2.6). Our gateways write it on one line. */
async function* blocksOf(response: Response): AsyncGenerator<string> {
  let rest = "";
  try {
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + piece).split(/\r?\n\r?\n/);
      rest = blocks.pop()!;
      if (rest.length > MAX_BLOCK_LENGTH) throw tooLong();
      for (const block of blocks) yield /^data: ?(.*)$/m.exec(block)?.[1] ?? "";
    }
  } catch (error) {
    // Whatever else cuts the line, it is lost.
    if (error instanceof CountersignError) throw error;
  }
}

function tooLong(): CountersignError {
  return new CountersignError(
    "gateway_refused",
    `Cannot read ${WHAT}: frames of at most ${MAX_BLOCK_LENGTH} characters required, found a longer`,
  );
}

/** Texts between a socket, which hands them over, and whoever takes them in turn. */
class TextQueue {
  readonly #texts: string[] = [];
  readonly #close: () => void;
  readonly #signal: AbortSignal;
  #isOver = false;
  #wake: () => void = () => {};

  constructor(signal: AbortSignal, close: () => void) {
    this.#signal = signal;
    this.#close = close;
    signal.addEventListener("abort", this.#abort, { once: true });
    if (signal.aborted) this.#abort();
  }

  push(text: string): void {
    this.#texts.push(text);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *line(): AsyncGenerator<string> {
    try {
      for (;;) {
        for (const text of this.#texts.splice(0)) yield text;
        if (this.#texts.length > 0) continue;
        if (this.#isOver) return;
        await new Promise<void>((resolve) => this.#wake = resolve);
      }
    } finally {
      this.#signal.removeEventListener("abort", this.#abort);
      this.#close();
    }
  }

  readonly #abort = (): void => {
    this.end();
    this.#close();
  };
}
