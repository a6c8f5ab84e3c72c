import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Bytes, concat } from "../../src/bytes.ts";
import { ClientSocket } from "../../src/transport/client_socket.ts";

const MAX_MESSAGE = 300_000;
/** Around the lengths at which a header grows (RFC 6455 section 5.2). */
const LENGTHS = [0, 1, 125, 126, 127, 65_535, 65_536, MAX_MESSAGE];

/** What a socket reports, in order. */
class Recorder {
  readonly socket: ClientSocket;
  readonly messages: Bytes[] = [];
  readonly closed = Promise.withResolvers<{ code: number; reason: string }>();
  readonly opened = Promise.withResolvers<void>();
  #received = Promise.withResolvers<void>();

  constructor(url: string) {
    const headers = { Authorization: "Bearer secret" };
    this.socket = new ClientSocket(new URL(url), { headers, maxMessage: MAX_MESSAGE });
    this.socket.onopen = () => this.opened.resolve();
    this.socket.onmessage = ({ data }) => {
      this.messages.push(new Uint8Array(data));
      this.#received.resolve();
    };
    this.socket.onclose = ({ code, reason }) => this.closed.resolve({ code, reason });
  }

  async receive(count: number): Promise<readonly Bytes[]> {
    while (this.messages.length < count) {
      this.#received = Promise.withResolvers();
      await this.#received.promise;
    }
    return this.messages;
  }
}

Deno.test("ClientSocket sends and receives messages of every header, with its headers", async () => {
  const seen: (string | null)[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    seen.push(request.headers.get("authorization"));
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => socket.send(data);
    return response;
  });
  const sent = LENGTHS.map((length) => Uint8Array.from({ length }, (_, i) => i * 7 + length));
  const recorder = new Recorder(`http://127.0.0.1:${server.addr.port}`);
  await recorder.opened.promise;
  for (const message of sent) recorder.socket.send(message);
  assert.deepEqual(await recorder.receive(sent.length), sent);
  recorder.socket.close(1001, "done");
  assert.equal((await recorder.closed.promise).code, 1001);
  assert.deepEqual(seen, ["Bearer secret"]);
  await server.shutdown();
});

/** A server that writes `frames` after its handshake; it keeps what it reads. */
async function answering(
  frames: readonly Bytes[],
  use: (url: string, read: () => Bytes, socket: () => Socket) => Promise<void>,
  wrongKey?: string,
): Promise<void> {
  let connection: Socket | undefined;
  const read: Bytes[] = [];
  const server = createServer().on("upgrade", ({ headers }, socket: Socket) => {
    connection = socket;
    const accept = createHash("sha1")
      .update(`${wrongKey ?? headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
    socket.on("error", () => {});
    socket.on("data", (chunk) => read.push(new Uint8Array(chunk)));
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
        `Sec-WebSocket-Accept: ${accept.digest("base64")}\r\n\r\n`,
    );
    for (const frame of frames) socket.write(frame);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  try {
    await use(`http://127.0.0.1:${port}`, () => concat(...read), () => connection!);
  } finally {
    connection?.destroy();
    await new Promise((closed) => server.close(closed));
  }
}

/** The payload of the first masked frame of `bytes`, which is short. */
function unmasked(bytes: Bytes): Bytes {
  assert.ok(bytes[1]! & 0x80, "a client masks its frames");
  return bytes.slice(6, 6 + (bytes[1]! & 0x7f)).map((byte, i) => byte ^ bytes[2 + i % 4]!);
}

Deno.test("ClientSocket joins fragments and answers pings between them", async () => {
  const frames = [
    Uint8Array.of(0x02, 1, 5),
    Uint8Array.of(0x89, 2, 8, 9),
    Uint8Array.of(0x00, 1, 6),
    Uint8Array.of(0x80, 1, 7, 0x8a, 0),
    Uint8Array.of(0x88, 4, 0x0f, 0xa0, 0x6e, 0x6f),
  ];
  await answering(frames, async (url, read) => {
    const recorder = new Recorder(url);
    assert.deepEqual(await recorder.closed.promise, { code: 4000, reason: "no" });
    assert.deepEqual(recorder.messages, [Uint8Array.of(5, 6, 7)]);
    while (read().length < 16) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(read()[0], 0x8a);
    assert.deepEqual(unmasked(read()), Uint8Array.of(8, 9));
    assert.equal(read()[8], 0x88);
    assert.deepEqual(unmasked(read().subarray(8)), Uint8Array.of(0x0f, 0xa0));
  });
});

Deno.test("ClientSocket ends a connection whose frames break RFC 6455", async () => {
  const cases: readonly (readonly [readonly number[], RegExp])[] = [
    [[0x82, 0x81, 0, 0, 0, 0, 1], /masked/],
    [[0xc2, 0], /unknown frame/],
    [[0x81, 0], /unknown frame/],
    [[0x83, 0], /unknown frame/],
    [[0x09, 0], /control frame/],
    [[0x89, 126, 0, 126], /control frame/],
    [[0x80, 0], /fragment/],
    [[0x02, 0, 0x82, 0], /fragment/],
    [[0x82, 127, 0, 0, 0, 0, 0, 4, 0x93, 0xe1], /too long/],
    [[0x82, 127, 255, 255, 255, 255, 255, 255, 255, 255], /too long/],
  ];
  for (const [bytes, expected] of cases) {
    await answering([Uint8Array.from(bytes)], async (url) => {
      const { code, reason } = await new Recorder(url).closed.promise;
      assert.equal(code, 1006);
      assert.match(reason, expected);
    });
  }
  const half = concat(
    Uint8Array.of(0x02, 127, 0, 0, 0, 0, 0, 2, 0x93, 0xe0),
    new Uint8Array(168_928),
  );
  const rest = concat(Uint8Array.of(0x80), half.subarray(1));
  await answering([half, rest], async (url) => {
    assert.match((await new Recorder(url).closed.promise).reason, /too long/);
  });
});

Deno.test("ClientSocket says why it cannot connect, and that a connection was lost", async () => {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response(null, { status: 401 }),
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  assert.match((await new Recorder(url).closed.promise).reason, /status 401/);
  await server.shutdown();
  assert.match((await new Recorder(url).closed.promise).reason, /refused/i);
  await answering([], async (url) => {
    assert.match((await new Recorder(url).closed.promise).reason, /handshake/);
  }, "another key");
  await answering([], async (url, _, socket) => {
    const recorder = new Recorder(url);
    await recorder.opened.promise;
    socket().destroy();
    assert.equal((await recorder.closed.promise).code, 1006);
  });
});

Deno.test("ClientSocket can be closed before it is open", async () => {
  await answering([], async (url) => {
    const recorder = new Recorder(url);
    recorder.socket.close(1001, "early");
    assert.match((await recorder.closed.promise).reason, /was closed/);
    assert.equal(recorder.socket.readyState, WebSocket.CLOSED);
  });
});
