import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  fingerprintOf,
  publicNetwork,
  publicNetworkJson,
} from "../../src/format/public_network.ts";
import { parseNetwork } from "../../src/format/network.ts";
import { makeLog, TestNetwork } from "../verify/fixture.ts";
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
    assert.equal((await client.run(["network", "--pin"])).code, 0);
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

Deno.test("the fingerprint is the SHA-256 of the public file, with or without redundant keys", () => {
  const whole = publicNetwork(network.configuration);
  const text = publicNetworkJson(whole);
  assert.equal(fingerprintOf(whole), createHash("sha256").update(text).digest("hex"));
  assert.equal(fingerprintOf(network.configuration), fingerprintOf(whole));
  assert.notEqual(fingerprintOf(twin.configuration), fingerprintOf(whole));
  assert.notEqual(fingerprintOf({ ...whole, threshold: 3 }), fingerprintOf(whole));
});

Deno.test("network --pin writes a private file, and may be repeated", async () => {
  await withGateway(async (client) => {
    const { code, json } = await client.runJson(["network", "--pin"]);
    assert.equal(code, 0);
    assert.equal(json.id, network.id);
    assert.equal(json.fingerprint, fingerprintOf(network.configuration));
    assert.equal((await Deno.stat(json.file)).mode! % 0o1000, 0o600);
    assert.equal(await Deno.readTextFile(json.file), publicNetworkJson(network.configuration));
    assert.equal((await client.run(["network", "--pin"])).code, 0);
    assert.equal((await client.trust.pins()).length, 1);
  });
});

Deno.test("only --force replaces a different pin", async () => {
  await withGateway(async (client) => {
    await client.trust.savePin(twin.configuration);
    const refused = await client.runJson(["network", "--pin"]);
    assertFailed(refused, "pin_differs");
    assert.equal(refused.code, 1);
    assert.deepEqual(await client.trust.pin(network.id), publicNetwork(twin.configuration));
    assert.match((await client.run(["network"])).stdout, /^WARNING/m);
    assert.equal((await client.run(["network", "--pin", "--force"])).code, 0);
    assert.deepEqual(await client.trust.pin(network.id), publicNetwork(network.configuration));
  });
});

Deno.test("network --pin forgets a remembered head only if the new pin does not verify it", async () => {
  await withGateway(async (client) => {
    await client.trust.saveHead(twin.signHead(log.head(4, 1)));
    const { stderr } = await client.run(["network", "--pin"]);
    assert.match(stderr, /Forgot the tree head of size 4/);
    assert.equal(await client.trust.head(network.id), undefined);
    await client.trust.saveHead(log.sth(8, 1));
    assert.equal((await client.run(["network", "--pin"])).code, 0);
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
      assertFailed(await client.runJson(["network", "--pin"]), code);
      assert.deepEqual(await client.trust.pins(), []);
    }
  });
});

Deno.test("a damaged pin is an error, not a missing one", async () => {
  await withGateway(async (client) => {
    const { json } = await client.runJson(["network", "--pin"]);
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
