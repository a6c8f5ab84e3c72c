/**
 * Assembles the answers of one connection (RFC 9112), and reads only the necessary header fields.
 * An answer within one read is not copied.
 *
 * @module
 */

import { utf8 } from "../../src/base/bytes.ts";

const CR = 13;
const LF = 10;
const COLON = 58;
const SPACE = 32;
const ZERO = 48;
const STATUS_AT = "HTTP/1.1 ".length;
const CONTENT_LENGTH = utf8("content-length");
const RETRY_AFTER = utf8("retry-after");
const LOWER_CASE = 0x20;

/** A whole answer; valid until the next bytes arrive. */
export class Answer {
  status = 0;
  /** Holds the answer from its start; the body is [bodyStart, bodyEnd). */
  bytes = new Uint8Array();
  bodyStart = 0;
  bodyEnd = 0;

  get body(): Uint8Array {
    return this.bytes.subarray(this.bodyStart, this.bodyEnd);
  }

  /** Status line and header fields. */
  get head(): string {
    return new TextDecoder().decode(this.bytes.subarray(0, this.bodyStart));
  }

  /** Seconds; `undefined` without the field. */
  get retryAfter(): number | undefined {
    const seconds = numberOfField(this.bytes, this.bodyStart, RETRY_AFTER);
    return seconds < 0 ? undefined : seconds;
  }
}

/** Answers must state their length. */
export class AnswerReader {
  readonly #answer = new Answer();
  #buffer = new Uint8Array(4_096);
  #length = 0;

  /** The answer that `chunk` completes. Throws on anything but one answer with a length. */
  push(chunk: Uint8Array): Answer | undefined {
    if (this.#length === 0) {
      if (this.#parse(chunk as Uint8Array<ArrayBuffer>, chunk.length)) return this.#answer;
      this.#append(chunk);
      return undefined;
    }
    this.#append(chunk);
    if (!this.#parse(this.#buffer, this.#length)) return undefined;
    this.#length = 0;
    return this.#answer;
  }

  #parse(bytes: Uint8Array<ArrayBuffer>, length: number): boolean {
    const answer = this.#answer;
    const bodyStart = headEnd(bytes, length);
    if (bodyStart < 0) return false;
    const bodyLength = numberOfField(bytes, bodyStart, CONTENT_LENGTH);
    answer.status = (bytes[STATUS_AT]! - ZERO) * 100 + (bytes[STATUS_AT + 1]! - ZERO) * 10 +
      bytes[STATUS_AT + 2]! - ZERO;
    answer.bytes = bytes;
    answer.bodyStart = bodyStart;
    answer.bodyEnd = bodyStart + bodyLength;
    if (bodyLength < 0 || length > answer.bodyEnd) {
      throw new Error(
        `Cannot read answer: one with a length required, found ${answer.head.split("\r\n")[0]}`,
      );
    }
    return length === answer.bodyEnd;
  }

  #append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(2 * length);
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
  }
}

/** Offset of the body; -1 while the head is incomplete. */
function headEnd(bytes: Uint8Array, length: number): number {
  for (let at = 3; at < length; at++) {
    if (
      bytes[at] === LF && bytes[at - 1] === CR && bytes[at - 2] === LF && bytes[at - 3] === CR
    ) return at + 1;
  }
  return -1;
}

/** The number in the field of this lowercase `name` in a head of `end` bytes; -1 when absent. */
function numberOfField(bytes: Uint8Array, end: number, name: Uint8Array): number {
  for (let start = 0; start < end;) {
    if (bytes[start + name.length] === COLON && isNamed(bytes, start, name)) {
      return numberAt(bytes, start + name.length + 1);
    }
    while (start < end && bytes[start] !== LF) start++;
    start++;
  }
  return -1;
}

function isNamed(bytes: Uint8Array, start: number, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i++) {
    // This bit is the case of letters; the hyphen has it set.
    if ((bytes[start + i]! | LOWER_CASE) !== name[i]) return false;
  }
  return true;
}

function numberAt(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] === SPACE) at++;
  let number = 0;
  while (bytes[at] !== CR) number = 10 * number + bytes[at++]! - ZERO;
  return number;
}
