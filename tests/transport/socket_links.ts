/**
 * Fronts that are linked to a sequencer by WebSockets on loopback.
 *
 * @module
 */

import { systemClock } from "../../src/clock.ts";
import type {
  Assigned,
  AssignRequest,
  Follower,
  SequencerService,
} from "../../src/gateway/fronts/ports.ts";
import { connectFront } from "../../src/transport/front_connection.ts";
import type { Charge } from "../../src/transport/socket_frames.ts";
import { SocketFronts } from "../../src/transport/socket_fronts.ts";
import { SocketLink } from "../../src/transport/socket_link.ts";
import type { LinkHarness, RecordingFront } from "../gateway/link_conformance.ts";
import type { Received, ScriptedSequencer } from "../gateway/scripted_sequencer.ts";

const TOKEN = "a-token-of-the-operator-listener";
const BUDGETS = 3;

/** A front in this process. */
export class SocketFront implements RecordingFront {
  readonly link: SocketLink;
  readonly charged: Charge[] = [];
  readonly #received: Received[] = [];
  #joined = Promise.withResolvers<void>();
  readonly #ended = new AbortController();
  readonly #url: string;
  readonly name: string;
  /** Resolves with the reason when the connection is lost. */
  closed: Promise<string> = Promise.resolve("");
  /** Digests that it has read from the store. */
  stored = 0;
  /** Milliseconds that pass at once. */
  aheadMs = 0;

  constructor(
    url: string,
    name: string,
    index: () => ReturnType<ScriptedSequencer["snapshot"]>["index"],
  ) {
    this.#url = url;
    this.name = name;
    const follower = new Proxy({}, {
      get: (_, method: keyof Follower) => (...args: unknown[]) => {
        if (method === "joined") this.#joined.resolve();
        this.#received.push([method, ...args]);
      },
    }) as Follower;
    this.link = new SocketLink({
      follower,
      indexes: () => ({ index: index() }),
      clock: systemClock,
      stored: () => this.stored,
      elapsedMs: () => performance.now() + this.aheadMs,
      beat: () => ({ inFlight: 1, waiters: 2, durable: 3 }),
      budgets: { count: BUDGETS, charged: (charges) => this.charged.push(...charges) },
    });
  }

  async join(): Promise<void> {
    this.#joined = Promise.withResolvers();
    const access = { url: new URL(this.#url), token: TOKEN, name: this.name };
    const connection = await connectFront(access, systemClock, this.#ended.signal);
    this.closed = this.link.use(connection, this.#ended.signal);
    await this.#joined.promise;
  }

  assign(request: AssignRequest): Promise<Assigned | undefined> {
    return this.link.assign(request);
  }

  /** What the follower has received since the last call. */
  take(): readonly Received[] {
    return this.#received.splice(0);
  }

  async catchUp(): Promise<readonly Received[]> {
    await this.link.sync();
    return this.take();
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.closed;
    this.link.close();
  }
}

/** A sequencer in this process, with a listener. */
export class SocketLinks implements LinkHarness, AsyncDisposable {
  readonly fronts: SocketFronts;
  readonly charged: Charge[] = [];
  readonly sockets: WebSocket[] = [];
  /** Milliseconds that pass at once. */
  aheadMs = 0;
  readonly #service: SequencerService;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #added: SocketFront[] = [];

  constructor(service: SequencerService) {
    this.#service = service;
    this.fronts = new SocketFronts({
      service,
      settings: "{}",
      clock: systemClock,
      report: () => {},
      elapsedMs: () => performance.now() + this.aheadMs,
      budgets: { count: BUDGETS, charged: (charges) => this.charged.push(...charges) },
    });
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
      const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: 0 });
      this.sockets.push(socket);
      this.fronts.connect(socket);
      return response;
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  /** A front that has not joined. */
  newFront(name = `front-${this.#added.length + 1}`): SocketFront {
    const sequencer = this.#service as ScriptedSequencer;
    const front = new SocketFront(this.url, name, () => sequencer.snapshot().index);
    this.#added.push(front);
    return front;
  }

  async addFront(): Promise<SocketFront> {
    const front = this.newFront();
    await front.join();
    return front;
  }

  async close(): Promise<void> {
    for (const front of this.#added) await front.end();
    this.fronts.close();
    await this.#server.shutdown();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
