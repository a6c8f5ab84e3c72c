import assert from "node:assert/strict";
import { timeLines } from "../../src/cli/verdict_report.ts";
import { OPEN_BRACKET } from "../../src/proof/verify/time_bracket.ts";
import { QUICKNET_BEACONS, QUICKNET_TIME } from "../beacons.ts";
import { digestOf, TestLog, TestNetwork } from "../proof/verify/fixture.ts";
import { withClient } from "./client_run.ts";

const peer = new TestNetwork("net.example/peer");
const network = new TestNetwork("net.example/timed", {
  federation: { enabled: true, peer_networks: [{ id: peer.id }], cross_anchor_threshold: 1 },
});

Deno.test("verify-proof shows an interval with every source, offline", async () => {
  const [beacon] = QUICKNET_BEACONS;
  const log = new TestLog(network);
  log.addRound([digestOf("one")], { timestamp: QUICKNET_TIME + 1, beacon });
  const bundle = {
    ...log.bundle(0, log.batchInclusion(0, log.sth(1, QUICKNET_TIME + 3))),
    cross_anchors: [log.crossAnchor(peer, { from: 1, size: 1, timestamp: QUICKNET_TIME + 61 })],
  };
  await withClient(async (client) => {
    await client.write("bundle.json", bundle);
    await client.write("network.json", network.configuration);
    await client.write("peer.json", peer.configuration);
    const files = ["--network-config", "network.json", "--peer-config", "peer.json"];
    const args = ["verify-proof", "--bundle", "bundle.json", ...files];
    const { code, stdout, isOffline } = await client.run(args);
    assert.deepEqual([code, isOffline], [0, true]);
    const lines = stdout.split("\n");
    const from = lines.findIndex((line) => line.startsWith("time bracket"));
    const ours = `according to 2 witnesses of ${network.id}`;
    assert.deepEqual(lines.slice(from, from + 5), [
      "time bracket: from 2026-09-17 15:23:39 UTC to 2026-09-17 15:23:40 UTC",
      `  not before 2026-09-17 15:23:39 UTC: drand quicknet round ${beacon.round}, ` +
      "according to the nodes of drand quicknet",
      `  not after 2026-09-17 15:23:40 UTC: attestation, ${ours}`,
      `  not after 2026-09-17 15:23:42 UTC: tree head of size 1, ${ours}`,
      `  not after 2026-09-17 15:24:40 UTC: cross-anchor of size 1, ` +
      `according to 2 witnesses of ${peer.id}`,
    ]);
    const { json } = await client.runJson(args);
    assert.deepEqual(json.time.not_before.map(({ time }: { time: number }) => time), [
      QUICKNET_TIME,
    ]);
    assert.equal(json.time.not_after.length, 3);
  });
});

Deno.test("an invalid bundle has no time bracket", async () => {
  assert.deepEqual(timeLines(OPEN_BRACKET), []);
  const log = new TestLog(network);
  log.addRound([digestOf("one")], { timestamp: QUICKNET_TIME, beacon: QUICKNET_BEACONS[0] });
  await withClient(async (client) => {
    await client.write("bundle.json", log.bundle(0));
    await client.write("network.json", peer.configuration);
    const args = ["verify-proof", "--bundle", "bundle.json", "--network-config", "network.json"];
    const { code, stdout } = await client.run(args);
    assert.equal(code, 1);
    assert.doesNotMatch(stdout, /time bracket/);
    assert.deepEqual((await client.runJson(args)).json.time, OPEN_BRACKET);
  });
});

Deno.test("verify says that a tree head was not compared with the remembered one, and how to compare", async () => {
  const log = new TestLog(network);
  log.addRound([digestOf("one"), digestOf("two")], { timestamp: QUICKNET_TIME });
  await withClient(async (client) => {
    await client.trust.savePin(network.configuration);
    await client.trust.saveHead(log.sth(2, QUICKNET_TIME + 3));
    const at = (size: number) => log.bundle(0, log.batchInclusion(0, log.sth(size, QUICKNET_TIME)));
    await client.write("late.json", at(2));
    await client.write("early.json", at(1));
    const late = (await client.run(["verify", "late.json"])).stdout.split("\n");
    const early = (await client.run(["verify", "early.json"])).stdout.split("\n");
    assert.deepEqual(
      early.toSpliced(-2, 1).map((line) => line.replace("early", "late")),
      late,
    );
    assert.equal(
      early.at(-2),
      "tree head: not compared with the remembered one of size 2 (--online compares them)",
    );
  });
});
