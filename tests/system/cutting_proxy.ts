/**
 * A proxy before PostgreSQL that cuts connections around commits to the log, leads to another server, or
 * lets nothing pass for a time.
 *
 * @module
 */

/** Part of each commit to the log, and of no read. */
const COMMIT = new TextEncoder().encode("INSERT INTO countersign.log");

/**
 * Cuts every n-th commit, if `every` is given, in turn before the server has it and before it
 * is answered.
 */
export class CuttingProxy implements AsyncDisposable {
  /** Commits that the server never had. */
  before = 0;
  /** Commits whose answer was dropped. */
  after = 0;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #open = new Set<Deno.Conn>();
  readonly #every: number;
  readonly #ended: Promise<void>;
  #serverPort: number;
  #commits = 0;
  #cut: Uint8Array | undefined;
  /** Resolves when bytes may pass. */
  #passing: Promise<void> = Promise.resolve();

  constructor(serverPort: number, every = Infinity) {
    this.#serverPort = serverPort;
    this.#every = every;
    this.#ended = this.#accept();
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  /** Ends all connections, and leads new ones to the server at `serverPort`. */
  switchTo(serverPort: number): void {
    this.#serverPort = serverPort;
    for (const connection of this.#open) close(connection);
  }

  /** Lets nothing pass until `ended`, and ends no connection. */
  hold(ended: Promise<void>): void {
    this.#passing = ended;
  }

  /** Cuts each connection that sends `part`, until it is called without. */
  cut(part?: string): void {
    this.#cut = part === undefined ? undefined : new TextEncoder().encode(part);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const connection of this.#open) close(connection);
    await this.#ended;
  }

  async #accept(): Promise<void> {
    const served: Promise<void>[] = [];
    try {
      for await (const client of this.#listener) served.push(this.#serve(client));
    } catch {
      // Closed.
    }
    await Promise.all(served);
  }

  async #serve(client: Deno.TcpConn): Promise<void> {
    client.setNoDelay();
    this.#open.add(client);
    await this.#passing;
    const server = await Deno.connect({ hostname: "127.0.0.1", port: this.#serverPort })
      .catch(() => undefined);
    if (server === undefined) {
      close(client);
      return;
    }
    server.setNoDelay();
    this.#open.add(server);
    let isAnswerDropped = false;
    const cut = () => {
      for (const connection of [client, server]) {
        close(connection);
        this.#open.delete(connection);
      }
    };
    const requests = copy(client, server, async (chunk) => {
      await this.#passing;
      if (this.#cut !== undefined && includes(chunk, this.#cut)) return false;
      if (!includes(chunk, COMMIT) || ++this.#commits % this.#every > 0) return true;
      if (this.before > this.after) {
        isAnswerDropped = true;
        return true;
      }
      this.before++;
      return false;
    });
    const answers = copy(server, client, async () => {
      await this.#passing;
      if (isAnswerDropped) this.after++;
      return !isAnswerDropped;
    });
    await Promise.race([requests, answers]);
    cut();
    await Promise.all([requests, answers]);
  }
}

/** Copies until one side is closed, or `mayPass` refuses what was read. */
async function copy(
  from: Deno.Conn,
  to: Deno.Conn,
  mayPass: (chunk: Uint8Array) => Promise<boolean>,
): Promise<void> {
  const buffer = new Uint8Array(1 << 16);
  try {
    for (;;) {
      const length = await from.read(buffer);
      if (length === null || !await mayPass(buffer.subarray(0, length))) return;
      for (let at = 0; at < length;) at += await to.write(buffer.subarray(at, length));
    }
  } catch {
    // Closed.
  }
}

function includes(chunk: Uint8Array, part: Uint8Array): boolean {
  for (let at = chunk.indexOf(part[0]!); at >= 0; at = chunk.indexOf(part[0]!, at + 1)) {
    if (part.every((byte, i) => chunk[at + i] === byte)) return true;
  }
  return false;
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // Closed.
  }
}
