import assert from "node:assert/strict";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import type { SuccessionLink } from "../../src/proof/format/succession.ts";
import { fingerprintOf } from "../../src/proof/format/trust_core.ts";
import { eachScheme } from "../schemes.ts";
import { TestNetwork } from "../proof/verify/test_network.ts";
import {
  closeLink,
  type EpochLog,
  propose,
  signSuccession,
  threeEpochs,
} from "../proof/verify/test_succession.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { StubGateway } from "./stub_gateway.ts";

/** A gateway of the last epoch. */
function gatewayOf({ log, epochs, links }: EpochLog): StubGateway {
  const gateway = new StubGateway(log, [16, 24]);
  gateway.lies.set("/v1/network", () => Response.json(publicNetwork(epochs[2].configuration)));
  gateway.lies.set("/v1/succession", () => Response.json(links));
  const sth = (signer: TestNetwork, size: number) =>
    Response.json(signer.signHead(log.head(size, 1_766_279_000)));
  gateway.lies.set("/v1/log/sth", () => sth(epochs[2], 24));
  gateway.lies.set("/v1/log/sth/16", () => sth(epochs[1], 16));
  return gateway;
}

async function pinned(client: Client, network: TestNetwork): Promise<void> {
  await client.write("pin.json", publicNetwork(network.configuration));
  assert.equal((await client.runJson(["network", "--pin", "pin.json"])).code, 0);
}

eachScheme.test("a pin of any epoch is followed, kept and refreshed", async (scheme) => {
  const epochLog = threeEpochs(scheme, `follow.example/${scheme}`);
  const { epochs, links, log } = epochLog;
  await using gateway = gatewayOf(epochLog);
  for (const network of epochs) {
    await withClient(async (client) => {
      await pinned(client, network);
      client.gateway = gateway.url;
      const pinLine = async () => (await client.run(["network"])).stdout.trim().split("\n").at(-1)!;
      const isLast = network === epochs[2];
      assert.match(
        await pinLine(),
        isLast ? /^This is the pinned/ : /^Pinned at epoch [01], .* countersign network --pin$/,
      );
      const latest = await client.runJson(["log", "sth", "--verify"]);
      assert.equal(latest.json.valid, true, latest.stdout);
      const earlier = await client.runJson(["log", "sth", "16", "--verify"]);
      assert.equal(earlier.json.valid, true, earlier.stdout);
      const again = await client.runJson(["network", "--pin", "--yes"]);
      assert.equal(again.json.fingerprint, fingerprintOf(network.configuration), again.stdout);
      const pin = await client.trust.pin(network.id);
      assert.equal(pin!.epochs!.length, 3);
      assert.equal(fingerprintOf(pin!), fingerprintOf(network.configuration));

      const sth = epochs[2].signHead(log.head(24, 1_766_279_000));
      const bundle = log.bundle(20, log.batchInclusion(20, sth));
      await client.write("bundle.json", bundle);
      const verified = await client.runJson(["verify-proof", "--bundle", "bundle.json"]);
      assert.equal(verified.json.level, "batched", verified.stdout);
      assert.equal(verified.json.layers.batch.signatures.epoch, 2);
      assert.equal(verified.json.configuration.last_epoch, 2);
      assert.match(verified.json.statement, /; 3 of 5 witnesses of \S+ \(epoch 2, /);
      assert.match(await pinLine(), isLast ? /^This is/ : /^Pinned at epoch [01], .* follows\.$/);
    });
  }
  await withClient(async (client) => {
    await pinned(client, epochs[0]);
    const sth = epochs[2].signHead(log.head(24, 1_766_279_000));
    const bundle = { ...log.bundle(20, log.batchInclusion(20, sth)), succession: links };
    await client.write("bundle.json", bundle);
    const verified = await client.run(["verify-proof", "--bundle", "bundle.json"]);
    assert.match(verified.stdout, /^VALID[^]*\nattestation: verified, .*, epoch 2\n/);
    assert.equal((await client.trust.pin(epochs[0].id))!.epochs!.length, 3);
  });
});

eachScheme.test("a forced pin keeps the remembered head of an earlier epoch of its chain", async (scheme) => {
  const epochLog = threeEpochs(scheme);
  const { epochs: [zero, one], log, links } = epochLog;
  await using gateway = gatewayOf(epochLog);
  await withClient(async (client) => {
    await pinned(client, zero);
    client.gateway = gateway.url;
    const head = zero.signHead(log.head(7, 1_766_275_950));
    const force = ["network", "--pin", "--force", "--yes"];
    await client.write("chain.json", links);
    await client.write("one.json", publicNetwork(one.configuration));
    for (const given of [[], ["--chain", "chain.json"], ["one.json", "--chain", "chain.json"]]) {
      await client.trust.saveHead(head);
      const run = await client.run([...force, ...given]);
      assert.equal(run.code, 0, run.stderr);
      assert.doesNotMatch(run.stderr, /Forgot/);
      assert.deepEqual(await client.trust.head(zero.id), head);
    }
    // Without the chain, nothing shows that it is of the same log.
    const run = await client.run([...force, "one.json"]);
    assert.match(run.stderr, /Forgot the tree head of size 7: other keys signed it/);
    assert.equal(await client.trust.head(zero.id), undefined);
  });
});

Deno.test("a gateway whose succession does not lead from the pin is refused, without --force", async () => {
  const epochLog = threeEpochs();
  const { epochs, links } = epochLog;
  await using gateway = gatewayOf(epochLog);
  await withClient(async (client) => {
    await pinned(client, epochs[0]);
    client.gateway = gateway.url;
    for (const chain of [[], [links[1]], [{ ...links[0], timestamp: 1 }, links[1]]]) {
      gateway.lies.set("/v1/succession", () => Response.json(chain));
      const run = await client.run(["network", "--pin", "--yes"]);
      assert.equal(run.code, 1);
      assert.match(run.stderr, /no succession leads from that one to it/);
      assert.doesNotMatch(run.stderr, /--force/);
    }
    const { json } = await client.runJson(["log", "sth", "--verify"]);
    assert.equal(json.valid, false);
    gateway.lies.set("/v1/succession", () => Response.json(links));
    assert.equal((await client.runJson(["log", "sth", "--verify"])).json.valid, true);
  });
});

eachScheme.test("a proof of an epoch that no chain leads to names the succession as a way", async (scheme) => {
  const { epochs, log, links } = threeEpochs(scheme);
  await withClient(async (client) => {
    await client.write("early.json", log.bundle(3, null));
    await client.write("late.json", log.bundle(20, null));
    for (const [i, proof] of [[0, "late"], [2, "early"]] as const) {
      await client.write("config.json", publicNetwork(epochs[i].configuration));
      const file = ["--bundle", `${proof}.json`];
      const run = (...args: string[]) => client.run(["verify-proof", ...file, ...args]);
      const refused = await run("--network-config", "config.json");
      assert.equal(refused.code, 1);
      assert.match(refused.stdout, /^INVALID\n.* follow its succession: countersign network --pin/);
      await client.write("chain.json", links);
      const chained = await run("--network-config", "config.json", "--chain", "chain.json");
      assert.match(chained.stdout, /^VALID/);
      await client.write("other.json", [links[1], links[0]]);
      const other = await run("--network-config", "config.json", "--chain", "other.json");
      assert.match(other.stderr, /"other\.json": it does not lead from the configuration of/);
      assert.equal(
        (await client.run(["network", "--pin", "config.json", "--chain", "chain.json"])).code,
        0,
      );
      assert.match((await run()).stdout, /^VALID/);
      await client.run(["network", "--unpin", epochs[0].id]);
    }
  });
});

Deno.test("a chain file serves a pin that is made offline", async () => {
  const { epochs, links } = threeEpochs();
  await withClient(async (client) => {
    await client.write("pin.json", publicNetwork(epochs[1].configuration));
    await client.write("chain.json", links);
    await client.write("first.json", links.slice(0, 1));
    const pin = (chain: string) =>
      client.runJson(["network", "--pin", "pin.json", "--chain", chain]);
    assert.equal((await pin("chain.json")).code, 0);
    assert.equal((await client.trust.pin(epochs[1].id))!.epochs!.length, 3);
    await client.runJson(["network", "--unpin", epochs[1].id]);
    await client.write("chain.json", [links[1], links[0]]);
    assertFailed(await pin("chain.json"), "invalid_configuration");
    assert.equal((await pin("first.json")).code, 0);
  });
});

Deno.test("a configuration that changes only policy breaks no pin", async () => {
  const { epochs: [zero], log } = threeEpochs();
  await withClient(async (client) => {
    await pinned(client, zero);
    const federation = {
      enabled: true,
      peer_networks: [{ id: "peer.example" }],
      cross_anchor_threshold: 1,
    };
    const changed = { ...zero.configuration, merge_delay_seconds: 77, federation };
    await client.write("pin.json", publicNetwork(changed));
    const again = await client.runJson(["network", "--pin", "pin.json"]);
    assert.equal(again.code, 0, again.stdout);
    assert.equal(again.json.fingerprint, fingerprintOf(zero.configuration));
    const pin = await client.trust.pin(zero.id);
    assert.deepEqual([pin!.merge_delay_seconds, pin!.federation.enabled], [77, true]);
    await client.write("bundle.json", log.bundle(3));
    assert.equal((await client.runJson(["verify-proof", "--bundle", "bundle.json"])).code, 0);
  });
});

Deno.test("no message of the program asks for --force", async () => {
  const found: string[] = [];
  const walk = async (folder: URL): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (isDirectory) {
        if (name !== "build") await walk(new URL(`${name}/`, folder));
        continue;
      }
      if (!/\.tsx?$/.test(name)) continue;
      const lines = (await Deno.readTextFile(new URL(name, folder))).split("\n");
      found.push(...lines.filter((line) => line.includes("--force")).map((line) => line.trim()));
    }
  };
  await walk(new URL("../../src/", import.meta.url));
  // The option itself.
  assert.deepEqual(found, ['force: flag("--force", "Replace a different pin."),']);
});

Deno.test("a gateway with another succession than the followed one is refused, with evidence", async () => {
  const honest = threeEpochs();
  const { epochs: [zero, one], links } = honest;
  const rival = new TestNetwork(zero.id, { epoch: 1, witnessIds: ["x", "y", "z"] });
  const { log } = threeEpochs();
  const terms = propose(zero, rival, { treeSize: 7, nonce: "rival" });
  const forked = closeLink(log, signSuccession(terms, zero, rival), zero);
  await using gateway = gatewayOf(honest);
  await withClient(async (client) => {
    await pinned(client, zero);
    client.gateway = gateway.url;
    assert.equal((await client.runJson(["log", "sth", "--verify"])).json.valid, true);
    const contradictions = ["log", "contradictions"];
    gateway.lies.set("/v1/federation/contradictions", () => Response.json([]));
    assert.equal((await client.runJson(contradictions)).json.proved, 0);

    // Signed by nobody: no evidence, and no link.
    const forged = { ...forked, end: { ...forked.end, signatures: [] } };
    const lie = (link: SuccessionLink) => {
      gateway.lies.set("/v1/succession", () => Response.json([link]));
      gateway.lies.set("/v1/network", () => Response.json(publicNetwork(rival.configuration)));
      gateway.lies.set(
        "/v1/log/sth",
        () => Response.json(rival.signHead(log.head(25, 1_766_279_000))),
      );
    };
    const evidence = () => {
      const names = [...Deno.readDirSync(`${client.folder}/home/heads`)].map(({ name }) => name);
      return names.filter((name) => name.endsWith(".fork.json"));
    };
    lie(forged);
    assert.equal((await client.runJson(contradictions)).json.proved, 0);
    assert.equal((await client.runJson(["log", "sth", "--verify"])).json.valid, false);
    assertFailed(await client.runJson(["network", "--pin", "--yes"]), "pin_differs");
    assert.deepEqual(evidence(), []);

    lie(forked);
    const proved = await client.runJson(contradictions);
    assert.deepEqual([proved.code, proved.json.proved], [1, 1], proved.stdout);
    assert.deepEqual(proved.json.successions[0].signed_both, [`${zero.id}/a`, `${zero.id}/b`]);
    const bundle = { ...log.bundle(3, log.batchInclusion(3, zero.signHead(log.head(8, 1)))) };
    await client.write("rival.json", { ...bundle, succession: [forked] });
    for (
      const args of [
        ["log", "sth", "--verify"],
        ["network", "--pin"],
        ["verify-proof", "--bundle", "rival.json"],
      ]
    ) {
      const refused = await client.runJson(args);
      assertFailed(refused, "proof_refused");
      const [, path] = /evidence is in \\?"([^"\\]+)/.exec(refused.stdout)!;
      const shown = await client.runJson([...contradictions, "--file", path!]);
      assert.deepEqual([shown.code, shown.json.proved], [1, 1], shown.stdout);
    }
    const [first] = links;
    assert.deepEqual((await client.trust.pin(zero.id))!.links![0], first);
    assert.equal(one.configuration.epoch, 1);
  });
});
