/**
 * One connection to a gateway's event stream (Server-Sent Events), as texts of frames. The gateway is
 * read no faster than the texts are taken.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { readRefusal } from "../format/gateway_refusal.ts";
import { readBounded } from "./bounded_body.ts";

/** The texts of frames as they come; an empty one is a sign of life. Ends when the line is lost. */
export type EventLine = AsyncIterable<string>;

/** Characters of a line: no frame is nearly as long. */
const MAX_LINE_LENGTH = 1024 * 1024;
const MAX_PROBLEM_BYTES = 65_536;
const WHAT = "event stream";

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
  if (response.status === 200 && isStream) return textsOf(response);
  throw readRefusal(
    WHAT,
    response,
    await readBounded(response, MAX_PROBLEM_BYTES) ?? new Uint8Array(),
  );
}

/** `data` of each block of a stream (HTML section 9.2.6). Our gateways write it on one line. */
async function* textsOf(response: Response): AsyncGenerator<string> {
  let line = "";
  let data = "";
  try {
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      const [first = "", ...others] = piece.split("\n");
      line += first;
      for (const next of others) {
        const text = line.endsWith("\r") ? line.slice(0, -1) : line;
        line = next;
        if (text === "") {
          yield data;
          data = "";
        } else if (text.startsWith("data:")) {
          data = text.slice("data:".length).trimStart();
        }
      }
      if (line.length > MAX_LINE_LENGTH) throw tooLong();
    }
  } catch (error) {
    // Whatever else cuts the line, it is lost.
    if (error instanceof CountersignError) throw error;
  }
}

function tooLong(): CountersignError {
  return new CountersignError(
    "gateway_refused",
    `Cannot read ${WHAT}: a frame exceeds ${MAX_LINE_LENGTH} characters`,
  );
}
