/** A client remembers of which network a gateway is: a gateway's own word does not choose a pin. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { gatewayFileName } from "../../src/cli/gateway_record.ts";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import { makeLog, TestNetwork } from "../proof/verify/fixture.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { StubGateway } from "./stub_gateway.ts";

const home = new TestNetwork("home.example/log");
const evil = new TestNetwork("evil.example/log");
const log = makeLog(home);
const evilLog = makeLog(evil);

/** A client of a gateway of `home`, which a test turns into one of `evil`. */
async function withGateway(
  use: (client: Client, gateway: StubGateway) => Promise<void>,
): Promise<void> {
  await using gateway = new StubGateway(log, [12]);
  await withClient(async (client) => {
    client.gateway = gateway.url;
    await client.write("home.json", log.attestations[3]);
    await client.write("evil.json", evilLog.attestations[3]);
    await use(client, gateway);
  });
}

function turnEvil(gateway: StubGateway): void {
  gateway.lies.set("/v1/network", () => Response.json(evil.configuration));
}

const online = (file: string) => ["verify", file, "--online"];

Deno.test("--online refuses another network than the gateway was pinned for", async () => {
  await withGateway(async (client, gateway) => {
    assert.equal((await client.run(["network", "--pin", "--yes"])).code, 0);
    assert.equal((await client.runJson(online("home.json"))).json.valid, true);
    turnEvil(gateway);
    // Valid under the keys that the gateway now states.
    const refused = await client.run(online("evil.json"));
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /home\.example\/log and now states evil\.example\/log/);
    assert.ok(refused.stderr.endsWith(`countersign network --unpin ${home.id}`), refused.stderr);
    assertFailed(await client.runJson(online("home.json")), "pin_differs");
  });
});

Deno.test("a pin without a gateway is remembered for the first that states its configuration", async () => {
  await withGateway(async (client, gateway) => {
    await client.trust.savePin(home.configuration);
    assert.equal(await client.trust.networkOf(`${gateway.url}/`), undefined);
    assert.equal((await client.runJson(online("home.json"))).json.configuration.source, "pin");
    assert.equal(await client.trust.networkOf(`${gateway.url}/`), home.id);
    turnEvil(gateway);
    assertFailed(await client.runJson(online("evil.json")), "pin_differs");
  });
});

Deno.test("--online refuses another network for a proof of a pinned network", async () => {
  await withGateway(async (client, gateway) => {
    await client.trust.savePin(home.configuration);
    turnEvil(gateway);
    assertFailed(await client.runJson(online("home.json")), "pin_differs");
    await client.trust.savePin(evil.configuration);
    assertFailed(await client.runJson(online("home.json")), "pin_differs");
    assert.equal(await client.trust.networkOf(`${gateway.url}/`), undefined);
  });
});

Deno.test("a gateway's network changes only when the user forces it", async () => {
  await withGateway(async (client, gateway) => {
    assert.equal((await client.run(["network", "--pin", "--yes"])).code, 0);
    turnEvil(gateway);
    assert.match((await client.run(["network"])).stdout, /^WARNING: .*home\.example\/log/m);
    assertFailed(await client.runJson(["network", "--pin", "--yes"]), "pin_differs");
    assert.equal(await client.trust.pin(evil.id), undefined);
    assert.equal((await client.run(["network", "--pin", "--force", "--yes"])).code, 0);
    assert.deepEqual(await client.trust.pin(home.id), publicNetwork(home.configuration));
    assert.equal((await client.runJson(online("evil.json"))).json.valid, true);
  });
});

Deno.test("stamp refuses an attestation of another network than the gateway's", async () => {
  await withGateway(async (client, gateway) => {
    assert.equal((await client.run(["network", "--pin", "--yes"])).code, 0);
    const { hash } = log.attestations[3]!.attestation;
    const job = { ...gateway.job(hash), signed_attestation: evilLog.attestations[3] };
    assert.equal(evilLog.attestations[3]!.attestation.hash, hash);
    gateway.lies.set("/v1/attestations", () => Response.json(job));
    const { code, json } = await client.runJson(["stamp", "--hash", hash]);
    assert.equal(code, 1);
    assert.equal(json.results[0].error.code, "pin_differs");
  });
});

Deno.test("a damaged record of a gateway is an error, not a missing one", async () => {
  await withGateway(async (client, gateway) => {
    assert.equal((await client.run(["network", "--pin", "--yes"])).code, 0);
    const url = `${gateway.url}/`;
    const path = join(client.folder, "home", "gateways", `${gatewayFileName(url)}.json`);
    const record = await Deno.readTextFile(path);
    assert.deepEqual(JSON.parse(record), { version: 1, gateway: url, network_id: home.id });
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
    const cases = [
      ["{}", "malformed_configuration"],
      [record.replace('"version":1', '"version":2'), "format_unsupported"],
      [record.replace(url, "https://other.example/"), "malformed_configuration"],
      [record.replace(home.id, "../../x"), "malformed_configuration"],
    ] as const;
    for (const [text, code] of cases) {
      await Deno.writeTextFile(path, text);
      const finished = await client.runJson(online("home.json"));
      assertFailed(finished, code);
      const { message } = finished.json.error;
      assert.ok(message.startsWith(`Cannot use "${path}": `), message);
      assert.equal(
        message.includes("delete the file; countersign network --pin"),
        code === "malformed_configuration",
      );
    }
  });
});
