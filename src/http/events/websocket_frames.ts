/**
 * Control frames of the WebSocket protocol (RFC 6455 section 5.5), the only frames that a client may
 * send. `gateway/events/event_page.ts` encodes text frames.
 *
 * @module
 */

import { type Bytes, concat, utf8 } from "../../base/bytes.ts";
import type { DisconnectReason } from "../../gateway/events/event_reader.ts";

/** Close codes (RFC 6455 section 7.4.1 and its registry). */
export const CLOSE_CODE: Readonly<Record<DisconnectReason | "message" | "malformed", number>> = {
  stopping: 1001,
  malformed: 1002,
  message: 1008,
  failed: 1011,
  lagged: 1013,
  unauthorized: 3000,
};

const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;

const FINAL = 0x80;
const MASKED = 0x80;
/** Largest opcode of a data frame: continuation, text, binary. */
const LAST_DATA_OPCODE = 0x2;

const MAX_CONTROL_PAYLOAD = 125;
const HEADER_LENGTH = 2;
const MASK_LENGTH = 4;

export function pingFrame(): Bytes {
  return frame(PING, new Uint8Array());
}

export function pongFrame(payload: Bytes): Bytes {
  return frame(PONG, payload);
}

/** A Close frame; without `code` it has no payload. `reason` has at most 123 bytes. */
export function closeFrame(code?: number, reason = ""): Bytes {
  if (code === undefined) return frame(CLOSE, new Uint8Array());
  return frame(CLOSE, concat(Uint8Array.of(code >> 8, code & 0xff), utf8(reason)));
}

function frame(opcode: number, payload: Bytes): Bytes {
  return concat(Uint8Array.of(FINAL | opcode, payload.length), payload);
}

/** A control frame of a client, or a violation that closes the connection with `code`. */
export type ClientFrame =
  | { readonly kind: "ping" | "pong" | "close"; readonly payload: Bytes }
  | { readonly kind: "violation"; readonly code: number; readonly reason: string };

/**
 * Reads the frames of one client. It rejects a data frame by its first byte and every other violation
 * by the second, so it never holds more than one control frame.
 */
export class ClientFrames {
  readonly #held = new Uint8Array(HEADER_LENGTH + MASK_LENGTH + MAX_CONTROL_PAYLOAD);
  #length = 0;

  /** The frames that `bytes` complete, up to and including the first violation. */
  read(bytes: Bytes): ClientFrame[] {
    const frames: ClientFrame[] = [];
    for (const byte of bytes) {
      this.#held[this.#length++] = byte;
      const frame = this.#completed();
      if (frame === undefined) continue;
      frames.push(frame);
      if (frame.kind === "violation") break;
      this.#length = 0;
    }
    return frames;
  }

  #completed(): ClientFrame | undefined {
    const [first, second] = this.#held as unknown as readonly [number, number];
    if (this.#length === 1) return firstByteViolation(first);
    if (this.#length === HEADER_LENGTH) {
      const violation = secondByteViolation(second);
      if (violation !== undefined) return violation;
    }
    const start = HEADER_LENGTH + MASK_LENGTH;
    const end = start + (second & ~MASKED);
    if (this.#length < end) return undefined;
    const payload = this.#held.slice(start, end);
    for (let i = 0; i < payload.length; i++) {
      payload[i]! ^= this.#held[HEADER_LENGTH + i % MASK_LENGTH]!;
    }
    return controlFrame(first & 0x0f, payload);
  }
}

function firstByteViolation(first: number): ClientFrame | undefined {
  const opcode = first & 0x0f;
  if (first & 0x70) return violation(CLOSE_CODE.malformed, "reserved bits");
  if (opcode <= LAST_DATA_OPCODE) {
    return violation(CLOSE_CODE.message, "this stream takes no messages");
  }
  if (opcode < CLOSE || opcode > PONG) return violation(CLOSE_CODE.malformed, "unknown opcode");
  if (!(first & FINAL)) return violation(CLOSE_CODE.malformed, "fragmented control frame");
  return undefined;
}

function secondByteViolation(second: number): ClientFrame | undefined {
  if (!(second & MASKED)) return violation(CLOSE_CODE.malformed, "unmasked frame");
  if ((second & ~MASKED) > MAX_CONTROL_PAYLOAD) {
    return violation(CLOSE_CODE.malformed, "control frame above 125 bytes");
  }
  return undefined;
}

function controlFrame(opcode: number, payload: Bytes): ClientFrame {
  if (opcode === PING) return { kind: "ping", payload };
  if (opcode === PONG) return { kind: "pong", payload };
  // The payload of a Close frame is empty or starts with a code of two bytes.
  if (payload.length === 1) return violation(CLOSE_CODE.malformed, "close code of one byte");
  return { kind: "close", payload };
}

function violation(code: number, reason: string): ClientFrame {
  return { kind: "violation", code, reason };
}
