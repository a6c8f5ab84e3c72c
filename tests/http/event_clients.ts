/**
 * A gateway that serves events, and clients that read them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { systemClock } from "../../src/base/clock.ts";
import { EventFeed, type FeedLimits } from "../../src/gateway/events/event_feed.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { EventSocketListener } from "../../src/http/events/event_socket_listener.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { FEED_LIMITS } from "../../src/http/events/event_bounds.ts";
import { type HttpListener, listen } from "../../src/http/listen.ts";
import type { RateLimits } from "../../src/http/rate_limits.ts";
import { atMost } from "../gateway/event_site.ts";
import { GrowingAnchors } from "../gateway/growing_log.ts";
import { memoryStore, TestNetwork, until } from "../gateway/fixture.ts";
import { randomHashes, verifier } from "./gateway_server.ts";

/** A parsed frame. */
export type Frame = {
  readonly type: string;
  readonly id?: string;
  readonly cursor?: string;
  readonly data?: Record<string, unknown>;
};

/** Events without their ids, by which the events of two streams can be compared; sorted. */
export function contentsOf(events: readonly Frame[]): string[] {
  // Cosignatures of a head may be added between two readings.
  const added = ["signatures", "signature", "signers"];
  const kept = (key: string, value: unknown) => added.includes(key) ? undefined : value;
  return events.map((event) => JSON.stringify({ ...event, id: "" }, kept)).toSorted();
}

interface FeedOptions extends Partial<FeedLimits> {
  /** Most open and closing connections. */
  readonly connections?: number;
}

/** A gateway with a listener of clients and one for event sockets. */
export class EventServer {
  readonly network: TestNetwork;
  readonly gateway: Gateway;
  readonly feed: EventFeed;
  readonly anchors: GrowingAnchors;
  readonly listener: HttpListener;
  readonly sockets: EventSocketListener;
  readonly reports: unknown[] = [];
  /** Reports of the listener for event sockets. */
  readonly notes: string[] = [];

  constructor(
    network: TestNetwork,
    gateway: Gateway,
    { connections = Infinity, ...limits }: FeedOptions,
    rates: RateLimits | undefined,
  ) {
    this.network = network;
    this.gateway = gateway;
    this.anchors = new GrowingAnchors();
    const report = (error: unknown) => this.reports.push(error);
    this.feed = new EventFeed({
      log: gateway.eventLog,
      anchors: this.anchors,
      clock: systemClock,
      report,
      limits: { ...FEED_LIMITS, ...limits },
      countConnection: atMost(connections),
    });
    this.sockets = new EventSocketListener({
      hostname: "127.0.0.1",
      port: 0,
      feed: this.feed,
      fault: report,
      report: (text) => this.notes.push(text),
      ...(rates !== undefined && { limits: rates }),
    });
    const handler = gatewayApp({
      service: gateway,
      verifier,
      events: this.feed,
      eventSocketsUrl: this.sockets.url,
      report,
      ...(rates !== undefined && { limits: rates }),
    });
    this.listener = listen({ hostname: "127.0.0.1", port: 0, handler });
  }

  /** Port of the listener of clients, which uses the runtime's sockets. */
  get port(): number {
    return this.listener.address.port;
  }

  /** Port of the listener for event sockets. */
  get socketPort(): number {
    return this.sockets.address.port;
  }

  /** Submits `count` hashes and waits for the head that holds them. */
  async publish(count: number): Promise<string[]> {
    const hashes = randomHashes(count);
    const sequences = await this.gateway.jobs.accept(Uint8Array.fromHex(hashes.join("")));
    await until(() => this.gateway.eventLog.published > Math.max(...sequences));
    return hashes;
  }

  socket(
    query = "",
    protocols: string[] = [],
    port = this.socketPort,
  ): Promise<SocketClient> {
    return SocketClient.open(`ws://127.0.0.1:${port}/ws/events${query}`, protocols);
  }

  stream(query = "", headers: Record<string, string> = {}): Promise<StreamClient> {
    return StreamClient.open(`${this.listener.url}/v1/events${query}`, headers);
  }
}

/** Runs `test` on a new gateway and closes everything afterwards. */
export async function withEvents(
  test: (server: EventServer) => Promise<void>,
  limits: FeedOptions = {},
  rates?: RateLimits,
): Promise<void> {
  const network = new TestNetwork();
  const { gateway } = await network.start(await memoryStore());
  const server = new EventServer(network, gateway, limits, rates);
  try {
    await test(server);
    assert.deepEqual(server.reports, []);
  } finally {
    await server.feed.close();
    server.sockets.stop();
    await server.listener.stop(0);
    await gateway.stop();
  }
}

/** A WebSocket client that records every frame and how the connection ended. */
export class SocketClient {
  readonly socket: WebSocket;
  readonly frames: Frame[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.addEventListener("message", ({ data }) => {
      assert.equal(typeof data, "string");
      this.frames.push(JSON.parse(data));
    });
    const closed = Promise.withResolvers<{ code: number; reason: string }>();
    socket.addEventListener("close", ({ code, reason }) => closed.resolve({ code, reason }));
    this.closed = closed.promise;
  }

  /** Resolves with the first frame; rejects when the handshake is refused. */
  static async open(url: string, protocols: string[]): Promise<SocketClient> {
    const client = new SocketClient(new WebSocket(url, protocols));
    let isRefused = false;
    client.socket.addEventListener("error", () => isRefused = true);
    await until(() => isRefused || client.frames.length > 0);
    if (isRefused) throw new Error("refused");
    return client;
  }

  /** All frames except hello. */
  get events(): Frame[] {
    return this.frames.slice(1);
  }

  get cursor(): string {
    return this.frames.at(-1)!.id ?? this.frames[0]!.cursor!;
  }

  async seen(count: number): Promise<Frame[]> {
    await until(() => this.events.length >= count);
    return this.events;
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}

/** A client that parses the subset of Server-Sent Events that gateways send. */
export class StreamClient {
  readonly response: Response;
  readonly frames: Frame[] = [];
  /** The `event` and `id` of each frame. */
  readonly fields: { readonly event: string; readonly id: string | undefined }[] = [];
  readonly ended: Promise<void>;
  readonly #abort: AbortController;

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.ended = this.#read().catch(() => {});
  }

  static async open(url: string, headers: Record<string, string>): Promise<StreamClient> {
    const abort = new AbortController();
    const response = await fetch(url, { headers, signal: abort.signal });
    const client = new StreamClient(response, abort);
    if (response.status === 200) await until(() => client.frames.length > 0);
    return client;
  }

  get events(): Frame[] {
    return this.frames.slice(1);
  }

  async seen(count: number): Promise<Frame[]> {
    await until(() => this.events.length >= count);
    return this.events;
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.ended;
  }

  async #read(): Promise<void> {
    let text = "";
    for await (const piece of this.response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + piece).split("\n\n");
      text = blocks.pop()!;
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
    const data = field("data");
    if (data === undefined) return;
    this.frames.push(JSON.parse(data));
    this.fields.push({ event: field("event")!, id: field("id") });
  }
}
