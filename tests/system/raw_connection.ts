/**
 * A connection that sends what it likes, when it likes, from any loopback address.
 *
 * @module
 */

import { connect, type Socket } from "node:net";
import { within } from "../time_limits.ts";

export { within };

/** One TCP connection to this machine. What it receives is kept as text. */
export class RawConnection {
  readonly #socket: Socket;
  /** Resolves when the connection is over, by whomever. */
  readonly ended: Promise<void>;
  #received = "";
  #onData = () => {};
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
    socket.on("data", (bytes) => {
      this.#received += bytes.toString("latin1");
      this.#onData();
    });
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

  /** Resolves when what was received is as `condition` says, or the connection is over. */
  async until(condition: (received: string) => boolean): Promise<void> {
    while (!condition(this.#received) && !this.#isOver) {
      const more = new Promise<void>((resolve) => this.#onData = resolve);
      await Promise.race([more, this.ended]);
    }
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

/** Whether `received` begins with a whole answer. One without a length is whole with its header. */
function isWhole(received: string): boolean {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const [, length = "0"] = /^content-length: ([0-9]+)\r?$/im.exec(received.slice(0, end)) ?? [];
  return received.length >= end + 4 + Number(length);
}

/** Milliseconds in which nothing more comes, after an answer began to. */
const QUIET_MS = 300;

/**
 * Sends `text`, and answers what came until the connection ended, or until nothing more came for a
 * moment after `isAnswered`, which is by default when an answer has come whole: a server may read on
 * for a while, to have its refusal seen. At most `timeoutMs`.
 */
export async function exchange(
  port: number,
  text: string,
  options: {
    readonly from?: string;
    readonly timeoutMs?: number;
    readonly isAnswered?: (received: string) => boolean;
  } = {},
): Promise<RawConnection> {
  const { from, timeoutMs = 60_000, isAnswered = isWhole } = options;
  const connection = await RawConnection.open(port, from);
  connection.write(text);
  await within(timeoutMs, connection.until(isAnswered));
  for (let length = -1; length !== connection.received.length && !connection.isOver;) {
    length = connection.received.length;
    await within(QUIET_MS, connection.ended);
  }
  await connection.close();
  return connection;
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
