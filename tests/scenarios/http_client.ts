/**
 * An HTTP/1.1 connection with one request in flight. `fetch` would take more of a small machine than
 * the processes that are tested on it, and would hide whether a connection was lost.
 *
 * @module
 */

import { textOf, utf8 } from "../../src/base/bytes.ts";
import { HttpMessages } from "./http_messages.ts";

/** What came back. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** A rejection says that the answer is lost, and the connection with it. */
export class HttpClient implements Disposable {
  readonly #connection: Deno.TcpConn;
  readonly #messages = new HttpMessages();
  readonly #buffer = new Uint8Array(64 * 1024);

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
    connection.setNoDelay();
  }

  static async open({ hostname, port }: Deno.NetAddr): Promise<HttpClient> {
    return new HttpClient(await Deno.connect({ hostname, port }));
  }

  get(path: string): Promise<HttpAnswer> {
    return this.#exchange(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  }

  /** `body` is JSON in ASCII: its characters are bytes. */
  post(path: string, body: string): Promise<HttpAnswer> {
    return this.#exchange(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  async #exchange(request: string): Promise<HttpAnswer> {
    for (let rest = utf8(request); rest.length > 0;) {
      rest = rest.subarray(await this.#connection.write(rest));
    }
    for (;;) {
      const count = await this.#connection.read(this.#buffer);
      if (count === null) throw new Error("Cannot read answer: an open connection required");
      const [answer] = this.#messages.take(this.#buffer.subarray(0, count));
      if (answer === undefined) continue;
      return { status: Number(answer.start.split(" ")[1]), text: textOf(answer.body) };
    }
  }
}
