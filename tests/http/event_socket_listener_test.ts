/** Bounds of the listener for event sockets. */

import { Hono } from "hono";
import assert from "node:assert/strict";
import { concat, utf8 } from "../../src/base/bytes.ts";
import { systemClock } from "../../src/base/clock.ts";
import { type ClientLimits, DEFAULT_CLIENT_LIMITS } from "../../src/config/gateway_limits.ts";
import { parseIpRange } from "../../src/proof/format/ip_address.ts";
import { addEventRoutes } from "../../src/http/events/events_routes.ts";
import { SOCKET_BOUNDS } from "../../src/http/events/event_bounds.ts";
import { listen } from "../../src/http/listen.ts";
import { problemResponse } from "../../src/http/problem.ts";
import { RateLimits } from "../../src/http/rate_limits.ts";
import { requestHandler } from "../../src/http/request_context.ts";
import { pathOf } from "../../src/http/request_path.ts";
import { type RouterEnv, routerOf } from "../../src/http/router.ts";
import { Routes } from "../../src/http/routes.ts";
import { until } from "../gateway/fixture.ts";
import { exchange, RawConnection } from "../system/raw_connection.ts";
import { withEvents } from "./event_clients.ts";

const HANDSHAKE = [
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

function text(lines: readonly string[] = [], line = "GET /ws/events HTTP/1.1"): string {
  return [line, "Host: gateway.test", ...HANDSHAKE, ...lines, "", ""].join("\r\n");
}

function latin1(...parts: readonly (readonly number[] | string)[]): string {
  const bytes = parts.map((part) => typeof part === "string" ? utf8(part) : Uint8Array.from(part));
  return Array.from(concat(...bytes), (byte) => String.fromCharCode(byte)).join("");
}

/** The code of the Close frame at the end of what a connection received. */
function closeCode({ received }: RawConnection): number | undefined {
  const start = received.lastIndexOf("\x88") + 2;
  const isWhole = start > 1 && received.length === start + received.charCodeAt(start - 1);
  return isWhole ? received.charCodeAt(start) << 8 | received.charCodeAt(start + 1) : undefined;
}

async function opened(port: number): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  connection.write(text());
  await connection.until((received) => received.includes('"hello"'));
  return connection;
}

Deno.test("the answer to a handshake is that of RFC 6455 section 1.3", async () => {
  await withEvents(async ({ socketPort }) => {
    const connection = await opened(socketPort);
    assert.match(connection.received, /^HTTP\/1\.1 101 Switching Protocols\r\n/);
    assert.match(connection.received, /^sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r$/mi);
    await connection.close();
  });
});

Deno.test("a frame that is not a control frame closes the connection and frees its slot", async () => {
  await withEvents(async ({ socketPort, feed }) => {
    const cases: readonly (readonly [string, number])[] = [
      // A text message with endless continuation frames.
      [latin1([0x01, 0xff, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 3, 4]) + "x".repeat(20_000), 1008],
      [latin1([0x82, 0x81, 1, 2, 3, 4, 5]), 1008],
      [latin1([0x89, 0x00]), 1002],
      [latin1([0xc9, 0x80, 1, 2, 3, 4]), 1002],
      [latin1([0x89, 0xfe, 0, 200]), 1002],
      [latin1([0x8a, 0x80, 1, 2, 3, 4]).repeat(SOCKET_BOUNDS.controlFrames + 1), 1008],
      [latin1([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]), 1000],
    ];
    for (const [sent, code] of cases) {
      const connection = await opened(socketPort);
      connection.write(sent);
      await connection.until(() => closeCode(connection) !== undefined);
      assert.equal(closeCode(connection), code);
      await connection.close();
      await until(() => feed.connections === 0);
    }
    // The maximum of control frames is accepted, and each ping is answered.
    const polite = await opened(socketPort);
    polite.write(latin1([0x89, 0x81, 0, 0, 0, 0, 0x61]).repeat(SOCKET_BOUNDS.controlFrames));
    await polite.until((received) =>
      received.split("\x8a\x01a").length > SOCKET_BOUNDS.controlFrames
    );
    assert.equal(closeCode(polite), undefined);
    await polite.close();
  });
});

Deno.test("a client that keeps sending after the Close frame is disconnected", async () => {
  await withEvents(async ({ socketPort, feed }) => {
    const connection = await opened(socketPort);
    connection.write("x".repeat(4 * SOCKET_BOUNDS.discardedBytes));
    await connection.ended;
    await until(() => feed.connections === 0);
    // A client that neither sends nor closes is disconnected after closeMs.
    const silent = await Deno.connect({ port: socketPort });
    await silent.write(utf8(text()));
    await until(() => feed.connections === 1);
    await silent.write(Uint8Array.of(0x81));
    await until(() => feed.connections === 0);
    silent.close();
  });
});

Deno.test("a handshake that is late, too long or malformed is refused", async () => {
  await withEvents(async ({ socketPort, sockets, feed }) => {
    const late = await RawConnection.openMany(3, socketPort);
    late[1]!.write("GET /ws/events HT");
    late[2]!.write(text().slice(0, -1));
    const longest = SOCKET_BOUNDS.handshakeBytes;
    const cases: readonly (readonly [string, number])[] = [
      [text(["X: ".padEnd(longest, "x")]).slice(0, longest), 400],
      [text().replaceAll("\r\n", "\n") + "\r\n\r\n", 400],
      [text(["Host: another.test"]), 400],
      [text([" folded: line"]), 400],
      [text([], "GET /ws/events HTTP/1.0"), 400],
      [text([], "GET http://gateway.test/ws/events HTTP/1.1"), 400],
      [text([], "PRI * HTTP/2.0"), 400],
      [text([], "GET /v1/events HTTP/1.1"), 404],
      [text([], "GET //ws/events HTTP/1.1"), 404],
      [text([], "POST /ws/events HTTP/1.1"), 405],
      [text([], "TRACE /ws/events HTTP/1.1"), 405],
      [text([], "GET /ws/events?types=all HTTP/1.1"), 400],
    ];
    for (const [sent, status] of cases) {
      const connection = await RawConnection.open(socketPort);
      connection.write(sent);
      await connection.ended;
      assert.equal(connection.status, status, sent.slice(0, 200));
      assert.match(connection.received, /^content-type: application\/problem\+json\r$/im);
      assert.match(connection.received, /^access-control-allow-origin: \*\r$/im);
    }
    const head = await RawConnection.open(socketPort);
    head.write(text([], "HEAD /ws/events HTTP/1.1"));
    await head.ended;
    assert.match(head.received, /^HTTP\/1\.1 405 [^]*\r\n\r\n$/);
    await Promise.all(late.map((connection) => connection.ended));
    for (const { received } of late) assert.equal(received, "");
    await until(() => sockets.inFlight === 0);
    assert.equal(feed.connections, 0);
  });
});

Deno.test("idle connections do not keep other handshakes out", async () => {
  await withEvents(async ({ socketPort, sockets }) => {
    const idle = await RawConnection.openMany(SOCKET_BOUNDS.handshakes + 40, socketPort);
    const honest = await opened(socketPort);
    assert.ok(sockets.inFlight <= SOCKET_BOUNDS.handshakes);
    assert.ok(idle.filter(({ isOver }) => isOver).length >= 1);
    for (const connection of [...idle, honest]) await connection.close();
  });
});

Deno.test("closePort() leaves open connections alone", async () => {
  await withEvents(async ({ socketPort, sockets }) => {
    const [early, open] = [await RawConnection.open(socketPort), await opened(socketPort)];
    await until(() => sockets.inFlight === 1);
    sockets.closePort();
    await assert.rejects(RawConnection.open(socketPort));
    early.write(text());
    await early.until((received) => received.includes('"hello"'));
    await Promise.all([early.close(), open.close()]);
  });
});

Deno.test("a reset at any time frees the connection and its slot", async () => {
  await withEvents(async ({ socketPort, sockets, feed, notes }) => {
    const whole = text();
    for (const [i, length] of [0, 1, 20, whole.length - 1, whole.length].entries()) {
      const connections = await RawConnection.openMany(20, socketPort);
      for (const connection of connections) connection.write(whole.slice(0, length));
      if (i % 2 === 0) await systemClock.sleep(10);
      await Promise.all(connections.map((connection) => connection.reset()));
    }
    await until(() => sockets.inFlight === 0 && feed.connections === 0);
    // A reset before the listener accepts is not an error.
    assert.deepEqual(notes, []);
  });
});

function ratesOf(ranges: Partial<Pick<ClientLimits, "trustedProxies" | "trustedNetworks">>) {
  const eventStreams = { perSecond: 1, burst: 100, open: 2 };
  const limits = { ...DEFAULT_CLIENT_LIMITS, ...ranges, eventStreams };
  return new RateLimits(limits, systemClock, () => {});
}

Deno.test("a trusted proxy names the client in X-Forwarded-For", async () => {
  await withEvents(
    async ({ socketPort }) => {
      const open = async (client: string) => {
        const connection = await RawConnection.open(socketPort);
        connection.write(text([`X-Forwarded-For: 198.51.100.1, ${client}`]));
        await connection.until((received) => received.includes("\r\n\r\n"));
        return connection;
      };
      const connections: RawConnection[] = [];
      for (const client of ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"]) {
        connections.push(await open(client));
      }
      assert.deepEqual(connections.map(({ status }) => status), [101, 101, 429, 101]);
      for (const connection of connections) await connection.close();
    },
    {},
    ratesOf({ trustedProxies: [parseIpRange("127.0.0.1")!] }),
  );
});

Deno.test("sockets and streams share the limits of their client", async () => {
  await withEvents(
    async (server) => {
      const socket = await server.socket();
      const stream = await server.stream();
      const refused = await RawConnection.open(server.socketPort);
      refused.write(text());
      await refused.ended;
      assert.equal(refused.status, 429);
      assert.match(refused.received, /^ratelimit: "open_event_streams"/im);
      await stream.close();
      await until(() => server.feed.connections === 1);
      const another = await server.socket();
      for (const client of [socket, another]) await client.close();
    },
    {},
    ratesOf({}),
  );
});

/** The problem that answers the handshake `sent` at the listener of clients. */
async function refusalOf(port: number, sent: string) {
  const { status, received } = await exchange(port, sent);
  assert.equal(status, 421, received);
  return JSON.parse(received.slice(received.indexOf("\r\n\r\n") + 4));
}

Deno.test("the listener of clients upgrades trusted clients and counts their sockets", async () => {
  await withEvents(
    async (server) => {
      const socket = await server.socket("?types=sth.published", [], server.port);
      const further = await server.socket("", [], server.port);
      assert.equal(server.listener.inFlight, 0);
      await server.publish(1);
      assert.equal((await socket.seen(1))[0]?.type, "sth.published");
      const third = await exchange(server.port, text());
      assert.equal(third.status, 429);
      for (const client of [socket, further]) await client.close();
      await until(() => server.feed.connections === 0);
      // A proxy that is not configured, and a page of another site.
      for (const line of ["X-Forwarded-For: 127.0.0.1", "Origin: https://site.example"]) {
        await refusalOf(server.port, text([line]));
      }
    },
    {},
    ratesOf({}),
  );
});

Deno.test("everyone gets an upgrade where the runtime bounds messages", async () => {
  const limits = ratesOf({ trustedNetworks: [] });
  await withEvents(
    async ({ feed }) => {
      const app = new Hono<RouterEnv>({ getPath: pathOf });
      addEventRoutes(new Routes(app), { feed, limits, boundsMessages: true });
      const handler = requestHandler(routerOf(app, problemResponse));
      const listener = listen({ hostname: "127.0.0.1", port: 0, handler });
      const { status } = await exchange(listener.address.port, text(), {
        isAnswered: (received) => received.includes('"hello"'),
      });
      assert.equal(status, 101);
      await until(() => feed.connections === 0);
      await listener.stop(0);
    },
    {},
    limits,
  );
});

Deno.test("the listener of clients tells strangers where to read events", async () => {
  await withEvents(
    async ({ port, socketPort, feed }) => {
      const local = (lines?: readonly string[]) =>
        text(lines).replace("gateway.test", `127.0.0.1:${port}`);
      const direct = await refusalOf(port, local());
      assert.equal(direct.event_socket_url, `ws://127.0.0.1:${socketPort}/ws/events`);
      assert.ok(direct.detail.includes(direct.event_socket_url), direct.detail);
      assert.equal(direct.event_stream_url, "../v1/events");
      // The listener is on loopback, and a client that names another host comes through a proxy.
      for (const sent of [text(), local(["X-Forwarded-For: 127.0.0.1"])]) {
        const proxied = await refusalOf(port, sent);
        assert.equal(proxied.event_socket_url, undefined);
        assert.equal(proxied.event_stream_url, "../v1/events");
      }
      assert.equal(feed.connections, 0);
    },
    {},
    ratesOf({ trustedNetworks: [] }),
  );
});

Deno.test({
  name: "a socket of the runtime that never opens frees its slot",
  // The upgrade never ends: docs/limits.md.
  sanitizeOps: false,
  fn: () =>
    withEvents(async ({ port, feed }) => {
      for (let i = 0; i < 10; i++) {
        const connections = await RawConnection.openMany(10, port);
        for (const connection of connections) connection.write(text());
        await Promise.all(connections.map((connection) => connection.reset()));
      }
      await until(() => feed.connections === 0);
    }),
});
