/**
 * A connection that sends what it likes, when it likes, from any loopback address.
 *
 * @module
 */

import { connect, type Socket } from "node:net";

/** One TCP connection to this machine. What it receives is kept as text. */
export class RawConnection {
  readonly #socket: Socket;
  /** Resolves when the connection is over, by whomever. */
  readonly ended: Promise<void>;
  /** Resolves with the first byte that is received. */
  readonly begun: Promise<void>;
  #received = "";
  #isOver = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.ended = new Promise((resolve) => {
      socket.once("close", () => {
        this.#isOver = true;
        resolve();
      });
    });
    // A reset is an end like another: what matters is what was received before.
    socket.on("error", () => {});
    this.begun = new Promise((resolve) => socket.once("data", () => resolve()));
    socket.on("data", (bytes) => this.#received += bytes.toString("latin1"));
  }

  /** Connects from `from`, an address of the loopback range; rejects when it is refused. */
  static open(port: number, from = "127.0.0.1"): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port, localAddress: from });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new RawConnection(socket));
      });
    });
  }

  /** Opens `count` at once. */
  static openMany(count: number, port: number, from?: string): Promise<RawConnection[]> {
    return Promise.all(Array.from({ length: count }, () => RawConnection.open(port, from)));
  }

  get received(): string {
    return this.#received;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Status of the first answer; `undefined` before it has come. */
  get status(): number | undefined {
    const [, status] = /^HTTP\/1\.1 ([0-9]{3}) /.exec(this.#received) ?? [];
    return status === undefined ? undefined : Number(status);
  }

  write(text: string): void {
    if (!this.#socket.destroyed) this.#socket.write(text, "latin1");
  }

  /** Stops reading: what the other side sends fills its buffers. */
  stopReading(): void {
    this.#socket.pause();
  }

  /** Ends the connection at once, in order. */
  async close(): Promise<void> {
    this.#socket.destroy();
    await this.ended;
  }

  /** Ends the connection with a reset. */
  async reset(): Promise<void> {
    this.#socket.resetAndDestroy();
    await this.ended;
  }
}

/** Milliseconds that the rest of an answer has after its beginning. */
const REST_MS = 300;

/**
 * Sends `text`, and answers what came until the connection ended, or a moment after an answer began
 * to come: a server may read on for a while, to have its refusal seen. At most `timeoutMs`.
 */
export async function exchange(
  port: number,
  text: string,
  options: { readonly from?: string; readonly timeoutMs?: number } = {},
): Promise<RawConnection> {
  const connection = await RawConnection.open(port, options.from);
  connection.write(text);
  await within(options.timeoutMs ?? 10_000, Promise.race([connection.ended, connection.begun]));
  await within(REST_MS, connection.ended);
  await connection.close();
  return connection;
}

/** Waits for `work`, but no longer than `ms`; answers whether it was done. */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const done = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return done;
}

/** Waits `ms` milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The text of a request whose connection ends with its answer. */
export function requestText(
  line: string,
  headers: readonly string[] = [],
  body = "",
): string {
  return [`${line} HTTP/1.1`, "Host: gateway.test", "Connection: close", ...headers, "", body].join(
    "\r\n",
  );
}
