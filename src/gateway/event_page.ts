/**
 * Some events, one after the other, as bytes on the wire. A page is made once for all readers that
 * want the same events, and each encoding is made once, when the first of them needs it: whoever
 * sends a page shares its bytes and must not change them.
 *
 * @module
 */

import { type Bytes, utf8 } from "../bytes.ts";
import type { LogEvent } from "./event_text.ts";

/** First byte of a WebSocket frame (RFC 6455 section 5.2): the last fragment of a text. */
const FINAL_TEXT = 0x81;
/** The largest payload whose length fits the second byte of a frame. */
const MAX_SHORT = 125;
/** In place of that length: two or eight bytes of it follow. */
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** See the module. */
export class EventPage {
  /** At least one. */
  readonly events: readonly LogEvent[];
  #sseBytes: Bytes | undefined;
  #webSocketBytes: Bytes | undefined;

  constructor(events: readonly LogEvent[]) {
    this.events = events;
  }

  /** The id of its last event. */
  get cursor(): string {
    return this.events.at(-1)!.id;
  }

  /** Server-Sent Events (HTML section 9.2): the type as `event`, the id as `id`, the JSON as `data`. */
  get sseBytes(): Bytes {
    return this.#sseBytes ??= sseBytesOf(this.events);
  }

  /** One unmasked WebSocket text frame for each event. */
  get webSocketBytes(): Bytes {
    return this.#webSocketBytes ??= textFrames(this.events.map(({ json }) => json));
  }
}

function sseBytesOf(events: readonly LogEvent[]): Bytes {
  let text = "";
  for (const { type, id, json } of events) text += `event: ${type}\nid: ${id}\ndata: ${json}\n\n`;
  return utf8(text);
}

/** One unmasked WebSocket text frame for each of `texts`. */
export function textFrames(texts: readonly string[]): Bytes {
  const payloads = texts.map(utf8);
  const total = payloads.reduce((sum, { length }) => sum + headLength(length) + length, 0);
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const payload of payloads) {
    const { length } = payload;
    const head = headLength(length);
    bytes[at] = FINAL_TEXT;
    if (length <= MAX_SHORT) bytes[at + 1] = length;
    else if (head === 4) {
      bytes[at + 1] = LENGTH_16;
      view.setUint16(at + 2, length);
    } else {
      bytes[at + 1] = LENGTH_64;
      view.setBigUint64(at + 2, BigInt(length));
    }
    bytes.set(payload, at + head);
    at += head + length;
  }
  return bytes;
}

/** Bytes of the head of an unmasked frame. */
function headLength(payload: number): number {
  if (payload <= MAX_SHORT) return 2;
  return payload < 2 ** 16 ? 4 : 10;
}
