/**
 * A witness behind a bastion (c2sp.org/https-bastion). The bastion is the test: a TLS server that sends
 * HTTP/2 requests to whoever connects. `deno task foreign:logs` has litebastion in its place.
 */

import assert from "node:assert/strict";
import { connect as connectHttp2 } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { createServer as createTcpServer } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { systemClock } from "../../src/base/clock.ts";
import { serveBastion } from "../../src/http/witness/bastion.ts";
import { FakeClock } from "../fake_clock.ts";
import { until } from "../gateway/fixture.ts";
import { makeCertificate } from "./certificates.ts";

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends one request over the connection that the witness opened. */
function requestOver(
  session: ReturnType<typeof connectHttp2>,
  method: string,
  path: string,
  body?: Uint8Array,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { ":method": method, ":path": path, "x-forwarded-for": "192.0.2.7" };
    const stream = session.request(headers);
    let status = 0;
    let text = "";
    stream.setEncoding("utf8");
    stream.on("response", (head) => status = Number(head[":status"]));
    stream.on("data", (part: string) => text += part);
    stream.on("end", () => resolve({ status, body: text }));
    stream.on("error", reject);
    stream.end(body);
  });
}

Deno.test({
  name: "a witness serves its public routes through a bastion, and reconnects",
  // The runtime's HTTP/2 sessions end after their sockets.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const folder = await Deno.makeTempDir();
    const stop = new AbortController();
    const read = (name: string) => Deno.readTextFile(join(folder, name));
    try {
      for (const name of ["bastion", "witness"]) await makeCertificate(folder, name);
      const sockets: TLSSocket[] = [];
      const waiting: ((socket: TLSSocket) => void)[] = [];
      const server = createServer({
        cert: await read("bastion.crt"),
        key: await read("bastion.key"),
        ALPNProtocols: ["bastion/0"],
      }, (socket) => {
        sockets.push(socket);
        waiting.shift()?.(socket);
      });
      const nextSocket = () => new Promise<TLSSocket>((resolve) => waiting.push(resolve));
      const first = nextSocket();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const seen: [string, string, string | null, string][] = [];
      const over = serveBastion({
        url: new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`),
        cert: await read("witness.crt"),
        key: await read("witness.key"),
        ca: await read("bastion.crt"),
        async handler(request, info) {
          const { pathname } = new URL(request.url);
          const forwarded = request.headers.get("X-Forwarded-For");
          seen.push([request.method, pathname, forwarded, info!.remoteAddr.hostname]);
          return new Response(`body of ${(await request.text()).length}`, { status: 201 });
        },
        clock: systemClock,
        report: () => {},
      }, stop.signal);
      const sessionOf = (socket: TLSSocket) =>
        connectHttp2("https://witness", { createConnection: () => socket });

      const session = sessionOf(await first);
      const posted = await requestOver(session, "POST", "/add-checkpoint", new Uint8Array(1_000));
      assert.deepEqual(posted, { status: 201, body: "body of 1000" });
      const path = `/${"ab".repeat(32)}/checkpoint`;
      assert.equal((await requestOver(session, "GET", path)).status, 201);
      assert.equal((await requestOver(session, "POST", "/sign-subtree")).status, 201);
      // What only the gateway may ask, and what is no route.
      for (const closed of ["/v1/sign", "/v1/cosign", "/health", "/add-checkpoint/", "/"]) {
        assert.equal((await requestOver(session, "POST", closed)).status, 404, closed);
      }
      const large = await requestOver(session, "POST", "/add-checkpoint", new Uint8Array(131_073));
      assert.equal(large.status, 413);
      assert.deepEqual(seen, [
        ["POST", "/add-checkpoint", "192.0.2.7", "127.0.0.1"],
        ["GET", path, "192.0.2.7", "127.0.0.1"],
        ["POST", "/sign-subtree", "192.0.2.7", "127.0.0.1"],
      ]);

      const second = nextSocket();
      session.destroy();
      sockets[0]!.destroy();
      const again = await requestOver(sessionOf(await second), "POST", "/add-checkpoint");
      assert.equal(again.status, 201);
      stop.abort();
      await over;
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    } finally {
      stop.abort();
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test({
  name: "a witness connects again to a bastion that accepts its connection and says nothing",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const folder = await Deno.makeTempDir();
    const stop = new AbortController();
    try {
      await makeCertificate(folder, "witness");
      const read = (name: string) => Deno.readTextFile(join(folder, name));
      const waiting: ((socket: Socket) => void)[] = [];
      const nextSocket = () => new Promise<Socket>((resolve) => waiting.push(resolve));
      const server = createTcpServer((socket) => void waiting.shift()?.(socket));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const clock = new FakeClock();
      const lines: string[] = [];
      const first = nextSocket();
      const over = serveBastion({
        url: new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`),
        cert: await read("witness.crt"),
        key: await read("witness.key"),
        clock,
        handler: () => Promise.resolve(new Response()),
        report: (line) => lines.push(line),
      }, stop.signal);
      const sockets = [await first];
      const second = nextSocket();
      await clock.advance(15_000);
      await until(() => lines.length > 0);
      assert.match(lines[0]!, /Not connected to the bastion .*: no TLS within 15 s; retrying/);
      await clock.advance(2_000);
      sockets.push(await second);
      stop.abort();
      await over;
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    } finally {
      stop.abort();
      await Deno.remove(folder, { recursive: true });
    }
  },
});
