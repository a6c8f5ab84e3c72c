/**
 * Connections of the runtime. One read is always under way on each; what came is passed on from its
 * promise, so that no turn of ours has to end first.
 *
 * @module
 */

import { setImmediate } from "node:timers";
import { systemClock } from "../../src/clock.ts";
import type { Endpoint, Receiver, Socket, Sockets } from "./sockets.ts";

const READ_BYTES = 16_384;

/** See the module. */
export class DenoSockets implements Sockets {
  readonly kind = "deno";

  async open({ hostname, port, tls }: Endpoint, receiver: Receiver): Promise<Socket> {
    if (tls) return new DenoSocket(await Deno.connectTls({ hostname, port }), receiver);
    const connection = await Deno.connect({ hostname, port });
    connection.setNoDelay();
    return new DenoSocket(connection, receiver);
  }

  /** Timers are of whole milliseconds: below one the runtime is given one turn after the other. */
  turn(untilMs: number): Promise<void> {
    const leftMs = untilMs - performance.now();
    return leftMs < 1
      ? new Promise((resolve) => setImmediate(resolve))
      : systemClock.sleep(Math.floor(leftMs));
  }

  dispose(): void {}
}

class DenoSocket implements Socket {
  readonly #connection: Deno.Conn;
  readonly #receiver: Receiver;
  readonly #buffer = new Uint8Array(READ_BYTES);
  #isClosed = false;

  constructor(connection: Deno.Conn, receiver: Receiver) {
    this.#connection = connection;
    this.#receiver = receiver;
    this.#read();
  }

  send(bytes: Uint8Array): void {
    this.#connection.write(bytes).then((count) => {
      if (count < bytes.length && !this.#isClosed) this.send(bytes.subarray(count));
    }, this.#failed);
  }

  close(): void {
    this.#isClosed = true;
    this.#connection.close();
  }

  #read(): void {
    this.#connection.read(this.#buffer).then(this.#came, this.#failed);
  }

  readonly #came = (count: number | null): void => {
    if (this.#isClosed) return;
    if (count === null) return this.#failed();
    this.#receiver.received(this.#buffer.subarray(0, count));
    if (!this.#isClosed) this.#read();
  };

  readonly #failed = (): void => {
    if (this.#isClosed) return;
    this.close();
    this.#receiver.closed();
  };
}
