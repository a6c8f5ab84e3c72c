import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import type { EventFrame } from "../../src/client/event_frames.ts";
import { followEvents, type FollowOptions } from "../../src/client/event_stream.ts";
import { until } from "../gateway/fixture.ts";
import { contentsOf, type EventServer, withEvents } from "../http/event_clients.ts";

/** Pauses are shorter than a person's. */
const quickClock: Clock = {
  nowMs: () => systemClock.nowMs(),
  elapsedMs: () => systemClock.elapsedMs(),
  sleep: (ms, signal) => systemClock.sleep(ms > 5_000 ? ms : ms / 50, signal),
};

/** A follower and what it reported. */
class Follower {
  readonly events: EventFrame[] = [];
  readonly notes: string[] = [];
  cursor: string | undefined;
  fault: unknown;
  readonly ended: Promise<void>;
  readonly #stop = new AbortController();

  constructor(url: string, options: Partial<FollowOptions> = {}) {
    const events = followEvents({
      url: new URL(`${url}/`),
      types: [],
      clock: quickClock,
      random: () => 0,
      changed: (change) => change === "connected" || this.notes.push(change),
      reached: (cursor) => this.cursor = cursor,
      ...options,
    }, this.#stop.signal);
    this.ended = this.#follow(events).catch((error) => void (this.fault = error));
  }

  async #follow(events: AsyncGenerator<EventFrame>): Promise<void> {
    for await (const event of events) this.events.push(event);
  }

  async seen(count: number): Promise<void> {
    await until(() => this.events.length >= count || this.fault !== undefined);
    assert.equal(this.fault, undefined);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.ended;
    assert.equal(this.fault, undefined);
  }
}

/** A proxy before a gateway: it sends what `answer` returns, and otherwise forwards the request. */
async function inFront(
  server: EventServer,
  answer: (request: Request, count: number) => Response | Promise<Response> | undefined,
  test: (url: string) => Promise<void>,
): Promise<void> {
  let count = 0;
  const front = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const own = answer(request, count++);
    if (own !== undefined) return own;
    const { pathname, search } = new URL(request.url);
    return fetch(server.listener.url + pathname + search);
  });
  try {
    await test(`http://127.0.0.1:${front.addr.port}`);
  } finally {
    await front.shutdown();
  }
}

Deno.test("followEvents() yields every event once, after the given cursor", async () => {
  await withEvents(async (server) => {
    const { url } = server.listener;
    const follower = new Follower(url);
    await until(() => follower.cursor !== undefined);
    const [hash] = await server.publish(2);
    await follower.seen(6);
    const filtered = new Follower(url, {
      types: ["attestation.confirmed"],
      hash: hash!,
      after: "v1.0.0.0.0.0",
    });
    await filtered.seen(1);
    assert.deepEqual(filtered.events.map(({ text }) => JSON.parse(text).data.hash), [hash]);
    const resumed = new Follower(url, { after: follower.events[3]!.id });
    await resumed.seen(2);
    const parsed = (one: Follower) => one.events.map(({ text }) => JSON.parse(text));
    assert.deepEqual(contentsOf(parsed(resumed)), contentsOf(parsed(follower).slice(4)));
    assert.equal(resumed.cursor, follower.cursor);
    for (const one of [follower, filtered, resumed]) await one.stop();
    assert.deepEqual(follower.notes, []);
  });
});

/** The first `count` blocks of `body`. */
function firstBlocks(body: ReadableStream<Uint8Array>, count: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      let text = "";
      let ends: number[] = [];
      while (ends.length < count) {
        const { value } = await reader.read();
        if (value === undefined) break;
        text += new TextDecoder().decode(value);
        ends = [...text.matchAll(/\n\n/g)].map(({ index }) => index + 2);
      }
      controller.enqueue(utf8(text.slice(0, ends[count - 1])));
      controller.close();
      await reader.cancel();
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

Deno.test("followEvents() loses and repeats no event when the connection is lost repeatedly", async () => {
  await withEvents(async (server) => {
    const cutting = async (request: Request): Promise<Response> => {
      const { search } = new URL(request.url);
      const whole = await fetch(`${server.listener.url}/v1/events${search}`);
      // After hello and three events.
      return new Response(firstBlocks(whole.body!, 4), { headers: whole.headers });
    };
    await inFront(server, cutting, async (url) => {
      const follower = new Follower(url, { after: "v1.0.0.0.0.0" });
      for (let i = 0; i < 4; i++) await server.publish(2);
      await follower.seen(24);
      const whole = await server.socket("?after=v1.0.0.0.0.0");
      await whole.seen(24);
      const received = follower.events.map(({ text }) => JSON.parse(text));
      assert.deepEqual(contentsOf(received), contentsOf(whole.events));
      assert.ok(follower.notes.length >= 7);
      await whole.close();
      await follower.stop();
    });
  });
});

/** Bytes that sockets and streams may buffer between gateway and follower. */
const AHEAD_BYTES = 24 * 1024 * 1024;
const FLOOD_BYTES = 128 * 1024 * 1024;

Deno.test("followEvents() reads no faster than its caller", async () => {
  const filler = "x".repeat(64 * 1024);
  const text = JSON.stringify({ id: "a", type: "batch.closed", at: 1, data: filler });
  const frame = utf8(`data: ${text}\n\n`);
  let sent = 0;
  let taken = 0;
  const flood = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(utf8(`data: ${hello("a")}\n\n`)),
    pull(controller) {
      controller.enqueue(frame);
      sent += frame.length;
    },
  });
  const headers = { "Content-Type": "text/event-stream" };
  const asked: string[] = [];
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    asked.push(new URL(request.url).pathname);
    return new Response(flood, { headers });
  });
  const stop = new AbortController();
  const events = followEvents({
    url: new URL(`http://127.0.0.1:${server.addr.port}/`),
    types: [],
    clock: systemClock,
    random: () => 0,
    changed: () => {},
    reached: () => {},
  }, stop.signal);
  for await (const _event of events) {
    taken += frame.length;
    // Let the server send if it can.
    await systemClock.sleep(1);
    assert.ok(sent - taken < AHEAD_BYTES, `${sent - taken} bytes ahead`);
    if (taken >= FLOOD_BYTES) break;
  }
  stop.abort();
  assert.deepEqual(asked, ["/v1/events"]);
});

Deno.test("followEvents() rejects an endless line", async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(utf8("data: ".padEnd(65_536, "x"))),
  });
  const headers = { "Content-Type": "text/event-stream" };
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(endless, { headers }),
  );
  const follower = new Follower(`http://127.0.0.1:${server.addr.port}`);
  await follower.ended;
  assert.equal((follower.fault as { code: string }).code, "gateway_refused");
});

Deno.test("followEvents() retries a busy gateway, and ends on other refusals", async () => {
  await withEvents(async (server) => {
    const busyTwice = (_request: Request, count: number) =>
      count < 2 ? new Response("{}", { status: 503 }) : undefined;
    await inFront(server, busyTwice, async (url) => {
      const follower = new Follower(url);
      await until(() => follower.cursor !== undefined);
      assert.equal(follower.notes.length, 2);
      await follower.stop();
    });
    const refused = new Follower(server.listener.url, { after: "garbage" });
    await refused.ended;
    assert.equal((refused.fault as { code: string }).code, "gateway_refused");
    const unreachable = new Follower("http://127.0.0.1:1");
    await unreachable.ended;
    assert.equal((unreachable.fault as { code: string }).code, "gateway_unreachable");
  });
});

Deno.test("followEvents() goes on at another gateway of the log while one is away", async () => {
  await withEvents(async (server) => {
    const others = [new URL(`${server.listener.url}/`)];
    const standby = () => new Response("{}", { status: 503 });
    await inFront(server, standby, async (url) => {
      for (const away of ["http://127.0.0.1:1", url]) {
        const follower = new Follower(away, { others });
        await until(() => follower.cursor !== undefined || follower.fault !== undefined);
        await server.publish(1);
        await follower.seen(3);
        await follower.stop();
      }
    });
  });
});

/** Sends `frames(n)` to the n-th connection, and then ends it unless it has to stay silent. */
async function serving(
  frames: (count: number) => readonly string[],
  isLeft: (count: number) => boolean,
  test: (url: string) => Promise<void>,
): Promise<void> {
  let count = 0;
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
    const index = count++;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        // The server sends the head with the first bytes.
        for (const text of ["", ...frames(index)]) controller.enqueue(utf8(`data: ${text}\n\n`));
        if (!isLeft(index)) controller.close();
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  });
  await test(`http://127.0.0.1:${server.addr.port}`);
}

const hello = (cursor: string, network = "a.example/log", heartbeat = 30) =>
  JSON.stringify({ type: "hello", network_id: network, cursor, heartbeat_seconds: heartbeat });
const event = (id: string) => JSON.stringify({ id, type: "batch.closed", at: 1, data: {} });

Deno.test("followEvents() reports gaps, resumes after lag, and rejects another network", async () => {
  const lines = [
    [hello("a"), `{"type":"gap"}`, event("b"), `{"type":"lagged","cursor":"b"}`],
    [hello("b"), event("c")],
    [hello("c", "b.example/log"), event("d")],
  ];
  await serving((count) => lines[count] ?? [], () => false, async (url) => {
    const follower = new Follower(url, { after: "0" });
    await follower.ended;
    assert.deepEqual(follower.events.map(({ id }) => id), ["b", "c"]);
    assert.equal((follower.fault as { code: string }).code, "gateway_refused");
    assert.equal(follower.cursor, "c");
    assert.equal(follower.notes[0], "gap");
  });
  // Users paste cursors into a shell.
  const hostile = ["a b", "a;reboot", "$(reboot)", "-x", "", "a".repeat(201)];
  for (
    const wrong of [
      "{",
      "[]",
      `{"type":7}`,
      `{"type":"x"}`,
      `{"type":"hello"}`,
      ...hostile.flatMap((cursor) => [hello(cursor), event(cursor)]),
    ]
  ) {
    await serving(() => [wrong], () => false, async (url) => {
      const follower = new Follower(url);
      await follower.ended;
      assert.equal((follower.fault as { code: string }).code, "gateway_refused", wrong);
    });
  }
});

/** A second is ten milliseconds. */
const hasty: Clock = {
  nowMs: () => systemClock.nowMs(),
  elapsedMs: () => systemClock.elapsedMs(),
  sleep: (ms, signal) => systemClock.sleep(ms / 100, signal),
};

/** A refusal whose body never ends. */
function dripped(): Response {
  let timer: ReturnType<typeof setInterval>;
  const body = new ReadableStream({
    start: (controller) => void (timer = setInterval(() => controller.enqueue(utf8(" ")), 10)),
    cancel: () => clearInterval(timer),
  });
  return new Response(body, { status: 502 });
}

Deno.test("followEvents() gives up an answer that never ends", async () => {
  const headers = { "Content-Type": "text/event-stream" };
  const stream = (...frames: readonly string[]) =>
    new Response(frames.map((text) => `data: ${text}\n\n`).join(""), { headers });
  // The first gateway never answers otherwise; the second one does so once it is known.
  const answers = [[], [stream(hello("x")), dripped(), stream(hello("x"), event("y"))]];
  for (const each of answers) {
    let count = 0;
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () => each[count++] ?? dripped(),
    );
    const follower = new Follower(`http://127.0.0.1:${server.addr.port}`, { clock: hasty });
    if (each.length > 0) {
      await follower.seen(1);
      await follower.stop();
    } else {
      await follower.ended;
      assert.equal((follower.fault as { code: string }).code, "gateway_unreachable");
    }
  }
});

Deno.test("followEvents() reconnects when heartbeats stop", async () => {
  const frames = (count: number) =>
    count === 0 ? [hello("x", "a.example/log", 1)] : [hello("x"), event("y")];
  await serving(frames, () => true, async (url) => {
    const follower = new Follower(url, { clock: hasty });
    await follower.seen(1);
    // Once for the silence; again if this machine was slow to deliver the second connection's frames.
    assert.ok(follower.notes.length >= 1);
    assert.equal(follower.cursor, "y");
    await follower.stop();
  });
  // Also a connection without any frame.
  await serving((count) => count === 0 ? [] : [hello("x"), event("y")], () => true, async (url) => {
    const follower = new Follower(url, { clock: hasty });
    await follower.seen(1);
    await follower.stop();
  });
});
