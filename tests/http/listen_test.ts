import assert from "node:assert/strict";
import { tablesOf } from "./limits/fronts.ts";
import { textOf, utf8 } from "../../src/base/bytes.ts";
import { hasCode } from "../../src/base/errors.ts";
import { listen } from "../../src/http/listen.ts";
import { within } from "../time_limits.ts";

const HOST = "127.0.0.1";
/** What is not waited for is over in a part of it, on any machine. */
const LONG_GRACE_MS = 120_000;
/** Bytes: more than the buffers of two sockets hold. */
const LARGE = 16_000_000;

async function connect(port: number, text: string): Promise<Deno.Conn> {
  const connection = await Deno.connect({ hostname: HOST, port });
  await connection.write(utf8(text));
  return connection;
}

/** What a connection receives until it ends. */
async function received(connection: Deno.Conn): Promise<string> {
  const parts: string[] = [];
  const buffer = new Uint8Array(65_536);
  for (;;) {
    const length = await connection.read(buffer).catch(() => null);
    if (length === null) return parts.join("");
    parts.push(textOf(buffer.subarray(0, length)));
  }
}

function never(): Promise<Response> {
  return new Promise(() => {});
}

Deno.test("listen() on port 0 serves and reports its address", async () => {
  const seen: number[] = [];
  const listener = listen({
    hostname: HOST,
    port: 0,
    handler: () => new Response("here"),
    onListen: (address) => seen.push(address.port),
  });
  assert.deepEqual(seen, [listener.address.port]);
  assert.equal(listener.url, `http://${HOST}:${listener.address.port}`);
  assert.equal(await (await fetch(listener.url)).text(), "here");
  await listener.stop(1_000);
  await assert.rejects(Deno.connect({ hostname: HOST, port: listener.address.port }));
});

Deno.test("listen() fails for a port in use and for a foreign address", async () => {
  const listener = listen({ hostname: HOST, port: 0, handler: never });
  const { port } = listener.address;
  assert.throws(
    () => listen({ hostname: HOST, port, handler: never }),
    (error) => hasCode(error, "address_in_use"),
  );
  assert.throws(
    () => listen({ hostname: "192.0.2.1", port: 0, handler: never }),
    (error) => hasCode(error, "invalid_configuration"),
  );
  await listener.stop(0);
});

Deno.test("listen() answers for a throwing handler with a generic problem", async () => {
  const listener = listen({
    hostname: HOST,
    port: 0,
    handler: () => Promise.reject(new Error("/secret/path")),
  });
  const response = await fetch(listener.url);
  const body = await response.text();
  assert.equal(response.status, 500);
  assert.equal(JSON.parse(body).code, "internal");
  assert.doesNotMatch(body, /secret/);
  await listener.stop(1_000);
});

Deno.test("stop() ends half-open, idle and hanging connections after the grace", async () => {
  const hangs = Promise.withResolvers<void>();
  const listener = listen({
    hostname: HOST,
    port: 0,
    handler: ({ url }) => {
      if (!url.endsWith("/hang")) return new Response("ok");
      hangs.resolve();
      return never();
    },
  });
  const { port } = listener.address;
  const open = [
    await connect(port, "GET / HTTP/1.1\r\nHost: half\r\n"),
    await connect(port, ""),
    await connect(port, "GET / HTTP/1.1\r\nHost: idle\r\n\r\n"),
    await connect(port, "GET /hang HTTP/1.1\r\nHost: hanging\r\n\r\n"),
  ];
  const answer = new Uint8Array(12);
  assert.equal(await open[2]!.read(answer), answer.length);
  assert.equal(textOf(answer), "HTTP/1.1 200");
  await hangs.promise;
  const texts = Promise.all(open.map(received));
  await fetch(listener.url).then((response) => response.text());

  const start = performance.now();
  await listener.stop(300);
  const took = performance.now() - start;
  assert.ok(took >= 290, `stopped after ${took} ms`);
  // They end only when the test ends them.
  assert.ok(await within(60_000, texts));
  const [half, silent, idle, hanging] = await texts;
  assert.equal(half, "");
  assert.equal(silent, "");
  assert.match(idle ?? "", /^ OK/);
  assert.equal(hanging, "");
  for (const connection of open) connection.close();
});

/** A listener that answers with what `release` gets. `entered` resolves when it has a request. */
function holdingListener() {
  const release = Promise.withResolvers<Response>();
  const entered = Promise.withResolvers<void>();
  const handler = () => {
    entered.resolve();
    return release.promise;
  };
  return {
    listener: listen({ hostname: HOST, port: 0, sharesPort: true, handler }),
    entered,
    release,
  };
}

Deno.test("stop() waits for requests in flight and refuses later ones", async () => {
  const { listener, entered, release } = holdingListener();
  const first = await connect(listener.address.port, "GET / HTTP/1.1\r\nHost: slow\r\n\r\n");
  await entered.promise;
  const stopped = listener.stop(LONG_GRACE_MS);
  const second = listener.stop(0);

  const refused = await fetch(listener.url);
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.headers.get("Retry-After")) > 0);
  assert.equal((await refused.json()).code, "shutting_down");

  // To a client that begins to read late.
  release.resolve(new Response("~".repeat(LARGE)));
  await new Promise((done) => setTimeout(done, 500));
  assert.equal((await received(first)).replaceAll(/[^~]/g, "").length, LARGE);
  first.close();
  assert.ok(await within(LONG_GRACE_MS / 2, Promise.all([stopped, second])));
});

Deno.test("stop() returns at once if only idle connections remain", async () => {
  const listener = listen({ hostname: HOST, port: 0, handler: never });
  const half = await connect(listener.address.port, "POST / HTTP/1.1\r\n");
  assert.ok(await within(LONG_GRACE_MS / 2, listener.stop(LONG_GRACE_MS)));
  assert.equal(await received(half), "");
  half.close();
});

Deno.test("handOver() leaves new connections to another listener and answers requests in flight", async () => {
  const { listener: old, entered, release } = holdingListener();
  const { port } = old.address;
  const held = fetch(old.url);
  await entered.promise;
  const idle = await connect(port, "");
  const next = listen({
    hostname: HOST,
    port,
    sharesPort: true,
    handler: () => new Response("next"),
  });
  const handedOver = old.handOver(LONG_GRACE_MS);
  // From then on it accepts no connections.
  assert.ok(await within(60_000, received(idle)));
  idle.close();
  for (let i = 0; i < 64; i++) {
    using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
    assert.equal(await (await fetch(old.url, { client })).text(), "next");
  }
  release.resolve(new Response("old"));
  assert.equal(await (await held).text(), "old");
  assert.ok(await within(LONG_GRACE_MS / 2, handedOver));
  await old.stop(0);
  await next.stop(1_000);
});

Deno.test("handOver() resolves after the grace, and answers later what takes longer", async () => {
  const { listener, entered, release } = holdingListener();
  const held = fetch(listener.url);
  await entered.promise;
  await listener.handOver(10);
  release.resolve(new Response("late"));
  assert.equal(await (await held).text(), "late");
});

Deno.test("requests above the limit are refused until others finish", async () => {
  const release = Promise.withResolvers<void>();
  const listener = listen({
    hostname: HOST,
    port: 0,
    maxInFlight: 2,
    handler: async ({ url }) => {
      if (url.endsWith("/held")) await release.promise;
      return new Response("here");
    },
  });
  const held = [fetch(`${listener.url}/held`), fetch(`${listener.url}/held`)];
  // A request before both have arrived could take the place of one of them.
  while (listener.inFlight < 2) await new Promise((done) => setTimeout(done, 1));
  const response = await fetch(listener.url);
  assert.equal(response.status, 503);
  assert.equal((await response.json()).code, "overloaded");
  assert.ok(Number(response.headers.get("Retry-After")) > 0);
  release.resolve();
  for (const answer of await Promise.all(held)) assert.equal(await answer.text(), "here");
  while ((await (await fetch(listener.url)).text()) !== "here");
  await listener.stop(1_000);
});

Deno.test("listeners that share a bound refuse what exceeds it together", async () => {
  const release = Promise.withResolvers<void>();
  const listeners = tablesOf(3).map((tables) =>
    listen({
      hostname: HOST,
      port: 0,
      maxInFlight: 2,
      requests: tables.holdings("requests"),
      handler: async () => {
        await release.promise;
        return new Response("here");
      },
    })
  );
  const [first, second, third] = listeners;
  const held = [fetch(first!.url), fetch(second!.url)];
  while (first!.inFlight + second!.inFlight < 2) await new Promise((done) => setTimeout(done, 1));
  for (const { url } of [third!, first!, second!]) {
    const response = await fetch(url);
    assert.equal(response.status, 503);
    assert.equal((await response.json()).code, "overloaded");
  }
  assert.equal(third!.inFlight, 0);
  release.resolve();
  for (const answer of await Promise.all(held)) assert.equal(await answer.text(), "here");
  // Until the answers have left there is no room.
  while ((await (await fetch(third!.url)).text()) !== "here");
  for (const listener of listeners) await listener.stop(1_000);
});
