/** `serve` with relays of beacons: what it asks them, and what becomes of jobs without one. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { serveGateway } from "../../src/server/gateway/gateway_server.ts";
import { QUICKNET } from "../../src/proof/crypto/drand.ts";
import { QUICKNET_BEACONS } from "../beacons.ts";
import { until } from "../gateway/fixture.ts";
import { bls } from "../schemes.ts";
import { served } from "../http/outgoing/fixture.ts";
import { CapturedIo, inFolder } from "./captured_io.ts";

/** Runs `use` with the URL of a gateway whose embedded witnesses are given `relay`. */
async function withGateway(
  relay: string,
  use: (url: string, io: CapturedIo) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const { networkFile } = await createNetwork({
      witnesses: 3,
      threshold: 2,
      scheme: "ed25519",
      kind: "embedded",
      basePort: 0,
      beaconRelays: [relay],
      out: join(folder, "network"),
    }, bls);
    const io = new CapturedIo({ folder });
    const stop = new AbortController();
    const running = serveGateway(
      { port: 0, host: "127.0.0.1", data: "data", config: networkFile, insecure: false },
      io,
      stop.signal,
    );
    try {
      await until(() => / on http:\S+/.test(io.stdout));
      await use(/ on (http:\S+)/.exec(io.stdout)![1]!, io);
    } finally {
      stop.abort();
      assert.equal(await running, 0);
    }
  });
}

Deno.test("a gateway with relays signs nothing with an outdated beacon, and reports it", async () => {
  const asked: string[] = [];
  const [{ round, signature }] = QUICKNET_BEACONS;
  await served((request) => {
    asked.push(new URL(request.url).pathname);
    return Response.json({ round, signature, randomness: "00".repeat(32) });
  }, async (relay) => {
    await withGateway(relay, async (url, io) => {
      const answer = await fetch(`${url}/v1/attestations`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ hash: "ab".repeat(32) }),
      });
      assert.equal(answer.status, 202);
      await answer.body?.cancel();
      const job = async () => {
        const response = await fetch(`${url}/v1/attestations/${"ab".repeat(32)}`);
        return await response.json();
      };
      await until(async () => (await job()).status === "retryable");
      const { last_error } = await job();
      assert.equal(last_error.code, "threshold_not_met");
      assert.match(last_error.message, /beacon_refused.*beacon_refused/);
      const status = await (await fetch(`${url}/v1/status`)).json();
      assert.equal(status.beacon, null);
      await until(() => io.errLines.length > 0);
      assert.match(
        io.errLines.join("\n"),
        /^countersign: No beacon of drand quicknet of the last 30 s: 127\.0\.0\.1:\d+ is behind, at round 32285085\. /m,
      );
    });
  });
  assert.deepEqual([...new Set(asked)], [`/${QUICKNET.hash}/public/latest`]);
});
