/** `fsck` of a real gateway, and of its data folder. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { eventually } from "../scenarios/deployment.ts";
import { contentsOf } from "../folder_contents.ts";
import { run, Server } from "../scenarios/program.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";

const READY = /^Countersign gateway of (\S+) on (http:\/\/127\.0\.0\.1:[0-9]+)$/m;
const COUNT = 300;

/** Has a trial gateway attest {@linkcode COUNT} hashes in the folder `data`, and runs `use` with it. */
async function withTrial(client: Client, use: (url: string) => Promise<void>): Promise<void> {
  const args = ["serve", "--data", "data", "--port", "0"];
  const { server, match } = await Server.start(args, READY, { cwd: client.folder });
  await using gateway = server;
  const url = match[2]!;
  const hashes = Array.from({ length: COUNT }, (_, i) => i.toString(16).padStart(64, "0"));
  const response = await fetch(`${url}/v1/attestations/batch`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Prefer": "wait=20" },
    body: JSON.stringify({ hashes }),
  });
  await response.body?.cancel();
  await eventually("the head", async () => {
    const head = await fetch(`${url}/v1/log/sth/${COUNT}`);
    await head.body?.cancel();
    return head.status === 200 || undefined;
  });
  await use(url);
  assert.equal(await gateway.stop(), 0);
}

/** A second start in the same folder names the gateway, and one on its port makes no network. */
async function checkSecondStart(client: Client, url: string): Promise<void> {
  const where = { cwd: client.folder };
  const second = await run(["serve", "--data", "data", "--port", "0"], where);
  assert.equal(second.code, 1);
  assert.ok(second.stderr.includes(`the gateway on ${url} uses it`), second.stderr);
  const { port } = new URL(url);
  for (const fronts of ["0", "1"]) {
    const args = ["serve", "--data", "new", "--port", port, "--fronts", fronts];
    const taken = await run(args, where);
    assert.equal(taken.code, 1);
    assert.match(taken.stderr, /another process uses the port\. .*--port/);
    await assert.rejects(Deno.stat(join(client.folder, "new")), Deno.errors.NotFound);
  }
}

/** A gateway that runs is audited from outside; its folder is its own. */
async function checkRunning(client: Client, url: string): Promise<void> {
  const refused = await client.runJson(["fsck", "--data", "data"]);
  assertFailed(refused, "data_in_use");
  assert.match(refused.json.error.message, /--gateway URL/);
  await checkSecondStart(client, url);

  const publicFile = join("data", "network", "network.public.json");
  assertFailed(await client.runJson(["fsck", "--gateway", url]), "configuration_missing");
  const trusting = ["--network-config", publicFile];
  const found = await client.runJson(["fsck", "--gateway", url, ...trusting]);
  assert.equal(found.code, 0, found.stdout);
  assert.deepEqual(found.json.faults, []);
  assert.deepEqual([found.json.clean, found.json.jobs], [true, COUNT]);
  assert.equal(found.json.configuration.source, "file");
  const online = await client.runJson(["fsck", "--gateway", url, "--online"]);
  assert.equal(online.json.configuration.gateway_trusted, true);

  // The signatures of two witnesses of three are right, and three are required.
  const network = JSON.parse(await client.read(publicFile));
  const { publicKey } = await crypto.subtle.generateKey({ name: "Ed25519" }, true, [
    "sign",
  ]) as CryptoKeyPair;
  const key = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)).toHex();
  const { id } = network.witnesses.at(-1);
  const witnesses = network.witnesses.with(-1, { id, pubkey: key });
  await client.write("other.json", { ...network, witnesses, threshold: 3 });
  const stricter = await client.runJson([
    "fsck",
    "--gateway",
    url,
    "--network-config",
    "other.json",
  ]);
  assert.equal(stricter.code, 1);
  const parts = Object.keys(stricter.json.fault_counts);
  for (const part of ["network", "checkpoint", "sth_signatures", "round_signatures"]) {
    assert.ok(parts.includes(part), part);
  }
}

/** Wrong records of a store are found in the data folder of a gateway, which is left as it was. */
async function checkFolder(client: Client): Promise<void> {
  const before = await contentsOf(join(client.folder, "data"));
  const clean = await client.run(["fsck", "--data", "data"]);
  assert.equal(clean.code, 0, clean.stdout + clean.stderr);
  assert.match(clean.stdout, /^CLEAN$/m);
  assert.match(clean.stdout, /^accepted: 300 digests/m);
  assert.deepEqual(await contentsOf(join(client.folder, "data")), before);

  const networkFile = join("data", "network", "network.public.json");
  for (const given of [["--config", CONFIG], ["--network-config", networkFile]]) {
    const found = await client.runJson(["fsck", "--data", "data", ...given]);
    assert.equal(found.code, 0, found.stdout);
  }
  await client.write("other.json", { ...JSON.parse(await client.read(networkFile)), threshold: 3 });
  const other = ["fsck", "--data", "data", "--network-config", "other.json"];
  assertFailed(await client.runJson(other), "network_changed");

  await damage(client, "sth", "UPDATE kv SET v = zeroblob(99) WHERE k = ?");
  const wrong = await client.run(["fsck", "--data", "data"]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stdout, /^1 FAULT$/m);
  assert.match(wrong.stderr, /^countersign: fault in sth 300: the record is damaged: /m);
  // A value of another encoding is one that the database layer itself refuses.
  await damage(client, "in", "UPDATE kv SET v = x'ff', v_encoding = 1 WHERE k = ?");
  const unreadable = await client.runJson(["fsck", "--data", "data"]);
  assert.equal(unreadable.code, 1);
  assert.deepEqual(Object.keys(unreadable.json.fault_counts), ["row", "sth"]);
}

/** Runs `sql` on the first record whose key begins with the text `name`. */
function damage(client: Client, name: string, sql: string): Promise<void> {
  using database = new DatabaseSync(join(client.folder, "data", "store.kv"));
  const prefix = new Uint8Array([2, ...new TextEncoder().encode(name), 0]);
  const rows = database.prepare("SELECT k FROM kv ORDER BY k").all();
  const found = rows.map(({ k }) => k as Uint8Array)
    .find((key) => prefix.every((byte, i) => key[i] === byte));
  assert.ok(found !== undefined, name);
  database.prepare(sql).run(found);
  return Promise.resolve();
}

const CONFIG = join("data", "network", "network.json");

/** A copy is checked also while the gateway runs, whose witnesses' states are then not compared. */
async function checkCopy(client: Client, unread: readonly string[]): Promise<void> {
  const copied = join("copy", "data");
  const { code, json } = await client.runJson(["fsck", "--data", copied, "--config", CONFIG]);
  assert.equal(code, 0, JSON.stringify(json));
  assert.equal(json.clean, true);
  assert.deepEqual(
    json.not_compared,
    unread.map((id) =>
      `the state of ${id}: a gateway uses it. To compare it as well, stop the gateway`
    ),
  );
  assert.equal(json.witness_heads, 3 - unread.length);
}

async function checkCopyOfRunning(client: Client): Promise<void> {
  const saved = await client.run(["backup", "--data", "data", "--to", "copy"]);
  assert.equal(saved.code, 0, saved.stderr);
  const { witnesses } = JSON.parse(await client.read(CONFIG));
  const ids = witnesses.map(({ id }: { readonly id: string }) => id);
  await checkCopy(client, ids);
  const publicFile = join("copy", "network.public.json");
  const named = ["fsck", "--data", join("copy", "data"), "--config", publicFile];
  const refused = await client.runJson(named);
  assertFailed(refused, "invalid_configuration");
  assert.match(refused.json.error.message, /public configuration of .*--network-config/);
}

Deno.test("a log is checked as a gateway serves it and as it lies in its folder", async () => {
  await withClient(async (client) => {
    await withTrial(client, async (url) => {
      await checkRunning(client, url);
      await checkCopyOfRunning(client);
    });
    await checkCopy(client, []);
    await checkFolder(client);
  });
});

Deno.test("what is no log is refused, and left as it is", async () => {
  await withClient(async (client) => {
    assertFailed(await client.runJson(["fsck"]), "configuration_missing");
    assertFailed(await client.runJson(["fsck", "--data", "nowhere"]), "configuration_missing");
    const init = ["init", "--out", "net", "--base-port", "20000"];
    assert.equal((await client.run(init)).code, 0);
    const given = ["fsck", "--config", "net/network.json"];
    assertFailed(await client.runJson(given), "configuration_missing");
    const data = join(client.folder, "net", "data");
    await Deno.mkdir(data);
    assertFailed(await client.runJson(given), "configuration_missing");
    const contents = [["", "configuration_missing"], ["no database".repeat(999), "store_corrupt"]];
    for (const [text, code] of contents) {
      await Deno.writeTextFile(join(data, "store.kv"), text!);
      assertFailed(await client.runJson(given), code!);
      assert.equal(await Deno.readTextFile(join(data, "store.kv")), text);
    }
    await Deno.remove(join(data, "store.kv"));
    (await Deno.openKv(join(data, "store.kv"))).close();
    assertFailed(await client.runJson(given), "file_failed");
  });
});

Deno.test("a command line that names a store and a gateway is wrong", async () => {
  await withClient(async (client) => {
    const both = ["fsck", "--data", "data", "--gateway", "http://127.0.0.1:1"];
    assertFailed(await client.runJson(both), "usage", 2);
    assertFailed(await client.runJson(["fsck", "--online"]), "usage", 2);
    assertFailed(
      await client.runJson(["fsck", "--gateway", "http://127.0.0.1:1"]),
      "gateway_unreachable",
    );
  });
});
