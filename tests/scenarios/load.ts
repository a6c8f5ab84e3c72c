/**
 * Clients that submit hashes without end, by both routes, and remember each that was answered with
 * 2xx.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { HttpClient } from "./http_client.ts";

const SINGLE_CLIENTS = 24;
const BULK_CLIENTS = 2;
const BULK_SIZE = 50;
/** A bulk client thinks so many times as long as one that submits a single hash. */
const BULK_PATIENCE = 20;
/** A gateway that is suspended takes connections, and answers none. */
const ANSWER_MS = 5_000;
/**
 * At most so long between two tries while nothing answers, for clients that think for a short time: more
 * tries would take the time of what starts.
 */
const REFUSED_PAUSE_MS = 50;
/** The same pause for others, as a part of their time to think. */
const REFUSED_THINK_PART = 0.25;

/** Runs from its construction until {@linkcode Load.stop}. */
export class Load {
  static readonly CLIENTS = SINGLE_CLIENTS + BULK_CLIENTS;
  readonly #address: () => Deno.NetAddr;
  readonly #seed: string;
  /** Most milliseconds from an answer to the next request of a single client. */
  readonly #thinkMs: number;
  readonly #clients: Promise<void>[];
  readonly #accepted: Set<string>;
  /** Requests that are sent and not answered. */
  readonly #asked = new Set<Promise<unknown>>();
  #sent = 0;
  #isStopped = false;

  /**
   * @param address where the gateway is, or was; asked for each connection
   * @param accepted takes what was answered with 2xx
   * @param options.thinkMs most milliseconds from an answer to a single client's next request
   */
  constructor(
    address: () => Deno.NetAddr,
    accepted: Set<string>,
    options: { readonly seed: string; readonly thinkMs: number },
  ) {
    this.#address = address;
    this.#accepted = accepted;
    this.#seed = options.seed;
    this.#thinkMs = options.thinkMs;
    const sizes = [
      ...new Array<number>(SINGLE_CLIENTS).fill(1),
      ...new Array<number>(BULK_CLIENTS).fill(BULK_SIZE),
    ];
    this.#clients = sizes.map((size) => this.#run(size));
  }

  /** Requests that are sent and not answered. */
  get inFlight(): number {
    return this.#asked.size;
  }

  /** Resolves when all requests that are in flight now have ended, and those accepted are remembered. */
  async passed(): Promise<void> {
    await Promise.allSettled(this.#asked);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #run(size: number): Promise<void> {
    const thinkMs = size === 1 ? this.#thinkMs : BULK_PATIENCE * this.#thinkMs;
    let connection: HttpClient | undefined;
    while (!this.#isStopped) {
      const hashes = Array.from({ length: size }, () => this.#next());
      try {
        connection ??= await HttpClient.open(this.#address());
        const asked = this.#submit(connection, hashes);
        this.#asked.add(asked);
        try {
          await asked;
        } finally {
          this.#asked.delete(asked);
        }
        if (thinkMs > 0) await pause(Math.random() * thinkMs);
      } catch {
        // The gateway is dead, or takes nothing now: nothing was promised.
        connection?.[Symbol.dispose]();
        connection = undefined;
        const refusedMs = Math.max(REFUSED_PAUSE_MS, REFUSED_THINK_PART * this.#thinkMs);
        await pause(Math.random() * refusedMs);
      }
    }
    connection?.[Symbol.dispose]();
  }

  /** Resolves when the hashes were accepted, and are remembered, or rejected for good. */
  async #submit(connection: HttpClient, hashes: readonly string[]): Promise<void> {
    const [path, body] = hashes.length === 1
      ? ["/v1/attestations", { hash: hashes[0] }]
      : ["/v1/attestations/batch", { hashes }];
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error("late")), ANSWER_MS);
    try {
      const answered = connection.post(path, JSON.stringify(body));
      const { status } = await Promise.race([answered, late.promise]);
      if (status === 503) throw new Error("refused");
      if (status >= 200 && status < 300) { for (const hash of hashes) this.#accepted.add(hash); }
    } finally {
      clearTimeout(timer);
    }
  }

  #next(): string {
    return createHash("sha256").update(`${this.#seed} ${this.#sent++}`).digest("hex");
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
