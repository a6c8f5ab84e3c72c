/** A monitor of a network that changes its keys, restarted between any two polls. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import type { SuccessionLink } from "../../src/proof/format/succession.ts";
import { type Client, withClient } from "../cli/client_run.ts";
import { answerOf } from "../logs/publishing/synthetic_log.ts";
import { served } from "../http/outgoing/fixture.ts";
import type { TestLog } from "../proof/verify/fixture.ts";
import { rivalEpochs, threeEpochs } from "../proof/verify/test_succession.ts";
import { configure, once, sourceOfNetwork } from "./monitored_network.ts";

const ID = "follow.example";

interface Shown {
  links: readonly SuccessionLink[];
  log: TestLog;
}

/** A gateway that shows `shown`, and a configured monitor that trusts the keys of the first epoch. */
async function monitored(
  shown: Shown,
  use: (client: Client) => Promise<void>,
): Promise<void> {
  await withClient(async (client) => {
    const { epochs } = threeEpochs("ed25519", ID);
    await client.write("first.json", publicNetwork(epochs[0].configuration));
    await served(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/v1/succession") return Response.json(shown.links);
      return await answerOf(sourceOfNetwork(shown.log), request);
    }, async (url) => {
      const views = [{ name: "gateway", url }];
      await configure(client.folder, {
        logs: [{ origin: ID, network_config: "first.json", views }],
      });
      await use(client);
    });
  });
}

async function stateOf({ folder }: Client) {
  return JSON.parse(await Deno.readTextFile(join(folder, "monitor", "state.json")));
}

/** Exit code and alerts, each `<kind> <opened or ended>`, of a new process. */
async function polled({ folder }: Client): Promise<[code: number, alerts: string[]]> {
  const { code, alerts } = await once(folder);
  return [
    code,
    alerts.map(({ type, data }) => `${data.kind} ${type.replace("finding.", "")}`).toSorted(),
  ];
}

Deno.test("a restarted monitor goes on from the succession that it followed", async () => {
  const honest = threeEpochs("ed25519", ID);
  const rival = rivalEpochs("ed25519", ID);
  const shown: Shown = { links: honest.links, log: honest.log };
  await monitored(shown, async (client) => {
    assert.deepEqual(await polled(client), [0, []]);
    assert.equal((await stateOf(client)).logs[0].succession.length, 2);

    // The keys of the first epoch sign what came after their epoch, and no succession is shown.
    shown.links = [];
    const log = threeEpochs("ed25519", ID).log;
    log.network = honest.epochs[0];
    shown.log = log;
    const [code, [alert]] = await polled(client);
    assert.deepEqual([code, alert], [1, "unverified opened"]);
    assert.equal((await stateOf(client)).logs[0].succession.length, 2);

    shown.links = honest.links.slice(0, 1);
    shown.log = honest.log;
    assert.deepEqual(await polled(client), [0, ["unverified ended"]]);

    // Another succession, and a head that its keys signed.
    shown.links = [rival.link];
    shown.log = rival.log;
    assert.deepEqual(await polled(client), [
      1,
      ["below_policy opened", "fork opened", "shrunk opened"],
    ]);
    assert.deepEqual((await stateOf(client)).logs[0].succession, honest.links);

    shown.links = honest.links;
    shown.log = honest.log;
    assert.deepEqual(await polled(client), [1, [
      "below_policy ended",
      "shrunk ended",
    ]]);
  });
});

Deno.test("evidence of two successions is kept and reported until it is acknowledged", async () => {
  const honest = threeEpochs("ed25519", ID);
  const rival = rivalEpochs("ed25519", ID);
  const shown: Shown = { links: honest.links, log: honest.log };
  await monitored(shown, async (client) => {
    await once(client.folder);
    shown.links = [rival.link];
    const { alerts } = await once(client.folder);
    assert.deepEqual(alerts.map(({ data }) => [data.kind, data.view]), [["fork", "gateway"]]);
    const { id, evidence, message } = alerts[0].data;
    assert.match(message, /another succession of epoch 0/);
    const text = await Deno.readTextFile(evidence);
    const found = JSON.parse(text);
    assert.deepEqual([found.first, found.second], [honest.links[0], rival.link]);

    const confirm = ["log", "contradictions", "--file", evidence];
    const proved = await client.runJson([...confirm, "--network-config", "first.json"]);
    assert.deepEqual([proved.code, proved.json.proved], [1, 1], proved.stdout);

    for (const links of [[rival.link], honest.links, []]) {
      shown.links = links;
      const { code, alerts, summary } = await once(client.folder);
      assert.deepEqual([code, alerts], [1, []]);
      assert.deepEqual(summary.open.map((one: { id: string }) => one.id), [id]);
      assert.equal(summary.open[0].evidence, evidence);
      assert.equal(await Deno.readTextFile(evidence), text);
    }
    const command = ["monitor", "acknowledge", "--config", "monitor.json", id];
    assert.equal((await client.run(command)).code, 0);
    assert.deepEqual(await polled(client), [0, []]);
  });
});

Deno.test("a kept succession that does not lead from the configured network stops the monitor", async () => {
  const honest = threeEpochs("ed25519", ID);
  const rival = rivalEpochs("ed25519", ID);
  const shown: Shown = { links: honest.links, log: honest.log };
  await monitored(shown, async (client) => {
    await once(client.folder);
    const state = join(client.folder, "monitor", "state.json");
    const kept = await Deno.readTextFile(state);
    const refuses = async (code: string) => {
      const before = await Deno.readTextFile(state);
      await assert.rejects(once(client.folder), { code });
      assert.equal(await Deno.readTextFile(state), before);
    };
    const first = await Deno.readTextFile(join(client.folder, "first.json"));
    await client.write("first.json", { ...JSON.parse(first), succession: [rival.link] });
    await refuses("invalid_configuration");

    // The configuration of the present epoch may take the place of the first one.
    const present = publicNetwork(honest.epochs[2].configuration);
    await client.write("first.json", { ...present, succession: honest.links });
    assert.deepEqual(await polled(client), [0, []]);

    await client.write("first.json", JSON.parse(first));
    const damaged = JSON.parse(kept);
    damaged.logs[0].succession[0].end.signatures[0].signature = "00".repeat(64);
    await Deno.writeTextFile(state, JSON.stringify(damaged));
    await refuses("invalid_configuration");
    damaged.logs[0].succession[0].end.signatures[0].signature = "00";
    await Deno.writeTextFile(state, JSON.stringify(damaged));
    await refuses("store_corrupt");
  });
});
