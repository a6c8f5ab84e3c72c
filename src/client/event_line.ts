/**
 * One connection to a gateway's event stream (Server-Sent Events), as the texts of its frames. Reads no
 * faster than the caller does.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { readRefusal } from "../format/gateway_refusal.ts";
import { mediaTypeOf, readBody } from "./http_client.ts";

/** Texts of frames; an empty one is a heartbeat. Ends when the connection is lost. */
export type FrameTexts = AsyncIterable<string>;

/** Limit in characters, far above the longest frame. */
const MAX_LINE_LENGTH = 1024 * 1024;
const MAX_PROBLEM_BYTES = 65_536;
const WHAT = "event stream";

/** Reads the stream at `url`. Rejects with `gateway_unreachable`, or the gateway's refusal. */
export async function openEventStream(url: URL, signal: AbortSignal): Promise<FrameTexts> {
  let response: Response;
  try {
    const headers = { "Accept": "text/event-stream" };
    response = await fetch(url, { headers, redirect: "manual", signal });
  } catch (cause) {
    throw new CountersignError(
      "gateway_unreachable",
      `Cannot obtain ${WHAT}: no answer from ${url.origin}`,
      { cause },
    );
  }
  const isStream = mediaTypeOf(response.headers) === "text/event-stream";
  if (response.status === 200 && isStream) return textsOf(response);
  const body = await readBody(response, MAX_PROBLEM_BYTES);
  throw readRefusal(WHAT, response, body ?? new Uint8Array());
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
    // Any other error means that the connection is lost.
    if (error instanceof CountersignError) throw error;
  }
}

function tooLong(): CountersignError {
  return new CountersignError(
    "gateway_refused",
    `Cannot read ${WHAT}: a frame exceeds ${MAX_LINE_LENGTH} characters`,
  );
}
