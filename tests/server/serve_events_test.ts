import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { freePorts } from "../free_ports.ts";
import { contentsOf, type Frame, SocketClient, StreamClient } from "../http/event_clients.ts";
import { inFolder } from "./captured_io.ts";
import { batch, ServedNetwork } from "./served_network.ts";

const HASHES = ["ab", "cd", "ef"].map((byte) => byte.repeat(32)) as [string, string, string];

/** The first `count` events from the beginning of the log. */
async function replayed(url: string, count: number): Promise<Frame[]> {
  const stream = await StreamClient.open(`${url}/v1/events?after=v1.0.0.0.0.0`, {});
  await stream.seen(count);
  await stream.close();
  return stream.events;
}

/** Opens a socket and never reads from it. */
async function deafSocket(url: string): Promise<Deno.Conn> {
  const connection = await Deno.connect({ port: Number(new URL(url).port) });
  await connection.write(utf8([
    "GET /ws/events?after=v1.0.0.0.0.0 HTTP/1.1",
    "Host: gateway.test",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "",
    "",
  ].join("\r\n")));
  return connection;
}

Deno.test("a gateway replays events after restarts and closes sockets with 1001 when it stops", () =>
  inFolder(async (root) => {
    const home = await ServedNetwork.create(root, "home.example");
    let first: string[] = [];
    const clients: { socket: SocketClient; stream: StreamClient; deaf: Deno.Conn }[] = [];
    await home.serve(async ({ url }) => {
      const socket = await SocketClient.open(`${url.replace("http", "ws")}/ws/events`, []);
      const stream = await StreamClient.open(`${url}/v1/events?types=sth.published`, {});
      for (const hash of HASHES.slice(0, 2)) await batch(url, hash);
      await socket.seen(8);
      await stream.seen(2);
      first = contentsOf(socket.events);
      assert.deepEqual(contentsOf(await replayed(url, 8)), first);
      clients.push({ socket, stream, deaf: await deafSocket(url) });
    });
    for (const { socket, stream, deaf } of clients) {
      assert.equal((await socket.closed).code, 1001);
      await stream.ended;
      deaf.close();
    }
    await home.serve(async ({ url }) => {
      assert.deepEqual(contentsOf(await replayed(url, 8)), first);
      await batch(url, HASHES[2]);
      const later = contentsOf(await replayed(url, 12));
      assert.deepEqual(first.filter((event) => !later.includes(event)), []);
      assert.equal(new Set(later).size, 12);
    });
  }));

Deno.test("a gateway that limits its clients accepts WebSockets of strangers only on their listener", () =>
  inFolder(async (root) => {
    const home = await ServedNetwork.create(root, "home.example");
    await home.configure({ limits: { trusted_networks: [] }, event_sockets: { port: 0 } });
    let closed: SocketClient["closed"] | undefined;
    await home.serve(async ({ url, operatorUrl, io }) => {
      const [, sockets] = /^ {2}sockets: +(ws:\S+)$/m.exec(io.stdout) ?? [];
      const socket = await SocketClient.open(`${sockets}/ws/events?types=sth.published`, []);
      closed = socket.closed;
      await batch(url, HASHES[0]);
      await socket.seen(1);
      await assert.rejects(SocketClient.open(`${url.replace("http", "ws")}/ws/events`, []));
      const page = await (await fetch(`${operatorUrl}/metrics`)).text();
      assert.match(page, /^countersign_event_connections 1$/m);
      const answers = 'countersign_http_requests_total{route="/ws/events",method="GET",status=';
      assert.ok(page.includes(`${answers}"1xx"} 1\n`), page);
      assert.ok(page.includes(`${answers}"4xx"} 1\n`), page);
      assert.match(page, /^countersign_refusals_total{code="misdirected_request"} 1$/m);
      assert.match(page, /^countersign_http_requests_in_flight{listener="event_sockets"} 0$/m);
    }, { operatorPort: 0 });
    assert.equal((await closed!).code, 1001);
  }));

/** Has `home` send its heads to `peer`, whose operator listener is on `port`. */
async function federate(home: ServedNetwork, peer: ServedNetwork, port: number): Promise<void> {
  for (const [own, other] of [[home, peer], [peer, home]] as const) {
    await Deno.copyFile(other.publicFile, `${own.folder}/peer.json`);
    await own.write("token", "token-of-the-test-0123456789");
    const sending = { federation_url: `http://127.0.0.1:${port}`, token_file: "token" };
    await own.configure({
      ...(own === peer && { operator: { host: "127.0.0.1", port } }),
      federation: {
        enabled: true,
        cross_anchor_threshold: 1,
        peer_networks: [{
          id: other.network.id,
          config_file: "peer.json",
          min_witnesses: 2,
          ...(own === home ? sending : { accept_token_file: "token" }),
        }],
      },
    });
  }
}

Deno.test("a cross-anchor is an event when it is added and in replays", () =>
  inFolder(async (root) => {
    const home = await ServedNetwork.create(root, "home.example");
    const peer = await ServedNetwork.create(root, "peer.example");
    await federate(home, peer, freePorts(1));
    let sent: Frame[] = [];
    await peer.serve(() =>
      home.serve(async ({ url }) => {
        const query = "?types=cross_anchor.added";
        const socket = await SocketClient.open(
          `${url.replace("http", "ws")}/ws/events${query}`,
          [],
        );
        await batch(url, HASHES[0]);
        const { data, type } = (await socket.seen(1))[0]!;
        const sth = await (await fetch(`${url}/v1/log/sth/1`)).json();
        assert.deepEqual([type, data], ["cross_anchor.added", {
          witnessing_network: "peer.example",
          tree_size: 1,
          root_hash: sth.tree_head.root_hash,
        }]);
        // The bundle has it too.
        const bundle = await (await fetch(`${url}/v1/bundle/${HASHES[0]}`)).json();
        assert.equal(bundle.cross_anchors.length, 1);
        sent = socket.events.slice();
        await socket.close();
      })
    );
    await home.serve(async ({ url }) => {
      assert.deepEqual((await replayed(url, 5)).at(-1)?.data, sent[0]!.data);
    });
  }));
