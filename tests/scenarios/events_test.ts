/**
 * `watch` follows a gateway that is killed repeatedly: it prints every event exactly once, and a later
 * replay has the same events.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inFolder } from "../server/captured_io.ts";
import { freePorts } from "../free_ports.ts";
import { until } from "../gateway/fixture.ts";
import { contentsOf } from "../http/event_clients.ts";
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

/** Submits hashes one after another until `stop` aborts; adds those with a 2xx to `acknowledged`. */
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
      // Killed: try again once it is back.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

const eventsOf = ({ stdout }: Server) =>
  stdout.split("\n").slice(0, -1).map((line) => JSON.parse(line));

Deno.test("watch prints every event once over kills of the gateway", async () => {
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
      // Without a first answer, watch takes the address for wrong.
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
      const events = eventsOf(watching);
      assert.match(watching.stderr, new RegExp(`Resume with: .* --after ${events.at(-1).id} `));
      checkEvents(events, acknowledged);

      const again = Server.launch(args, where);
      await until(() => eventsOf(again).length >= events.length, 60_000);
      assert.equal(await again.stop(), 0);
      const replayed = eventsOf(again);
      checkEvents(replayed, acknowledged);
      assert.deepEqual(contentsOf(replayed), contentsOf(events));
    } finally {
      stop.abort();
      await watching.kill();
      await gateway.kill();
    }
  });
});

/** Asserts that each list is complete and in order, and has everything acknowledged. */
function checkEvents(
  events: readonly { type: string; id: string; data: Record<string, unknown> }[],
  acknowledged: readonly string[],
): void {
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
  for (const type of ["attestation.accepted", "attestation.confirmed"]) {
    const of = events.filter((event) => event.type === type).map(({ data }) => data);
    assert.deepEqual(of.map(({ sequence }) => sequence), of.map((_, i) => i));
    const hashes = new Set(of.map(({ hash }) => hash));
    assert.deepEqual(acknowledged.filter((hash) => !hashes.has(hash)), [], type);
  }
  const ends = events.filter(({ type }) => type === "batch.closed").map(({ data }) => data);
  assert.deepEqual(
    ends.map(({ first_index }) => first_index),
    [0, ...ends.map(({ tree_size }) => tree_size)].slice(0, -1),
  );
}
