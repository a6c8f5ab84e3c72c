/**
 * Frames of the event stream (protocol.md "Events") and their bytes on the wire. All readers of a page
 * share its bytes, which are encoded on first use and must not be changed.
 *
 *     {"id": cursor, "type", "at": Unix seconds, "data": {...}}
 *
 * @module
 */

import { type Bytes, utf8 } from "../../base/bytes.ts";
import { encodeCursor, type EventPosition, type EventType } from "./event_ports.ts";

/** First byte of an unfragmented WebSocket text frame (RFC 6455 section 5.2). */
const FINAL_TEXT = 0x81;
/** Largest payload length that fits the second byte; above it, 126 or 127 announce 2 or 8 bytes. */
const MAX_SHORT = 125;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** One frame: an event, or a `hello`, `gap` or `lagged`. */
export interface EncodedEvent {
  readonly type: string;
  /** The cursor from which a reader continues after this frame. */
  readonly id?: string | undefined;
  readonly json: string;
}

export interface LogEvent extends EncodedEvent {
  readonly type: EventType;
  readonly id: string;
  /** The hash that the event is about: 64 lowercase hex. */
  readonly hash?: string;
}

/** An event whose id is the cursor of `position`. `at` is in Unix seconds, `data` is JSON. */
export function eventOf(
  type: EventType,
  position: EventPosition,
  at: number,
  data: string,
  hash?: string,
): LogEvent {
  const id = encodeCursor(position);
  const json = `{"id":"${id}","type":"${type}","at":${at},"data":${data}}`;
  return { type, id, json, ...(hash !== undefined && { hash }) };
}

/** One or more consecutive frames, for all their readers. */
export class EventPage {
  readonly frames: readonly EncodedEvent[];
  #sseBytes: Bytes | undefined;
  #webSocketBytes: Bytes | undefined;

  constructor(frames: readonly EncodedEvent[]) {
    this.frames = frames;
  }

  /** Server-Sent Events (HTML section 9.2). */
  get sseBytes(): Bytes {
    return this.#sseBytes ??= utf8(this.frames.map(sseText).join(""));
  }

  /** One unmasked WebSocket text frame for each frame. */
  get webSocketBytes(): Bytes {
    return this.#webSocketBytes ??= textFrames(this.frames.map(({ json }) => json));
  }
}

function sseText({ type, id, json }: EncodedEvent): string {
  const idLine = id === undefined ? "" : `id: ${id}\n`;
  return `event: ${type}\n${idLine}data: ${json}\n\n`;
}

function textFrames(texts: readonly string[]): Bytes {
  const payloads = texts.map(utf8);
  const total = payloads.reduce((sum, { length }) => sum + headerLength(length) + length, 0);
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const payload of payloads) {
    const { length } = payload;
    const header = headerLength(length);
    bytes[at] = FINAL_TEXT;
    if (header === 2) bytes[at + 1] = length;
    else if (header === 4) {
      bytes[at + 1] = LENGTH_16;
      view.setUint16(at + 2, length);
    } else {
      bytes[at + 1] = LENGTH_64;
      view.setBigUint64(at + 2, BigInt(length));
    }
    bytes.set(payload, at + header);
    at += header + length;
  }
  return bytes;
}

function headerLength(payload: number): number {
  if (payload <= MAX_SHORT) return 2;
  return payload < 2 ** 16 ? 4 : 10;
}
