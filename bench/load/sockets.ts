/**
 * TCP connections of the load generator. One read is always in progress on each.
 *
 * @module
 */

const READ_BYTES = 16_384;

/** The address of a gateway. */
export interface Endpoint {
  readonly hostname: string;
  readonly port: number;
  readonly tls: boolean;
}

/** Callbacks of one socket. They are never called from within `send`. */
export interface Receiver {
  /** `bytes` were read: a view that is valid until this returns. */
  received(bytes: Uint8Array): void;
  /** The other side ended the connection, or it broke. */
  closed(): void;
}

/** The endpoint of `url`, with an address in place of a host name. */
export async function resolveEndpoint(url: URL): Promise<Endpoint> {
  const tls = url.protocol === "https:";
  const port = Number(url.port) || (tls ? 443 : 80);
  if (tls) return { hostname: url.hostname, port, tls };
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  // A connection resolves names like the system, including the hosts file.
  using connection = await Deno.connect({ hostname, port });
  return { hostname: connection.remoteAddr.hostname, port, tls };
}

/** An open connection. */
export class Socket {
  readonly #connection: Deno.Conn;
  readonly #receiver: Receiver;
  readonly #buffer = new Uint8Array(READ_BYTES);
  #isClosed = false;

  private constructor(connection: Deno.Conn, receiver: Receiver) {
    this.#connection = connection;
    this.#receiver = receiver;
    this.#read();
  }

  static async open({ hostname, port, tls }: Endpoint, receiver: Receiver): Promise<Socket> {
    if (tls) return new Socket(await Deno.connectTls({ hostname, port }), receiver);
    const connection = await Deno.connect({ hostname, port });
    connection.setNoDelay();
    return new Socket(connection, receiver);
  }

  /** Sends all of `bytes`, which must not change until the answer has come. */
  send(bytes: Uint8Array): void {
    this.#connection.write(bytes).then((count) => {
      if (count < bytes.length && !this.#isClosed) this.send(bytes.subarray(count));
    }, this.#failed);
  }

  /** Closes the connection; the receiver is not called any more. */
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
