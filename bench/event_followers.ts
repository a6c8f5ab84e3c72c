/**
 * Many clients of one event stream, as cheap as clients can be: a socket each, whose bytes are counted
 * and not read, so that what is measured is the server.
 *
 * @module
 */

import { utf8 } from "../src/bytes.ts";

const BUFFER_BYTES = 256 * 1024;
/** Handshakes under way at a time. */
const AT_ONCE = 100;

/** Connections that were opened together. */
export class EventFollowers implements Disposable {
  readonly #connections: Deno.TcpConn[] = [];
  /** Bytes that all of them have received. */
  bytes = 0;
  /** Connections that the server has ended. */
  ended = 0;

  /** Opens `count` WebSockets at `url` with `queryOf` each. */
  static async open(
    url: URL,
    count: number,
    queryOf: (place: number) => string,
  ): Promise<EventFollowers> {
    const followers = new EventFollowers();
    for (let first = 0; first < count; first += AT_ONCE) {
      const size = Math.min(AT_ONCE, count - first);
      await Promise.all(
        Array.from({ length: size }, (_, i) => followers.#connect(url, queryOf(first + i))),
      );
    }
    return followers;
  }

  get count(): number {
    return this.#connections.length;
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection.close();
  }

  async #connect(url: URL, query: string): Promise<void> {
    const connection = await Deno.connect({ hostname: url.hostname, port: Number(url.port) });
    await connection.write(utf8([
      `GET /ws/events${query} HTTP/1.1`,
      `Host: ${url.host}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "",
      "",
    ].join("\r\n")));
    const head = new Uint8Array(4_096);
    const length = await connection.read(head) ?? 0;
    const status = new TextDecoder().decode(head.subarray(0, length)).slice(9, 12);
    if (status !== "101") throw new Error(`Cannot follow: status 101 required, found ${status}`);
    this.#connections.push(connection);
    void this.#count(connection);
  }

  async #count(connection: Deno.TcpConn): Promise<void> {
    // One for all: what is in it is nobody's.
    try {
      for (;;) {
        const length = await connection.read(SHARED_BUFFER);
        if (length === null) break;
        this.bytes += length;
      }
      this.ended++;
    } catch {
      // Closed on this side.
    }
  }
}

const SHARED_BUFFER = new Uint8Array(BUFFER_BYTES);
