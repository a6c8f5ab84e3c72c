import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { DEFAULT_CLIENT_LIMITS } from "../../src/config/gateway_limits.ts";
import type { JsonValue } from "../../src/proof/format/strict_json.ts";
import { RateLimits } from "../../src/http/rate_limits.ts";
import { FRAMES } from "../../src/http/schema/events.ts";
import { FakeClock } from "../fake_clock.ts";
import { until } from "../gateway/fixture.ts";
import { keepsHead } from "../kept_head.ts";
import type { SignedTreeHead } from "../../src/proof/format/tree_head.ts";
import { contentsOf, type Frame, withEvents } from "./event_clients.ts";
import { assertProblem, randomHashes } from "./gateway_server.ts";

const KEY = "dGhlIHNhbXBsZSBub25jZQ==";

/** Sends `lines` as a handshake; returns the answer: a head, with the body that its length announces. */
async function handshake(port: number, lines: readonly string[]): Promise<[Deno.Conn, string]> {
  const connection = await Deno.connect({ port });
  await connection.write(utf8([...lines, "Host: gateway.test", "", ""].join("\r\n")));
  const buffer = new Uint8Array(4_096);
  let answer = "";
  for (;;) {
    const length = await connection.read(buffer);
    answer += new TextDecoder().decode(buffer.subarray(0, length ?? 0));
    const end = answer.indexOf("\r\n\r\n") + 4;
    const bodyLength = Number(
      /^content-length: ([0-9]+)\r$/mi.exec(answer.slice(0, end))?.[1] ?? 0,
    );
    if (length === null || (end > 4 && answer.length >= end + bodyLength)) break;
  }
  return [connection, answer];
}

const HANDSHAKE = [
  "GET /ws/events HTTP/1.1",
  "Connection: keep-alive, Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  `Sec-WebSocket-Key: ${KEY}`,
];

/** The handshake with its line of the same name replaced by `line`, or removed. */
function withLine(line: string, found = line.split(":")[0]!): string[] {
  return HANDSHAKE.map((own) => own.startsWith(found) ? line : own).filter((own) => own !== found);
}

function checkFrames(frames: readonly Frame[]): void {
  for (const frame of frames) {
    const { schema } = FRAMES[frame.type as keyof typeof FRAMES];
    assert.deepEqual(
      schema.parse(frame as unknown as JsonValue, { where: "answer", code: "malformed_json" }),
      frame,
    );
  }
}

Deno.test("sockets and streams send the same frames, which match their schemas", async () => {
  await withEvents(async (server) => {
    const socket = await server.socket();
    const native = await server.socket("", [], server.port);
    const stream = await server.stream();
    await server.publish(3);
    await server.publish(2);
    await socket.seen(14);
    await stream.seen(14);
    await native.seen(14);
    assert.deepEqual(socket.frames, stream.frames);
    assert.deepEqual(native.frames, stream.frames);
    checkFrames(socket.frames);
    assert.deepEqual(
      stream.fields.map(({ event }) => event),
      stream.frames.map(({ type }) => type),
    );
    assert.deepEqual(
      stream.fields.map(({ id }) => id),
      stream.frames.map(({ id, cursor }) => id ?? cursor),
    );
    const { headers } = stream.response;
    assert.equal(headers.get("Content-Type"), "text/event-stream");
    assert.equal(headers.get("X-Accel-Buffering"), "no");
    assert.equal(headers.get("Cache-Control"), "no-store");
    assert.equal(headers.get("Access-Control-Allow-Origin"), "*");
    // Events have the data of the other routes.
    const published = socket.events.filter(({ type }) => type === "sth.published");
    // A late witness may have cosigned the head since.
    const { sth } = server.gateway.log.latest()!;
    assert.ok(keepsHead(sth, published.at(-1)!.data as unknown as SignedTreeHead));
    const closed = socket.events.filter(({ type }) => type === "batch.closed");
    assert.deepEqual(
      closed.map(({ data }) => data),
      [...await server.gateway.log.batches(undefined, 9)].reverse(),
    );
    for (const client of [stream, socket, native]) await client.close();
    await until(() => server.feed.connections === 0);
  });
});

Deno.test("every cursor resumes exactly, over sockets and streams", async () => {
  await withEvents(async (server) => {
    const live = await server.socket();
    const hashes = await server.publish(3);
    await server.publish(1);
    const all = await live.seen(12);
    const whole = [...all];
    for (const [i, { id }] of whole.entries()) {
      const rest = whole.slice(i + 1);
      const socket = await server.socket(`?after=${id}`);
      assert.equal(socket.frames[0]!.cursor, id);
      assert.deepEqual(contentsOf(await socket.seen(rest.length)), contentsOf(rest));
      await socket.close();
      // A browser repeats its first address when it reconnects.
      const stream = await server.stream(`?after=${whole[0]!.id}`, { "Last-Event-ID": id! });
      assert.deepEqual(contentsOf(await stream.seen(rest.length)), contentsOf(rest));
      await stream.close();
    }
    const confirmed = await server.socket(
      `?after=v1.0.0.0.0.0&types=attestation.confirmed,batch.closed`,
    );
    assert.deepEqual(
      contentsOf(await confirmed.seen(6)),
      contentsOf(whole.filter(({ type }) => /confirmed|closed/.test(type))),
    );
    const one = await server.socket(`?after=v1.0.0.0.0.0&hash=${hashes[1]}`);
    assert.deepEqual(
      contentsOf(await one.seen(2)),
      contentsOf(whole.filter(({ data }) => data?.["hash"] === hashes[1])),
    );
    const gap = await server.socket("?after=v1.99.0.0.0.0");
    await gap.seen(1);
    assert.deepEqual(gap.frames.map(({ type }) => type), ["hello", "gap"]);
    assert.equal(gap.frames[0]!.cursor, whole.at(-1)!.id);
    checkFrames(gap.frames);
    for (const client of [live, confirmed, one, gap]) await client.close();
  });
});

Deno.test("anchors are sent when they are added", async () => {
  await withEvents(async (server) => {
    const socket = await server.socket("?types=cross_anchor.added,external_anchor.added");
    await server.publish(1);
    server.anchors.add("cross_anchor.added");
    server.anchors.add("external_anchor.added");
    const events = await socket.seen(2);
    assert.deepEqual(events.map(({ type }) => type), [
      "cross_anchor.added",
      "external_anchor.added",
    ]);
    await socket.close();
  });
});

Deno.test("malformed queries are refused on both routes", async () => {
  await withEvents(async (server) => {
    const { url } = server.listener;
    const queries = [
      "types=",
      "types=batch.closed,",
      "types=batch.closed,batch.closed",
      "types=all",
    ];
    queries.push("after=", "after=x", "after=v1.0.0.0.0", "after=v1.1.2.0.0.0", "types=a&types=b");
    for (const query of queries) {
      await assertProblem(await fetch(`${url}/v1/events?${query}`), "malformed_parameter");
      await assertProblem(await fetch(`${url}/ws/events?${query}`), "malformed_parameter");
      await assert.rejects(server.socket(`?${query}`));
      const onSockets = `http://127.0.0.1:${server.socketPort}/ws/events?${query}`;
      await assertProblem(await fetch(onSockets), "malformed_parameter");
    }
    for (const hash of ["", "ab", "AB".repeat(32)]) {
      await assertProblem(await fetch(`${url}/v1/events?hash=${hash}`), "malformed_hash");
    }
    const headers = { "Last-Event-ID": "7" };
    await assertProblem(await fetch(`${url}/v1/events`, { headers }), "malformed_parameter");
    const head = await fetch(`${url}/v1/events`, { method: "HEAD" });
    assert.equal(head.headers.get("Content-Type"), "text/event-stream");
    assert.equal(head.status, 200);
    await assertProblem(await fetch(`${url}/v1/events`, { method: "POST" }), "method_not_allowed");
    const preflight = await fetch(`${url}/v1/events`, { method: "OPTIONS" });
    assert.match(preflight.headers.get("Access-Control-Allow-Headers") ?? "", /Last-Event-ID/);
    assert.equal(server.feed.connections, 0);
  });
});

Deno.test("a malformed handshake is refused, as are other versions and subprotocols", async () => {
  await withEvents(async (server) => {
    const refused = [
      withLine("Upgrade"),
      withLine("Upgrade: h2c"),
      withLine("Connection: close"),
      withLine("Sec-WebSocket-Version: 8"),
      withLine("Sec-WebSocket-Version"),
      withLine("Sec-WebSocket-Key"),
      withLine("Sec-WebSocket-Key: abc"),
      withLine(`Sec-WebSocket-Key: ${KEY}AAAA`),
      [...HANDSHAKE, "Sec-WebSocket-Protocol: chat, superchat"],
      [...HANDSHAKE, "Sec-WebSocket-Protocol:"],
    ];
    for (const port of [server.port, server.socketPort]) {
      for (const lines of refused) {
        const [connection, answer] = await handshake(port, lines);
        connection.close();
        assert.match(answer, /^HTTP\/1\.1 400 /, lines.join("\n"));
        assert.match(answer, /"code":"malformed_request"/);
        assert.match(answer, /^upgrade: websocket\r$/mi);
        assert.match(answer, /^sec-websocket-version: 13\r$/mi);
      }
      const posted = await handshake(port, withLine("POST /ws/events HTTP/1.1", "GET"));
      posted[0].close();
      assert.match(posted[1], /^HTTP\/1\.1 405 /);
      assert.equal(server.feed.connections, 0);
      // The same lines unchanged are accepted, and so is our subprotocol among others.
      for (const more of [[], ["Sec-WebSocket-Protocol: chat, countersign.events.v1"]]) {
        const [connection, answer] = await handshake(port, [...HANDSHAKE, ...more]);
        assert.match(answer, /^HTTP\/1\.1 101 /);
        assert.equal(/countersign\.events\.v1/.test(answer), more.length > 0);
        connection.close();
      }
      await until(() => server.feed.connections === 0);
      const named = await server.socket("", ["countersign.events.v1"], port);
      assert.equal(named.socket.protocol, "countersign.events.v1");
      await named.close();
      await assert.rejects(server.socket("", ["chat"], port));
    }
  });
});

Deno.test("pages of any origin may read, and a client that sends a message is closed", async () => {
  await withEvents(async (server) => {
    for (const port of [server.port, server.socketPort]) {
      const [connection, answer] = await handshake(port, [
        ...HANDSHAKE,
        "Origin: https://elsewhere.example",
      ]);
      assert.match(answer, /^HTTP\/1\.1 101 /);
      connection.close();
      for (const message of ["hello", new Uint8Array(8), new Uint8Array(30_000)]) {
        const socket = await server.socket("", [], port);
        socket.socket.send(message);
        assert.equal((await socket.closed).code, 1008);
      }
    }
    await until(() => server.feed.connections === 0);
  });
});

Deno.test("sockets and streams share the bound on connections and free it when they close", async () => {
  await withEvents(async (server) => {
    const held = [await server.socket(), await server.socket()];
    const stream = await server.stream();
    const refused = await server.stream();
    assert.equal(refused.response.status, 503);
    assert.equal(refused.response.headers.get("Retry-After"), "1");
    await refused.close();
    await assert.rejects(server.socket());
    await stream.close();
    await until(() => server.feed.connections === 2);
    for (const client of held) await client.close();
    await until(() => server.feed.connections === 0);
  }, { connections: 3 });

  await withEvents(async (server) => {
    const observer = await server.socket("?types=attestation.accepted");
    for (let round = 0; round < 12; round++) {
      const clients = await Promise.all(
        Array.from({ length: 50 }, (_, i) => i % 2 === 0 ? server.socket() : server.stream()),
      );
      if (round % 5 === 0) await server.publish(1);
      await Promise.all(clients.map((client) => client.close()));
    }
    await until(() => server.feed.connections === 1);
    assert.equal((await observer.seen(3)).length, 3);
    await observer.close();
  });
});

Deno.test("a replay is charged as reads and waits for its client's budget", async () => {
  const clock = new FakeClock();
  const reads = { perSecond: 100, burst: 12 };
  const rates = new RateLimits({ ...DEFAULT_CLIENT_LIMITS, reads }, clock, () => {});
  await withEvents(
    async (server) => {
      const hashes = await server.publish(300);
      const query = "?types=attestation.accepted,attestation.confirmed";
      for (const path of [`/v1/events${query}&after=v1.0.0.0.0.0`, `/v1/events${query}`]) {
        clock.jump(1_000);
        const isReplay = path.includes("after");
        const stream = await server.stream(path.slice("/v1/events".length));
        // A page costs eight reads and the request one: three are left while the clock does not move.
        if (isReplay) await stream.seen(200);
        const left = isReplay ? 3 : 11;
        const statuses: number[] = [];
        for (let i = 0; i <= left; i++) {
          const answer = await fetch(`${server.listener.url}/v1/attestations/${hashes[0]}`);
          await answer.body?.cancel();
          statuses.push(answer.status);
        }
        assert.deepEqual(statuses, [...Array(left).fill(200), 429]);
        if (isReplay) {
          assert.ok(stream.events.length < 600);
          await until(() => {
            clock.jump(20);
            return stream.events.length === 600;
          });
          assert.deepEqual(
            stream.events.map(({ data }) => data!["hash"]).toSorted(),
            [...hashes, ...hashes].toSorted(),
          );
        }
        await stream.close();
      }
    },
    {},
    rates,
  );
});

const LAGGED = /"type":"lagged","cursor":"v1\.[0-9.]+"/;

/** A client that reads the head of the answer and little after it. */
async function deafClient(port: number, path: string): Promise<Deno.Conn> {
  const [connection] = await handshake(port, withLine(`GET ${path} HTTP/1.1`, "GET"));
  return connection;
}

Deno.test("clients that do not read are disconnected and do not delay others", async () => {
  const limits = { buffered: 16 * 1024, queue: 64, stalledTicks: 8 };
  await withEvents(async (server) => {
    const replayed = "?after=v1.0.0.0.0.0";
    // More than all socket buffers hold.
    const hashes = 40_000;
    for (let i = 0; i < hashes / 10_000; i++) {
      await server.gateway.jobs.accept(Uint8Array.fromHex(randomHashes(10_000).join("")));
    }
    const socket = await deafClient(server.port, `/ws/events${replayed}`);
    const bounded = await deafClient(server.socketPort, `/ws/events${replayed}`);
    const stream = await deafClient(server.port, `/v1/events${replayed}`);
    await until(() => server.feed.connections === 3);
    const prompt = await server.socket("?types=sth.published");
    await server.publish(1);
    await prompt.seen(1);
    // Our stream and socket are destroyed; the runtime's socket waits and still counts.
    await until(() => server.feed.connections === 2);
    for (const connection of [stream, bounded]) connection.close();
    // It gets lagged after everything that was buffered.
    const text = await readToEnd(socket);
    assert.match(text.slice(-300), LAGGED);
    await prompt.close();
    await until(() => server.feed.connections === 0);
  }, limits);
});

async function readToEnd(connection: Deno.Conn): Promise<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(65_536);
  let text = "";
  for (;;) {
    const length = await connection.read(buffer);
    if (length === null) break;
    text = (text + decoder.decode(buffer.subarray(0, length))).slice(-2_000);
    // The close frame: the client answers by closing.
    if (LAGGED.test(text)) break;
  }
  connection.close();
  return text;
}

Deno.test("a gateway that stops closes sockets with 1001 and ends streams", async () => {
  await withEvents(async (server) => {
    const sockets = [await server.socket(), await server.socket("", [], server.port)];
    const stream = await server.stream();
    await Promise.all([server.feed.close(), stream.ended]);
    for (const socket of sockets) assert.equal((await socket.closed).code, 1001);
    const late = await fetch(`${server.listener.url}/v1/events`);
    await assertProblem(late, "shutting_down");
  });
});
