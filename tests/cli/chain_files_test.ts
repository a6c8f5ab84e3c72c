import assert from "node:assert/strict";
import type { ProofBundle } from "../../src/proof/format/bundle.ts";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import type { SuccessionLink } from "../../src/proof/format/succession.ts";
import { TestLog } from "../proof/verify/test_log.ts";
import { digestOf, TestNetwork } from "../proof/verify/test_network.ts";
import { threeEpochs, twoSuccessions } from "../proof/verify/test_succession.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";

const PEER = threeEpochs("ed25519", "peer.example");
const HOME = new TestNetwork("home.example", {
  federation: {
    enabled: true,
    peer_networks: [{ id: "peer.example" }],
    cross_anchor_threshold: 1,
  },
});

/** A bundle of `HOME` whose batch head has `timestamp`, cosigned by `peer`. */
function anchored(peer: TestNetwork, timestamp: number): ProofBundle {
  const log = new TestLog(HOME);
  log.addRound([digestOf("one"), digestOf("two")], { timestamp: 1_766_270_000 });
  const cross = log.crossAnchor(peer, { from: 2, size: 2, timestamp: timestamp + 5 });
  return { ...log.bundle(0, log.batchInclusion(0, log.sth(2, timestamp))), cross_anchors: [cross] };
}

async function level(client: Client, bundle: ProofBundle, ...args: string[]): Promise<string> {
  await client.write("bundle.json", bundle);
  const run = await client.runJson(["verify-proof", "--bundle", "bundle.json", ...args]);
  return run.json.level ?? run.json.error?.code;
}

Deno.test("the retired keys of a peer lift nothing once its succession is known", async () => {
  const { epochs: [zero, , two], links } = PEER;
  const [first] = links;
  const late = anchored(zero, first.end.timestamp + 1);
  const early = anchored(zero, first.end.timestamp);
  const present = anchored(two, 1_766_300_000);
  await withClient(async (client) => {
    await client.write("home.json", publicNetwork(HOME.configuration));
    await client.write("peer.json", publicNetwork(zero.configuration));
    await client.write("chain.json", links);
    const files = ["--network-config", "home.json", "--peer-config", "peer.json"];
    const chained = [...files, "--chain", "chain.json"];
    assert.equal(await level(client, late, ...files), "federated", "nothing is known yet");
    assert.equal(await level(client, late, ...chained), "batched");
    assert.equal(await level(client, early, ...chained), "federated");
    assert.equal(await level(client, present, ...files), "batched");
    assert.equal(await level(client, present, ...chained), "federated");

    // A pin of a peer keeps its chain.
    for (const pin of ["home.json", "peer.json"]) {
      assert.equal((await client.runJson(["network", "--pin", pin])).code, 0);
    }
    assert.equal(await level(client, late), "federated", "nothing is known yet");
    assert.equal(await level(client, early, "--chain", "chain.json"), "federated");
    assert.equal(await level(client, late), "batched");
    assert.equal(await level(client, present), "federated");
  });
});

Deno.test("--chain refuses a file that does not lead on, or is of no network in use", async () => {
  const { epochs: [zero], links } = PEER;
  const bundle = anchored(zero, 1_766_270_000);
  await withClient(async (client) => {
    await client.write("home.json", publicNetwork(HOME.configuration));
    await client.write("peer.json", publicNetwork(zero.configuration));
    await client.write("chain.json", links);
    await client.write("damaged.json", [{ ...links[0], nonce: digestOf("x") }]);
    await client.write("bundle.json", bundle);
    const run = (...args: string[]) =>
      client.runJson([
        "verify-proof",
        "--bundle",
        "bundle.json",
        "--network-config",
        "home.json",
        ...args,
      ]);
    assertFailed(await run("--chain", "chain.json"), "usage", 2);
    const peer = ["--peer-config", "peer.json", "--chain", "chain.json"];
    assertFailed(await run(...peer, "--chain", "damaged.json"), "usage", 2);
    assertFailed(
      await run("--peer-config", "peer.json", "--chain", "damaged.json"),
      "invalid_configuration",
    );
    assert.equal((await run(...peer)).json.valid, true);
  });
});

Deno.test("a chain file that contradicts a kept chain is refused, with evidence", async () => {
  const { epochs: [zero], links, log } = threeEpochs();
  const { second: rival } = twoSuccessions();
  await withClient(async (client) => {
    await client.write("pin.json", publicNetwork(zero.configuration));
    await client.write("chain.json", links);
    await client.write("rival.json", [rival]);
    await client.write("bundle.json", log.bundle(3));
    const pin = ["network", "--pin", "pin.json", "--chain", "chain.json"];
    assert.equal((await client.runJson(pin)).code, 0);
    for (const distrust of [[], ["--distrust", `${zero.id}/a`]]) {
      const args = ["--bundle", "bundle.json", "--chain", "rival.json", ...distrust];
      assertFailed(await client.runJson(["verify-proof", ...args]), "proof_refused");
    }
    // So is a bundle, also where a witness is not trusted.
    await client.write("bundle.json", { ...log.bundle(3), succession: [rival] });
    for (const distrust of [[], ["--distrust", `${zero.id}/a`]]) {
      const args = ["--bundle", "bundle.json", ...distrust];
      assertFailed(await client.runJson(["verify-proof", ...args]), "proof_refused");
    }
  });
});

Deno.test("a report says which epoch the keys are of", async () => {
  const { epochs: [zero], links, log } = threeEpochs();
  await withClient(async (client) => {
    await client.write("pin.json", publicNetwork(zero.configuration));
    await client.write("chain.json", links);
    await client.write("bundle.json", log.bundle(3));
    const run = ["verify-proof", "--bundle", "bundle.json", "--network-config", "pin.json"];
    const alone = await client.run(run);
    assert.match(alone.stdout, /^configuration: from pin\.json; epoch 0, not followed further$/m);
    const followed = await client.run([...run, "--chain", "chain.json"]);
    assert.match(
      followed.stdout,
      /^configuration: from pin\.json; epoch 2, followed from the pin of epoch 0$/m,
    );
    const { configuration } = (await client.runJson(run)).json;
    assert.deepEqual([configuration.epoch, configuration.last_epoch], [0, 0]);
  });
});

Deno.test("proofs of one run are checked with the chain that any of them has shown", async () => {
  const { epochs: [zero], links, log } = threeEpochs();
  const forged = new TestLog(zero);
  for (let i = 0; i < 24; i++) forged.addRound([digestOf(`${i}`)], { timestamp: 1_766_290_000 });
  await withClient(async (client) => {
    await client.write("pin.json", publicNetwork(zero.configuration));
    for (const name of ["first", "last"]) {
      await client.write(`${name}`, "20");
      await client.write(`${name}.countersign.json`, forged.bundle(20));
    }
    await client.write("genuine", "leaf 18");
    await client.write("genuine.countersign.json", { ...log.bundle(20), succession: links });
    const run = ["verify", "first", "genuine", "last", "--network-config", "pin.json"];
    const { json, stdout } = await client.runJson(run);
    const found = json.results.map(({ status }: { status: string }) => status);
    assert.deepEqual(found, ["invalid", "valid", "invalid"], stdout);
  });
});

Deno.test("a shorter chain does not replace the longer one that is kept", async () => {
  const { epochs: [zero], links } = threeEpochs();
  await withClient(async (client) => {
    await client.write("pin.json", publicNetwork(zero.configuration));
    await client.write("chain.json", links);
    const pin = ["network", "--pin", "pin.json", "--chain", "chain.json"];
    assert.equal((await client.runJson(pin)).code, 0);
    const { links: _, epochs: __, ...unfollowed } = (await client.trust.pin(zero.id))!;
    const shorter: readonly SuccessionLink[] = links.slice(0, 1);
    await client.trust.saveChain({ ...unfollowed, links: shorter });
    assert.equal((await client.trust.pin(zero.id))!.links!.length, 2);
  });
});
