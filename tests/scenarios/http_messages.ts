/**
 * The HTTP/1.1 messages of one direction of a connection, cut out of its bytes. Bodies are of a
 * stated length; what our own programs send one another is nothing else.
 *
 * @module
 */

import { concat } from "../../src/base/bytes.ts";

/** A whole message. */
export interface HttpMessage {
  /** The request line or the status line. */
  readonly start: string;
  readonly body: Uint8Array;
}

const HEAD_END = [13, 10, 13, 10];
const decoder = new TextDecoder();

/** Takes bytes as they come. */
export class HttpMessages {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  /** Whether a message has begun and is not whole. */
  get isAmidst(): boolean {
    return this.#bytes.length > 0;
  }

  /** The messages that `chunk` makes whole. */
  take(chunk: Uint8Array): HttpMessage[] {
    this.#bytes = concat(this.#bytes, chunk);
    const messages: HttpMessage[] = [];
    for (let next; (next = this.#next()) !== undefined;) messages.push(next);
    return messages;
  }

  #next(): HttpMessage | undefined {
    const headEnd = this.#headEnd();
    if (headEnd < 0) return undefined;
    const head = decoder.decode(this.#bytes.subarray(0, headEnd));
    const end = headEnd + lengthOf(head);
    if (this.#bytes.length < end) return undefined;
    const body = this.#bytes.slice(headEnd, end);
    this.#bytes = this.#bytes.slice(end);
    return { start: head.slice(0, head.indexOf("\r\n")), body };
  }

  /** Where the body begins; -1 while the head is not whole. */
  #headEnd(): number {
    const bytes = this.#bytes;
    for (let at = bytes.indexOf(13); at >= 0; at = bytes.indexOf(13, at + 1)) {
      if (HEAD_END.every((byte, i) => bytes[at + i] === byte)) return at + HEAD_END.length;
    }
    return -1;
  }
}

function lengthOf(head: string): number {
  const length = /\r\ncontent-length: *([0-9]+)\r\n/i.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  // RFC 9112 section 6.3: without a length a request has no body.
  if (!head.startsWith("HTTP/") && !/\r\ntransfer-encoding:/i.test(head)) return 0;
  throw new Error(`Cannot read message: no content length in ${head}`);
}
