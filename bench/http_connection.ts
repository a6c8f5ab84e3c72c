/**
 * One HTTP/1.1 connection that is kept alive, with one request in flight. `fetch` would cost the
 * measured machine more than the server that is measured.
 *
 * @module
 */

import { utf8 } from "../src/bytes.ts";

/** An answer, whose body is a view that the next exchange overwrites. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: Uint8Array;
  /** Seconds; of an answer that names them. */
  readonly retryAfter: number | undefined;
}

const CR = 13;
const LF = 10;
const STATUS_START = "HTTP/1.1 ".length;
const decoder = new TextDecoder();

/** The bytes of a request. */
export function encodeRequest(
  method: "GET" | "POST",
  path: string,
  options: { readonly prefer?: string; readonly body?: string } = {},
): Uint8Array {
  const { prefer, body } = options;
  let text = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n`;
  if (prefer !== undefined) text += `Prefer: ${prefer}\r\n`;
  if (body !== undefined) {
    // ASCII: characters are bytes.
    text += `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  }
  return utf8(`${text}\r\n${body ?? ""}`);
}

/** See the module. Answers must state their length. */
export class HttpConnection {
  readonly #connection: Deno.TcpConn;
  #buffer = new Uint8Array(16_384);
  #length = 0;

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
    connection.setNoDelay();
  }

  static async open({ hostname, port }: Deno.NetAddr): Promise<HttpConnection> {
    return new HttpConnection(await Deno.connect({ hostname, port }));
  }

  /** Sends `request` and reads the whole of its answer. */
  async exchange(request: Uint8Array): Promise<HttpAnswer> {
    for (let rest = request; rest.length > 0;) {
      rest = rest.subarray(await this.#connection.write(rest));
    }
    this.#length = 0;
    let headEnd: number;
    while ((headEnd = this.#headEnd()) < 0) await this.#read();
    const head = decoder.decode(this.#buffer.subarray(0, headEnd));
    const length = Number(/\r\ncontent-length: *([0-9]+)/i.exec(head)?.[1] ?? NaN);
    if (Number.isNaN(length)) throw new Error(`Cannot read answer: a length required in ${head}`);
    while (this.#length < headEnd + length) await this.#read();
    const retryAfter = /\r\nretry-after: *([0-9]+)/i.exec(head)?.[1];
    return {
      status: Number(head.slice(STATUS_START, STATUS_START + 3)),
      body: this.#buffer.subarray(headEnd, headEnd + length),
      retryAfter: retryAfter === undefined ? undefined : Number(retryAfter),
    };
  }

  close(): void {
    this.#connection.close();
  }

  async #read(): Promise<void> {
    if (this.#length === this.#buffer.length) {
      const larger = new Uint8Array(2 * this.#buffer.length);
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    const count = await this.#connection.read(this.#buffer.subarray(this.#length));
    if (count === null) throw new Error("Cannot read answer: an open connection required");
    this.#length += count;
  }

  /** Where the body begins; -1 while the head is not whole. */
  #headEnd(): number {
    const buffer = this.#buffer;
    for (let at = buffer.indexOf(CR); at >= 0 && at + 3 < this.#length;) {
      if (buffer[at + 1] === LF && buffer[at + 2] === CR && buffer[at + 3] === LF) return at + 4;
      at = buffer.indexOf(CR, at + 1);
    }
    return -1;
  }
}
