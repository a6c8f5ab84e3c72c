/**
 * Attacks on WebSockets: an endless message, for memory, and resets during handshakes, for descriptors.
 * Each attack also runs against the runtime's sockets, which a trial uses, to show that it works there.
 * And who gets which socket on the networks that `init` makes.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { RUNTIME_BOUNDS_MESSAGES } from "../../src/http/events/events_socket.ts";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { IS_LONG, ofLongRuns } from "../long_runs.ts";
import { freePorts } from "../free_ports.ts";
import { SocketClient } from "../http/event_clients.ts";
import { inFolder } from "../server/captured_io.ts";
import { eventually } from "../scenarios/deployment.ts";
import { run, Server } from "../scenarios/program.ts";
import { bls } from "../schemes.ts";
import {
  FLOOD_BYTES,
  grownBy,
  GROWTH_BYTES,
  HANDSHAKE,
  requireHonestAnswer,
  type Target,
} from "./endless_message.ts";
import { exchange, RawConnection } from "./raw_connection.ts";
import { descriptorsOf } from "./process_figures.ts";

const RESETS = IS_LONG ? 2_000 : 1_000;
const RESETS_AT_ONCE = 50;
/** Descriptors that the process may open for itself meanwhile. */
const SPARE_DESCRIPTORS = 10;

interface ServedTarget extends Target {
  readonly server: Server;
}

async function withServer(
  args: readonly string[],
  folder: string,
  socketPort: RegExp,
  test: (target: ServedTarget) => Promise<void>,
): Promise<void> {
  const ready = /^Countersign gateway of \S+ on http:\/\/127\.0\.0\.1:([0-9]+)$/m;
  const { server } = await Server.start(["serve", "--port", "0", ...args], ready, { cwd: folder });
  await using running = server;
  const portOf = (pattern: RegExp) => Number(pattern.exec(running.stdout)?.[1]);
  const clients = portOf(/ on http:\/\/127\.0\.0\.1:([0-9]+)$/m);
  await test({ server: running, clients, port: portOf(socketPort) });
}

/** Limits so high that only the listener bounds an attacker. */
const RATE = { per_second: 100_000, burst: 100_000 };
const LIMITS = { reads: RATE, event_streams: { ...RATE, open: 10_000 } };

/** A gateway that limits its clients, with the listener for event sockets. */
function limited(test: (target: ServedTarget) => Promise<void>): Promise<void> {
  return inFolder(async (folder) => {
    const out = join(folder, "net");
    const plan = { witnesses: 3, threshold: 2, kind: "embedded", basePort: 0 } as const;
    const { networkFile } = await createNetwork({ ...plan, scheme: "ed25519", out }, bls);
    const network = JSON.parse(await Deno.readTextFile(networkFile));
    await Deno.writeTextFile(networkFile, JSON.stringify({ ...network, limits: LIMITS }));
    const args = ["--config", networkFile, "--event-sockets-port", "0", "--operator-port", "0"];
    await withServer(args, folder, /^ {2}sockets: +ws:\/\/127\.0\.0\.1:([0-9]+)$/m, test);
  });
}

/** A trial, which has no limits and uses the runtime's sockets. */
function unlimited(test: (target: ServedTarget) => Promise<void>): Promise<void> {
  const clients = / on http:\/\/127\.0\.0\.1:([0-9]+)$/m;
  return inFolder((folder) => withServer(["--data", "data"], folder, clients, test));
}

Deno.test("an endless message takes no memory, on one socket or on 50", () =>
  limited(async (target) => {
    for (const count of [1, 50]) {
      const { grown, sent } = await grownBy(target, count);
      assert.ok(grown < GROWTH_BYTES, `${grown} bytes more with ${count} sockets`);
      // Socket buffers take some of it, and the listener reads some until it disconnects.
      assert.ok(sent < FLOOD_BYTES / 2, `${sent} bytes sent with ${count} sockets`);
    }
  }));

// Also shows that the test above can fail.
Deno.test("RUNTIME_BOUNDS_MESSAGES says whether an endless message takes memory from the runtime's sockets", () =>
  unlimited(async (target) => {
    const { grown } = await grownBy(target, 1);
    assert.equal(
      RUNTIME_BOUNDS_MESSAGES,
      grown < GROWTH_BYTES,
      `Deno ${Deno.version.deno} took ${grown} bytes more: ` +
        "let RUNTIME_BOUNDS_MESSAGES compare Deno.version.deno",
    );
  }));

/** Resets connections at every byte of a handshake and after it. */
async function reset(port: number, count: number): Promise<void> {
  for (let done = 0; done < count; done += RESETS_AT_ONCE) {
    await Promise.all(Array.from({ length: RESETS_AT_ONCE }, async (_, i) => {
      const connection = await RawConnection.open(port);
      const isWhole = i % 5 !== 0;
      connection.write(isWhole ? HANDSHAKE : HANDSHAKE.slice(0, i));
      if (isWhole && i % 3 === 0) await connection.until((received) => received !== "");
      await connection.reset();
    }));
  }
}

Deno.test("thousands of resets during handshakes leak no descriptor and no slot", () =>
  limited(async (target) => {
    await reset(target.port, RESETS_AT_ONCE);
    await requireHonestAnswer(target);
    const before = await descriptorsOf(target.server);
    await reset(target.port, RESETS);
    await eventually(
      "the descriptors are free",
      async () => await descriptorsOf(target.server) <= before + SPARE_DESCRIPTORS || undefined,
    );
    await eventually("the slots are free", async () => {
      const operators = /^ {2}operators: (\S+)$/m.exec(target.server.stdout)![1]!;
      const page = await (await fetch(`${operators}/metrics`)).text();
      return /^countersign_event_connections 0$/m.test(page) || undefined;
    });
    await requireHonestAnswer(target);
  }));

// Shows that the test above can fail: the runtime leaks the descriptors.
ofLongRuns.test("resets leak descriptors of a trial, which uses the runtime's sockets", () =>
  unlimited(async (target) => {
    await requireHonestAnswer(target);
    const before = await descriptorsOf(target.server);
    await reset(target.port, 4 * RESETS_AT_ONCE);
    await requireHonestAnswer(target);
    const after = await descriptorsOf(target.server);
    assert.ok(after > before + SPARE_DESCRIPTORS, `${before} and then ${after}`);
  }));

const LISTENING =
  /^Countersign gateway of (\S+) on http:\/\/[0-9.]+:([0-9]+)$[^]*^ {2}sockets: +ws:\/\/[0-9.]+:([0-9]+)$/m;

/** Serves the network of `init` in `folder`. */
async function serveInitialised(folder: string, ...args: readonly string[]) {
  const { server, match } = await Server.start(
    ["serve", "--config", join(folder, "network.json"), "--port", "0", ...args],
    LISTENING,
    { cwd: folder },
  );
  const [, id, port, sockets] = match;
  return { server, id, port: Number(port), sockets: Number(sockets) };
}

async function initialise(folder: string, out: string): Promise<string> {
  const { code, stderr } = await run(
    ["init", "--out", out, "--base-port", String(freePorts(3))],
    { cwd: folder },
  );
  assert.equal(code, 0, stderr);
  return join(folder, out);
}

for (const fronts of IS_LONG ? ["0", "1"] : ["1"]) {
  Deno.test(`two networks of init serve side by side, with sockets at base_url (--fronts ${fronts})`, () =>
    inFolder(async (folder) => {
      const one = await serveInitialised(await initialise(folder, "one"), "--fronts", fronts);
      await using _one = one.server;
      const two = await serveInitialised(await initialise(folder, "two"), "--fronts", fronts);
      await using _two = two.server;
      assert.notEqual(one.sockets, two.sockets);
      for (const { id, port, sockets } of [one, two]) {
        for (const each of [port, sockets]) {
          const client = await SocketClient.open(`ws://127.0.0.1:${each}/ws/events`, []);
          assert.equal((client.frames[0] as { network_id?: string }).network_id, id);
          await client.close();
        }
      }
    }));
}

/** An address of this machine that is not loopback. */
function ownAddress(): string | undefined {
  return Deno.networkInterfaces()
    .find(({ family, address }) => family === "IPv4" && !address.startsWith("127."))?.address;
}

Deno.test({
  name: "a stranger gets 421 with the URL of the socket listener, which takes it",
  ignore: ownAddress() === undefined,
  fn: () =>
    inFolder(async (folder) => {
      const network = await initialise(folder, "net");
      const gateway = await serveInitialised(network, "--host", "0.0.0.0");
      await using _ = gateway.server;
      const address = ownAddress()!;
      const url = `http://${address}:${gateway.port}/ws/events`;
      const [, ...headers] = HANDSHAKE.trimEnd().split("\r\n").map((line) => line.split(": "));
      const refused = await fetch(url, { headers: headers.slice(1) as [string, string][] });
      assert.equal(refused.status, 421);
      const problem = await refused.json();
      assert.equal(problem.event_socket_url, `ws://${address}:${gateway.sockets}/ws/events`);
      const socket = await SocketClient.open(problem.event_socket_url, []);
      await socket.close();
      const stream = await fetch(new URL(problem.event_stream_url, url));
      assert.equal(stream.headers.get("Content-Type"), "text/event-stream");
      await stream.body?.cancel();
      // The same client, through a proxy that the operator has not configured, and one on loopback.
      const proxied = HANDSHAKE.replace("Host:", `X-Forwarded-For: ${address}\r\nHost:`);
      assert.equal((await exchange(gateway.port, proxied)).status, 421);
      const local = await SocketClient.open(`ws://127.0.0.1:${gateway.port}/ws/events`, []);
      await local.close();
    }),
});
