/**
 * What one client can take from a gateway through its WebSockets: memory, by a message that never
 * ends, and descriptors, by resets while a handshake is answered. Each attack also runs against the
 * sockets of the runtime, which a trial uses, to show that it takes something there.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createNetwork } from "../../src/server/network_setup.ts";
import { inFolder } from "../server/captured_io.ts";
import { eventually } from "../scenarios/deployment.ts";
import { Server } from "../scenarios/program.ts";
import { bls } from "../schemes.ts";
import {
  FLOOD_BYTES,
  grownBy,
  GROWTH_BYTES,
  HANDSHAKE,
  requireHonestAnswer,
  type Target,
} from "./endless_message.ts";
import { RawConnection } from "./raw_connection.ts";
import { descriptorsOf } from "./process_figures.ts";

const RESETS = 2_000;
const RESETS_AT_ONCE = 50;
/** Descriptors that may be in use more than before: what the process opens on its own. */
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

/** Limits that let an attacker open as many sockets as it likes: what bounds it is the listener. */
const RATE = { per_second: 100_000, burst: 100_000 };
const LIMITS = { reads: RATE, event_streams: { ...RATE, open: 10_000 } };

/** A gateway that limits its clients: event sockets have their own listener. */
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

/** A trial, which has no limits: its sockets are the runtime's. */
function unlimited(test: (target: ServedTarget) => Promise<void>): Promise<void> {
  const clients = / on http:\/\/127\.0\.0\.1:([0-9]+)$/m;
  return inFolder((folder) => withServer(["--data", "data"], folder, clients, test));
}

Deno.test("a message without an end is not collected, by one socket or by 50", () =>
  limited(async (target) => {
    for (const count of [1, 50]) {
      const { grown, sent } = await grownBy(target, count);
      assert.ok(grown < GROWTH_BYTES, `${grown} bytes more with ${count} sockets`);
      // What socket buffers take of it, and what is read until the connection is cut off.
      assert.ok(sent < FLOOD_BYTES / 2, `${sent} bytes sent with ${count} sockets`);
    }
  }));

// Shows that the test above can fail: the runtime collects the same message.
Deno.test("a trial, whose sockets are the runtime's, grows by such a message", () =>
  unlimited(async (target) => {
    const { grown } = await grownBy(target, 1);
    assert.ok(grown > GROWTH_BYTES, `${grown} bytes more`);
  }));

/** Resets connections at every moment of a handshake. */
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

Deno.test("thousands of resets during handshakes leave no descriptor and no slot taken", () =>
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

// Shows that the test above can fail: the runtime keeps the descriptors for good.
Deno.test("a trial, whose sockets are the runtime's, loses descriptors by resets", () =>
  unlimited(async (target) => {
    await requireHonestAnswer(target);
    const before = await descriptorsOf(target.server);
    await reset(target.port, 4 * RESETS_AT_ONCE);
    await requireHonestAnswer(target);
    const after = await descriptorsOf(target.server);
    assert.ok(after > before + SPARE_DESCRIPTORS, `${before} and then ${after}`);
  }));
