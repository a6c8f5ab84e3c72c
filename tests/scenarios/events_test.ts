/**
 * The event stream of a gateway that is killed again and again, as `watch` in a process of its own
 * prints it: one order, nothing lost, nothing doubled, and the same when it is asked for later.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inFolder } from "../server/captured_io.ts";
import { freePorts } from "../free_ports.ts";
import { until } from "../gateway/fixture.ts";
import { randomHashes } from "../http/gateway_server.ts";
import { Server, type Surroundings } from "./program.ts";

const READY = /^Countersign gateway of (\S+) on http:\/\/127\.0\.0\.1:([0-9]+)$/m;
const KILLS = 2;
const HASHES = 150;

async function startGateway(port: number, where: Surroundings): Promise<[Server, number]> {
  const args = ["serve", "--data", "data", "--port", String(port), "--batch-max-age-ms", "40"];
  const { server, match } = await Server.start(args, READY, where);
  return [server, Number(match[2])];
}

/** Submits hashes one after the other until it is told to stop; those that were acknowledged. */
async function submitUntil(port: number, stop: AbortSignal, acknowledged: string[]): Promise<void> {
  while (!stop.aborted) {
    const [hash] = randomHashes(1);
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/attestations`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ hash }),
      });
      await answer.body?.cancel();
      if (answer.ok) acknowledged.push(hash!);
    } catch {
      // Killed: it is asked again when it is back.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

const eventsOf = ({ stdout }: Server) =>
  stdout.split("\n").slice(0, -1).map((line) => JSON.parse(line));

Deno.test("a follower misses nothing of a gateway that is killed again and again", async () => {
  await inFolder(async (folder) => {
    const where = { cwd: folder };
    let [gateway, port] = await startGateway(freePorts(1), where);
    const url = `http://127.0.0.1:${port}`;
    const args = ["watch", "--output", "json", "--after", "v1.0.0.0.0.0", "--gateway", url];
    const watching = Server.launch(args, where);
    const acknowledged: string[] = [];
    const stop = new AbortController();
    const submitting = submitUntil(port, stop.signal, acknowledged);
    try {
      // Who finds nobody at first takes it for a wrong address.
      await until(() => eventsOf(watching).length > 0, 60_000);
      for (let kill = 0; kill < KILLS; kill++) {
        const count = acknowledged.length + HASHES / (KILLS + 1);
        await until(() => acknowledged.length >= count, 60_000);
        await gateway.kill();
        [gateway] = await startGateway(port, where);
      }
      await until(() => acknowledged.length >= HASHES, 60_000);
      stop.abort();
      await submitting;
      const isPublished = async () => {
        const status = await (await fetch(`${url}/v1/status`)).json();
        return status.pending_count === 0 && status.sth.tree_size >= acknowledged.length &&
          eventsOf(watching).at(-1)?.data.tree_head?.tree_size === status.sth.tree_size;
      };
      await until(isPublished, 60_000);
      assert.equal(await watching.stop("SIGINT"), 0);
      const told = eventsOf(watching);
      assert.match(watching.stderr, new RegExp(`Go on with --after ${told.at(-1).id}\n$`));
      checkEvents(told, acknowledged);

      const again = Server.launch(args, where);
      await until(() => eventsOf(again).length >= told.length, 60_000);
      assert.equal(await again.stop(), 0);
      assert.deepEqual(eventsOf(again), told);
    } finally {
      stop.abort();
      await watching.kill();
      await gateway.kill();
    }
  });
});

/** Everything once and in order, and everything that was acknowledged. */
function checkEvents(
  told: readonly { type: string; id: string; data: Record<string, unknown> }[],
  acknowledged: readonly string[],
): void {
  assert.equal(new Set(told.map(({ id }) => id)).size, told.length);
  for (const type of ["attestation.accepted", "attestation.confirmed"]) {
    const of = told.filter((event) => event.type === type).map(({ data }) => data);
    assert.deepEqual(of.map(({ sequence }) => sequence), of.map((_, i) => i));
    const hashes = new Set(of.map(({ hash }) => hash));
    assert.deepEqual(acknowledged.filter((hash) => !hashes.has(hash)), [], type);
  }
  const ends = told.filter(({ type }) => type === "batch.closed").map(({ data }) => data);
  assert.deepEqual(
    ends.map(({ first_index }) => first_index),
    [0, ...ends.map(({ tree_size }) => tree_size)].slice(0, -1),
  );
}
