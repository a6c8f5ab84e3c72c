import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { publicNetwork, publicNetworkJson } from "../../src/proof/format/public_network.ts";
import { fingerprintOf } from "../../src/proof/format/trust_core.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { makeLog, TestNetwork } from "../proof/verify/fixture.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { StubGateway } from "./stub_gateway.ts";

const network = new TestNetwork("net.example/pinned");
const log = makeLog(network);
const twin = new TestNetwork(network.id, { seeds: ["a", "b", "c"] });

async function withGateway(
  use: (client: Client, gateway: StubGateway) => Promise<void>,
): Promise<void> {
  await using gateway = new StubGateway(log, [12]);
  await withClient(async (client) => {
    client.gateway = gateway.url;
    await use(client, gateway);
  });
}

Deno.test("network shows the configuration, its fingerprint and whether it is pinned", async () => {
  await withGateway(async (client) => {
    const before = await client.run(["network"]);
    assert.equal(before.code, 0);
    assert.ok(before.stdout.includes(fingerprintOf(network.configuration)));
    for (const { id, pubkey } of network.configuration.witnesses) {
      assert.match(before.stdout, new RegExp(`^${id} +${pubkey}$`, "m"));
    }
    assert.match(before.stdout, /^Not pinned/m);
    assert.deepEqual(await client.trust.pins(), []);
    assert.equal((await client.run(["network", "--pin", "--yes"])).code, 0);
    assert.match((await client.run(["network"])).stdout, /pinned configuration/);
  });
});

Deno.test("in JSON, network prints a configuration that --network-config takes", async () => {
  await withGateway(async (client) => {
    const { stdout } = await client.runJson(["network"]);
    assert.deepEqual(parseNetwork(stdout), parseNetwork(publicNetworkJson(network.configuration)));
    await client.write("network.json", stdout);
    await client.write("bundle.json", log.bundle(3));
    const line = ["verify-proof", "--bundle", "bundle.json", "--network-config", "network.json"];
    assert.equal((await client.run(line)).code, 0);
  });
});

Deno.test("the fingerprint is the SHA-256 of what network --trust-core prints", async () => {
  const whole = publicNetwork(network.configuration);
  let text = "";
  await withGateway(async (client) => {
    text = `${(await client.run(["network", "--trust-core"])).stdout.trimEnd()}\n`;
  });
  assert.equal(fingerprintOf(whole), createHash("sha256").update(text).digest("hex"));
  assert.equal(fingerprintOf(network.configuration), fingerprintOf(whole));
  assert.notEqual(fingerprintOf(twin.configuration), fingerprintOf(whole));
  assert.notEqual(fingerprintOf({ ...whole, threshold: 3 }), fingerprintOf(whole));
});

Deno.test("network --pin writes a private file, and may be repeated", async () => {
  await withGateway(async (client) => {
    const { code, json } = await client.runJson(["network", "--pin", "--yes"]);
    assert.equal(code, 0);
    assert.equal(json.id, network.id);
    assert.equal(json.fingerprint, fingerprintOf(network.configuration));
    assert.equal((await Deno.stat(json.file)).mode! % 0o1000, 0o600);
    assert.equal(await Deno.readTextFile(json.file), publicNetworkJson(network.configuration));
    assert.equal(json.first_use, true);
    const again = await client.run(["network", "--pin", "--yes"]);
    assert.equal(again.code, 0);
    assert.match(again.stdout, /^Already pinned in .*; the fingerprint is unchanged$/m);
    assert.doesNotMatch(again.stdout, /trust on first use/);
    assert.equal((await client.trust.pins()).length, 1);
  });
});

Deno.test("only --force replaces a different pin", async () => {
  await withGateway(async (client) => {
    await client.trust.savePin(twin.configuration);
    const refused = await client.runJson(["network", "--pin", "--yes"]);
    assertFailed(refused, "pin_differs");
    assert.equal(refused.code, 1);
    assert.deepEqual(await client.trust.pin(network.id), publicNetwork(twin.configuration));
    assert.match((await client.run(["network"])).stdout, /^WARNING/m);
    assert.equal((await client.run(["network", "--pin", "--force", "--yes"])).code, 0);
    assert.deepEqual(await client.trust.pin(network.id), publicNetwork(network.configuration));
  });
});

Deno.test("network --pin asks on a terminal, and only where the gateway alone says what to trust", async () => {
  await withGateway(async (client) => {
    client.answers = [""];
    const refused = await client.run(["network", "--pin"]);
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /^Not pinned: you did not agree/);
    assert.match(refused.stderr, /because this gateway named them/);
    assert.ok(refused.stderr.includes(fingerprintOf(network.configuration)));
    assert.deepEqual(await client.trust.pins(), []);
    client.answers = ["y"];
    const pinned = await client.run(["network", "--pin"]);
    assert.equal(pinned.code, 0);
    assert.match(pinned.stdout, /trust on first use/);
    // Nothing changes, so there is nothing to ask.
    client.answers = [];
    assert.equal((await client.run(["network", "--pin"])).code, 0);
    // What is asked names the gateway that answered, and what it replaces.
    await client.trust.savePin(twin.configuration);
    client.answers = ["n"];
    const replacing = await client.run([
      "network",
      "--pin",
      "--force",
      "--gateway",
      "http://127.0.0.1:9",
      "--gateway",
      client.gateway,
    ]);
    assert.equal(replacing.code, 1);
    assert.ok(replacing.stderr.includes(`${client.gateway}/ states this configuration`));
    assert.ok(
      replacing.stderr.includes(`replaces the pinned one: ${fingerprintOf(twin.configuration)}`),
    );
    const fingerprint = fingerprintOf(network.configuration);
    await client.write("public.json", publicNetworkJson(network.configuration));
    // Without a terminal as well.
    client.answers = undefined;
    for (const args of [["--yes"], ["--fingerprint", fingerprint], ["public.json"]]) {
      assert.equal((await client.run(["network", "--unpin", network.id])).code, 0);
      const { code, stderr } = await client.run(["network", "--pin", ...args]);
      assert.equal(code, 0, stderr);
      assert.equal(stderr, "");
    }
  });
});

Deno.test("network --pin without a terminal pins nothing, and says both ways to pin", async () => {
  await withGateway(async (client) => {
    const fingerprint = fingerprintOf(network.configuration);
    for (const args of [[], ["--force"]]) {
      const line = ["network", "--pin", "--gateway", client.gateway, ...args];
      const { code, stdout, stderr } = await client.run(line);
      assert.deepEqual([code, stdout], [2, ""]);
      const fitting = `network --pin --fingerprint ${fingerprint} --gateway ${client.gateway}.`;
      assert.ok(stderr.includes(`countersign ${fitting}`), stderr);
      assert.match(stderr, /--yes/);
    }
    assertFailed(await client.runJson(["network", "--pin"]), "usage", 2);
    assert.deepEqual(await client.trust.pins(), []);
    assert.equal(await client.trust.networkOf(new URL(client.gateway).href), undefined);
    // An unchanged pin is no decision.
    await client.trust.savePin(network.configuration);
    assert.equal((await client.run(["network", "--pin"])).code, 0);
  });
});

Deno.test("network --pin pins a file without a gateway", async () => {
  await withClient(async (client) => {
    await client.write("public.json", publicNetworkJson(network.configuration));
    assert.match((await client.run(["network", "public.json"])).stdout, /--pin public\.json/);
    const { code, json } = await client.runJson(["network", "--pin", "public.json"]);
    assert.equal(code, 0);
    assert.equal(json.fingerprint, fingerprintOf(network.configuration));
    assert.equal(await client.trust.networkOf(new URL(client.gateway).href), undefined);
    await client.write("other.json", publicNetworkJson(twin.configuration));
    assertFailed(await client.runJson(["network", "--pin", "other.json"]), "pin_differs");
    assertFailed(await client.runJson(["network", "--pin", "none.json"]), "file_failed");
  });
});

Deno.test("network --fingerprint refuses any other configuration", async () => {
  await withGateway(async (client) => {
    const other = fingerprintOf(twin.configuration);
    for (const pin of [[], ["--pin"], ["--pin", "--force"]]) {
      const refused = await client.runJson(["network", ...pin, "--fingerprint", other]);
      assertFailed(refused, "invalid_configuration");
    }
    assert.deepEqual(await client.trust.pins(), []);
    const fingerprint = fingerprintOf(network.configuration).toUpperCase();
    assert.equal((await client.run(["network", "--fingerprint", fingerprint])).code, 0);
  });
});

Deno.test("network --list shows the pins with their gateways, and --unpin removes them", async () => {
  await withGateway(async (client) => {
    assert.match((await client.run(["network", "--list"])).stdout, /^No network is pinned/);
    await client.trust.savePin(new TestNetwork("net.example/other").configuration);
    assert.equal((await client.run(["network", "--pin", "--yes"])).code, 0);
    await client.trust.saveHead(log.sth(8, 1));
    const { json } = await client.runJson(["network", "--list"]);
    assert.deepEqual(json.map(({ id }: { id: string }) => id), ["net.example/other", network.id]);
    assert.deepEqual(json[1].gateways, [new URL(client.gateway).href]);
    assert.equal(json[1].fingerprint, fingerprintOf(network.configuration));
    assert.equal((await client.run(["network", "--unpin", network.id])).code, 0);
    assert.deepEqual((await client.trust.pins()).map(({ id }) => id), ["net.example/other"]);
    assert.equal(await client.trust.head(network.id), undefined);
    assert.equal(await client.trust.networkOf(new URL(client.gateway).href), undefined);
    const again = await client.runJson(["network", "--unpin", network.id]);
    assertFailed(again, "configuration_missing");
    const both = await client.runJson(["network", "--list", "--unpin", network.id]);
    assertFailed(both, "usage", 2);
  });
});

Deno.test("network --pin forgets a remembered head only if the new pin does not verify it", async () => {
  await withGateway(async (client) => {
    await client.trust.saveHead(twin.signHead(log.head(4, 1)));
    const { stderr } = await client.run(["network", "--pin", "--yes"]);
    assert.match(stderr, /Forgot the tree head of size 4/);
    assert.equal(await client.trust.head(network.id), undefined);
    await client.trust.saveHead(log.sth(8, 1));
    assert.equal((await client.run(["network", "--pin", "--yes"])).code, 0);
    assert.equal((await client.trust.head(network.id))?.tree_head.tree_size, 8);
  });
});

Deno.test("network --pin refuses an invalid configuration", async () => {
  await withGateway(async (client, gateway) => {
    for (
      const [answer, code] of [
        [{ ...network.configuration, threshold: 0 }, "invalid_configuration"],
        [{ ...network.configuration, witnesses: 1 }, "malformed_configuration"],
        [{ ...network.configuration, id: "../../etc/passwd" }, "invalid_configuration"],
      ] as const
    ) {
      gateway.lies.set("/v1/network", () => Response.json(answer));
      assertFailed(await client.runJson(["network", "--pin", "--yes"]), code);
      assert.deepEqual(await client.trust.pins(), []);
    }
  });
});

Deno.test("a damaged pin is an error, not a missing one", async () => {
  await withGateway(async (client) => {
    const { json } = await client.runJson(["network", "--pin", "--yes"]);
    await Deno.writeTextFile(json.file, "{}");
    await client.write("attestation.json", log.attestations[0]);
    assertFailed(await client.runJson(["verify", "attestation.json"]), "malformed_configuration");
  });
});

Deno.test("config shows the short configuration", async () => {
  await withGateway(async (client) => {
    const { code, stdout } = await client.run(["config"]);
    assert.equal(code, 0);
    assert.match(stdout, /^threshold: 2 of 3 witnesses$/m);
    const { json } = await client.runJson(["config"]);
    assert.deepEqual(json, {
      id: network.id,
      threshold: 2,
      signature_scheme: "ed25519",
      witness_count: 3,
    });
  });
});
