import assert from "node:assert/strict";
import { systemClock } from "../../src/clock.ts";
import { CountersignError } from "../../src/errors.ts";
import type { Follower, Health } from "../../src/gateway/fronts/ports.ts";
import { connectFront, type FrontConnection } from "../../src/transport/front_connection.ts";
import { CLOSE_CODE } from "../../src/transport/frame_socket.ts";
import {
  encodeHello,
  encodeNumbered,
  encodeWelcome,
  FRONT_KIND,
  joinFrames,
  LINK_VERSION,
  SEQUENCER_KIND,
} from "../../src/transport/socket_frames.ts";
import { SocketLink } from "../../src/transport/socket_link.ts";
import { testLink } from "../gateway/link_conformance.ts";
import { numbersOf, requestOf, ScriptedSequencer } from "../gateway/scripted_sequencer.ts";
import { eventually } from "../scenarios/deployment.ts";
import { SocketLinks } from "./socket_links.ts";

testLink("SocketLink", (service) => new SocketLinks(service));

/** Resolves when the gateway knows that no front is connected. */
async function gone({ fronts }: SocketLinks): Promise<void> {
  await eventually("gone", () => Promise.resolve(fronts.fronts.length === 0 || undefined));
}

const OK: Health = { status: "ok", isSigning: true, unacknowledged: "none" };

Deno.test("requests without an outcome are repeated over the next connection", async () => {
  const sequencer = new ScriptedSequencer();
  await using links = new SocketLinks(sequencer);
  const front = await links.addFront();
  const answers = [1, 2, 3].map((number) => front.assign(requestOf(number)));
  const [first, ...lost] = await sequencer.take(3);
  first!.done([10], 10);
  assert.deepEqual(await answers[0], { sequences: [10], firstNew: 10 });
  links.sockets[0]!.close();
  await front.closed;
  // The outcomes of a lost connection reach nobody.
  for (const assign of lost) assign.done([77]);
  assert.equal((front.take().at(-1)![1] as Health).status, "standby");
  const late = front.assign(requestOf(4));
  await front.join();
  const again = await sequencer.take(3);
  assert.deepEqual(again.map(({ request }) => numbersOf(request)), [[2], [3], [4]]);
  for (const assign of again) assign.done([10 * numbersOf(assign.request)[0]!], 20);
  // The first of two requests may have had the sequence assigned, so it counts as new.
  assert.deepEqual(await answers[1], { sequences: [20], firstNew: 0 });
  assert.deepEqual(await answers[2], { sequences: [30], firstNew: 0 });
  assert.deepEqual(await late, { sequences: [40], firstNew: 20 });
});

Deno.test("a gateway that stops is left, and its requests wait for the next one", async () => {
  const sequencer = new ScriptedSequencer();
  await using links = new SocketLinks(sequencer);
  const front = await links.addFront();
  const refused = front.assign(requestOf(1));
  const [assign] = await sequencer.take(1);
  assign!.failed(new CountersignError("shutting_down", "The gateway is shutting down"));
  assert.match(await front.closed, /shutting_down/);
  await gone(links);
  await front.join();
  sequencer.publish((follower) =>
    follower.healthChanged({ ...OK, status: "standby", isSigning: false })
  );
  assert.match(await front.closed, /standby/);
  await gone(links);
  await front.join();
  const again = await sequencer.take(2);
  again[1]!.done([5]);
  assert.deepEqual((await refused)?.sequences, [5]);
});

Deno.test("what waits ends once the link is lost and its client waits no longer", async () => {
  const sequencer = new ScriptedSequencer();
  await using links = new SocketLinks(sequencer);
  const front = await links.addFront();
  const { link } = front;
  const never = new Promise<never>(() => {});
  const [now, later, answered] = [
    link.held(never, 0),
    link.held(never, 3_600),
    link.held(Promise.resolve(7), 0),
  ];
  assert.equal(await answered, 7);
  let isOver = false;
  later.finally(() => isOver = true).catch(() => {});
  now.catch(() => {});
  links.sockets[0]!.close();
  await front.closed;
  await assert.rejects(now, { code: "standby" });
  await assert.rejects(link.sync(), { code: "standby" });
  link.review();
  await Promise.resolve();
  assert.ok(!isOver);
});

Deno.test("charges reach the gateway and all other fronts, and not their own", async () => {
  await using links = new SocketLinks(new ScriptedSequencer());
  const [first, second] = [await links.addFront(), await links.addFront()];
  const charge = { budget: 1, client: { high: 3, low: 4 }, amount: 5 };
  assert.ok(first.link.charge([charge]));
  await eventually("charged", () => Promise.resolve(second.charged.length > 0 || undefined));
  assert.deepEqual([links.charged, first.charged, second.charged], [[charge], [], [charge]]);
  links.fronts.charge([charge]);
  await Promise.all([first.catchUp(), second.catchUp()]);
  assert.deepEqual([first.charged.length, second.charged.length], [1, 2]);
});

Deno.test("a second front of one name is refused while the first one is heard", async () => {
  await using links = new SocketLinks(new ScriptedSequencer());
  const [first, second] = [links.newFront("same"), links.newFront("same")];
  await first.join();
  await assert.rejects(second.join(), { code: "gateway_unreachable", message: /this name/ });
  await first.catchUp();
  assert.deepEqual(links.fronts.fronts.map(({ name }) => name), ["same"]);
  links.aheadMs = 2_000;
  await second.join();
  assert.match(await first.closed, /this name/);
  await second.catchUp();
  assert.deepEqual(links.fronts.fronts.map(({ name }) => name), ["same"]);
});

Deno.test("a front that has not joined receives no charges", async () => {
  await using links = new SocketLinks(new ScriptedSequencer());
  const charge = { budget: 1, client: { high: 3, low: 4 }, amount: 5 };
  const joining = links.newFront().join();
  const charging = setInterval(() => links.fronts.charge([charge]), 0);
  try {
    await joining;
    const access = { url: new URL(links.url), token: "t".repeat(24), name: "late" };
    const { signal } = new AbortController();
    const { closed, socket } = await connectFront(access, systemClock, signal);
    // Such as while the front reads the store.
    const lost = await Promise.race([closed, systemClock.sleep(100)]);
    assert.equal(lost, undefined);
    socket.close(CLOSE_CODE.ended, "");
  } finally {
    clearInterval(charging);
  }
});

Deno.test("a gateway that has lost its lease confirms nothing to a front", async () => {
  const sequencer = new ScriptedSequencer();
  await using links = new SocketLinks(sequencer);
  const front = await links.addFront();
  await front.link.sync();
  sequencer.checkActive = () => {
    throw new CountersignError("storage_failed", "The database is away");
  };
  await assert.rejects(front.link.sync(), { code: "standby" });
  assert.match(await front.closed, /database is away/);
});

Deno.test("a front that has read more than the gateway knows of joins once the gateway knows it", async () => {
  const sequencer = new ScriptedSequencer();
  await using links = new SocketLinks(sequencer);
  const front = links.newFront();
  front.stored = 5;
  const joined = () => {
    // What is left of the connection before keeps the name no longer.
    links.aheadMs += 2_000;
    return front.join();
  };
  const left = async () => {
    front.closed = Promise.resolve("");
    void joined();
    await eventually("the front has left", async () => await front.closed || undefined);
    assert.equal(await front.closed, "the gateway is behind its store");
    assert.deepEqual([front.link.isLinked, front.take()], [false, []]);
  };
  await left();
  front.aheadMs = 9_000;
  await left();
  sequencer.accept(5);
  await joined();
  assert.ok(front.link.isLinked);
  // An old copy is behind for longer. What follows the link refuses it.
  front.stored = 6;
  links.sockets.at(-1)!.close();
  await front.closed;
  front.take();
  await left();
  front.aheadMs += 10_000;
  await joined();
  assert.deepEqual(front.take().map(([method]) => method), ["joined"]);
});

Deno.test("a closed link refuses requests at once", async () => {
  await using links = new SocketLinks(new ScriptedSequencer());
  const { link } = await links.addFront();
  link.close();
  await assert.rejects(link.assign(requestOf(1)), { code: "shutting_down" });
});

Deno.test("operators see the fronts", async () => {
  await using links = new SocketLinks(new ScriptedSequencer());
  const front = await links.addFront();
  void front.assign(requestOf(1)).catch(() => {});
  await eventually(
    "a request",
    () => Promise.resolve(links.fronts.fronts[0]!.open === 1 || undefined),
  );
  const [{ name, beat, buffered }] = links.fronts.fronts as [typeof links.fronts.fronts[number]];
  assert.deepEqual({ name, beat }, {
    name: "front-1",
    beat: { inFlight: 1, waiters: 2, durable: 3 },
  });
  assert.ok(Number.isInteger(buffered));
});

/** The code and reason with which the sequencer closes a connection that sends `message`. */
async function closedFor(links: SocketLinks, message: Uint8Array<ArrayBuffer> | string) {
  const socket = new WebSocket(links.url.replace("http", "ws"));
  const closed = Promise.withResolvers<CloseEvent>();
  socket.onopen = () => socket.send(message);
  socket.onclose = closed.resolve;
  const { code, reason } = await closed.promise;
  return `${code} ${reason}`;
}

Deno.test("a peer that breaks the protocol is disconnected, and others are not", async () => {
  const sequencer = new ScriptedSequencer();
  await using links = new SocketLinks(sequencer);
  const front = await links.addFront();
  const hello = encodeHello({ lowest: 1, highest: 9, name: "other" });
  const cases: readonly (readonly [Uint8Array<ArrayBuffer> | string, RegExp])[] = [
    ["text", /4001.*text/],
    [new Uint8Array(0), /4001.*empty/],
    [Uint8Array.of(0, 0, 0, 9, 1), /4001.*cut off/],
    [joinFrames([Uint8Array.of(FRONT_KIND.join)]), /4001.*hello/],
    [joinFrames([hello, hello]), /4001.*second hello/],
    [joinFrames([hello, Uint8Array.of(99)]), /4001.*kind 99/],
    [joinFrames([hello, Uint8Array.of(FRONT_KIND.assign, 1)]), /4001.*malformed/],
    [joinFrames([hello, Uint8Array.of(FRONT_KIND.join, 0)]), /4001.*malformed/],
    [joinFrames([hello, ...[1, 2].map(() => Uint8Array.of(FRONT_KIND.join))]), /4001.*second join/],
    [joinFrames([encodeHello({ lowest: 4, highest: 5, name: "new" })]), /4002.*version 3/],
    [joinFrames([encodeHello({ lowest: 1, highest: 1, name: "a b" })]), /4001.*malformed/],
  ];
  for (const [message, expected] of cases) assert.match(await closedFor(links, message), expected);
  sequencer.script = ({ done }) => done([1]);
  assert.deepEqual((await front.assign(requestOf(1)))?.sequences, [1]);
});

Deno.test("a front refuses a gateway that breaks the protocol", async () => {
  const welcome = encodeWelcome(LINK_VERSION, "{}");
  const cases = [
    [joinFrames([encodeNumbered(SEQUENCER_KIND.synced, 1)]), /welcome/],
    [joinFrames([encodeWelcome(2, "{}")]), /version 2/],
    [joinFrames([welcome, welcome]), /follow/],
    [new Uint8Array(3), /cut off/],
  ] as const;
  for (const [message, expected] of cases) {
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
      const { socket, response } = Deno.upgradeWebSocket(request);
      socket.onopen = () => socket.send(message);
      return response;
    });
    const url = new URL(`http://127.0.0.1:${server.addr.port}/`);
    const access = { url, token: "t".repeat(24), name: "front" };
    await assert.rejects(
      connectFront(access, systemClock, new AbortController().signal),
      (error) => {
        assert.ok(error instanceof CountersignError);
        assert.equal(error.code, "gateway_unreachable");
        assert.match(error.message, expected);
        return true;
      },
    );
    await server.shutdown();
  }
});

Deno.test("a front that does not read is disconnected, and the gateway keeps a bounded amount", async () => {
  const sequencer = new ScriptedSequencer();
  await using links = new SocketLinks(sequencer);
  const slow = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(links.url).port) });
  await slow.write(new TextEncoder().encode(
    "GET /v1/front HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  ));
  const message = joinFrames([
    encodeHello({ lowest: 1, highest: LINK_VERSION, name: "slow" }),
    Uint8Array.of(FRONT_KIND.join),
  ]);
  // A masked binary frame, with a mask of zeros.
  await slow.write(Uint8Array.of(0x82, 0x80 | message.length, 0, 0, 0, 0, ...message));
  await eventually("it follows", () => Promise.resolve(sequencer.following === 1 || undefined));
  const edges = [new Uint8Array(2 ** 20)];
  const head = { size: 1, root: new Uint8Array(32) };
  let most = 0;
  for (let i = 0; i < 200 && links.fronts.fronts.length > 0; i++) {
    sequencer.publish((follower) => follower.treeGrown(head, edges));
    most = Math.max(most, links.fronts.fronts[0]?.buffered ?? 0);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.deepEqual(links.fronts.fronts, []);
  assert.ok(most < 2 ** 24 + 2 ** 22, `${most} bytes`);
  slow.close();
});

Deno.test("a front gives a silent gateway up after eight beats, however late they are", async () => {
  let [nowMs, wake, receive] = [0, () => {}, (_: readonly Uint8Array<ArrayBuffer>[]) => {}];
  const clock = {
    nowMs: () => nowMs,
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        wake = resolve;
        signal?.addEventListener("abort", () => resolve());
      }),
  };
  const closed = Promise.withResolvers<string>();
  let reason: string | undefined;
  const connection = {
    closed: closed.promise,
    onFrames: (next: typeof receive) => receive = next,
    socket: { send() {}, close: (_: number, why: string) => closed.resolve(reason ??= why) },
  } as unknown as FrontConnection;
  const link = new SocketLink({
    follower: new Proxy({}, { get: () => () => {} }) as Follower,
    indexes: () => assert.fail("not joined"),
    clock,
    elapsedMs: () => nowMs,
    beat: () => ({ inFlight: 0, waiters: 0, durable: 0 }),
  });
  const lost = link.use(connection, new AbortController().signal);
  const beats = async (count: number) => {
    for (let i = 0; i < count; i++) {
      // As long as a thread may be kept from running.
      nowMs += 5_000;
      wake();
      await systemClock.sleep(0);
    }
  };
  await beats(8);
  assert.equal(reason, undefined);
  receive([Uint8Array.of(SEQUENCER_KIND.beat)]);
  await beats(8);
  assert.equal(reason, undefined);
  await beats(1);
  assert.equal(await lost, "it is silent");
});
