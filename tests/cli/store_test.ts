/** `store copy` of the store of a real gateway. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { eventually } from "../scenarios/deployment.ts";
import { Server } from "../scenarios/program.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";

const READY = /^Countersign gateway of (\S+) on (http:\/\/127\.0\.0\.1:[0-9]+)$/m;
const COUNT = 300;

function hashes(from: number): string[] {
  return Array.from({ length: COUNT }, (_, i) => (from + i).toString(16).padStart(64, "0"));
}

async function start(client: Client, args: readonly string[] = [], data = "data") {
  const serve = ["serve", "--data", data, "--port", "0", "--fronts", "0", ...args];
  const { server, match } = await Server.start(serve, READY, { cwd: client.folder });
  return { server, url: match[2]! };
}

/** Attests hashes from number `from` on, and waits for the head of size `size`. */
async function attest(url: string, from: number, size: number): Promise<void> {
  const response = await fetch(`${url}/v1/attestations/batch`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Prefer": "wait=20" },
    body: JSON.stringify({ hashes: hashes(from) }),
  });
  await response.body?.cancel();
  await eventually("the head", async () => {
    const head = await fetch(`${url}/v1/log/sth/${size}`);
    await head.body?.cancel();
    return head.status === 200 || undefined;
  });
}

function copyArgs(from: string, to: string): string[] {
  const config = join("data", "network", "network.json");
  return ["store", "copy", "--from", from, "--to", to, "--config", config];
}

Deno.test("store copy moves a log and back, and no gateway starts on a source", () =>
  withClient(async (client) => {
    const { server, url } = await start(client);
    {
      await using gateway = server;
      await attest(url, 0, COUNT);
      assertFailed(await client.runJson(copyArgs("data", "moved")), "data_in_use");
      assert.equal(await gateway.stop(), 0);
    }
    assertFailed(await client.runJson(copyArgs("nowhere", "moved")), "configuration_missing");
    assertFailed(await client.runJson(copyArgs("https://kv.example/", "moved")), "usage", 2);
    assertFailed(await client.runJson(copyArgs("data", "./data")), "usage", 2);

    const moved = await client.runJson(copyArgs("data", "moved"));
    assert.equal(moved.code, 0, moved.stdout + moved.stderr);
    assert.deepEqual([moved.json.moved, moved.json.tree_size], [true, COUNT]);
    const refused = await client.runJson(["serve", "--data", "data", "--port", "0"]);
    assertFailed(refused, "store_copied");
    assert.ok(refused.json.error.message.includes(join(client.folder, "moved")));
    assertFailed(await client.runJson(copyArgs("data", "moved")), "store_copied");
    assertFailed(await client.runJson(copyArgs("data", "elsewhere")), "store_copied");
    // What was moved can still be read.
    assert.equal((await client.runJson(["fsck", "--data", "data"])).code, 0);

    const back = await client.run(copyArgs("moved", "back"));
    assert.equal(back.code, 0, back.stdout + back.stderr);
    assert.match(back.stdout, /^MOVED$/m);
    const config = ["--config", join("data", "network", "network.json")];
    await using last = (await start(client, config, "back")).server;
    assert.equal(await last.stop(), 0);
  }));

Deno.test("a store whose copy is lost starts with --moved", () =>
  withClient(async (client) => {
    const first = await start(client);
    await attest(first.url, 0, COUNT);
    assert.equal(await first.server.stop(), 0);
    assert.equal((await client.run(copyArgs("data", "copy"))).code, 0);
    await Deno.remove(join(client.folder, "copy"), { recursive: true });
    for (const args of [["--moved"], []]) {
      const { server, url } = await start(client, args);
      await using gateway = server;
      await attest(url, args.length === 0 ? 2 * COUNT : COUNT, args.length === 0 ? 900 : 600);
      assert.equal(await gateway.stop(), 0);
    }
  }));
