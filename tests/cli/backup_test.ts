/** `backup` of a gateway that runs, and `restore --check` of what it wrote. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fromHex } from "../../src/base/bytes.ts";
import { restoreVerdict } from "../../src/cli/backup/restore_check.ts";
import { eventually } from "../scenarios/deployment.ts";
import { contentsOf } from "../folder_contents.ts";
import { run, Server } from "../scenarios/program.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";

const READY = /^Countersign gateway of (\S+) on (http:\/\/127\.0\.0\.1:[0-9]+)$/m;
const CONFIG = join("data", "network", "network.json");

async function start(client: Client, data = "data", args: readonly string[] = []) {
  const serve = ["serve", "--data", data, "--port", "0", "--fronts", "0", ...args];
  const { server, match } = await Server.start(serve, READY, { cwd: client.folder });
  return { server, url: match[2]! };
}

let next = 0;

/** Attests `count` new hashes, and waits until they are confirmed. */
async function attest(url: string, count: number): Promise<void> {
  const hashes = Array.from({ length: count }, () => (++next).toString(16).padStart(64, "0"));
  const response = await fetch(`${url}/v1/attestations/batch`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Prefer": "wait=60" },
    body: JSON.stringify({ hashes }),
  });
  assert.equal(response.status, 200, await response.text());
}

/** Waits until a tree head is published, or one of `size`. */
async function published(url: string, size?: number): Promise<void> {
  await eventually("a head", async () => {
    const head = await fetch(`${url}/v1/log/sth${size === undefined ? "" : `/${size}`}`);
    await head.body?.cancel();
    return head.ok || undefined;
  });
}

const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) await copyFolder(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}

/** The command of "before a start", without the program's name. */
const restoreCommand = (stdout: string) => /: countersign (restore .*)$/m.exec(stdout)![1]!;

/** A backup that has no room, or is killed, leaves nothing that looks complete. */
async function leavesNothing(client: Client): Promise<void> {
  const where = { cwd: client.folder };
  const args = ["backup", "--data", "data", "--to", "saved"];
  const left = () => names(client.folder).filter((name) => name.startsWith("saved"));
  const limit = 'trap "" XFSZ; ulimit -f 8; exec "$@"';
  const full = await run(args, { ...where, wrapper: ["bash", "-c", limit, "bash"] });
  assert.equal(full.code, 1, full.stdout);
  assert.match(full.stderr, /Cannot back up to ".*saved": (disk full|I\/O error)/);
  assert.deepEqual(left(), []);

  const killed = Server.launch(args, where);
  while (left().length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await killed.kill();
  // The kill may come after the end.
  if (left().includes("saved")) {
    assert.ok(names(join(client.folder, "saved")).includes("SHA256SUMS"));
    await Deno.remove(join(client.folder, "saved"), { recursive: true });
  } else {
    assert.match(left()[0]!, /^saved\.unfinished-/);
  }
  // What is left is in the way of no other backup.
  const saved = await client.run(args);
  assert.equal(saved.code, 0);
  assert.equal(restoreCommand(saved.stdout), `restore --check saved --config ${CONFIG}`);
}

Deno.test("the drill: a backup under load, its check before and after more is signed, and its start", () =>
  withClient(async (client) => {
    const { server, url } = await start(client);
    const at = (name: string) => join(client.folder, name);
    {
      await using gateway = server;
      await attest(url, 50);
      await published(url);
      const load = { goes: true };
      const attested = (async () => {
        while (load.goes) await attest(url, 20);
      })();
      const saved = await client.runJson(["backup", "--data", "data", "--to", "early"]);
      load.goes = false;
      await attested;
      assert.equal(saved.code, 0, saved.stdout + saved.stderr);
      assert.ok(saved.json.tree_size >= 0 && saved.json.accepted >= 50);
      await attest(url, 30);
      await leavesNothing(client);
      // Its witnesses have signed nothing that the store does not have.
      await published(url, next);
      // A second backup never changes the first one.
      assertFailed(
        await client.runJson(["backup", "--data", "data", "--to", "early"]),
        "file_failed",
      );
      // The head of the copy is one that the gateway published.
      const [origin, size, root] = (await client.read(join("early", "checkpoint"))).split("\n");
      const sth = await (await fetch(`${url}/v1/log/sth/${size}`)).json();
      assert.equal(origin, sth.network_id ?? sth.tree_head.network_id);
      const signed = sth.root_hash ?? sth.tree_head.root_hash;
      assert.equal(Uint8Array.fromBase64(root!).toHex(), signed);
      await gateway.kill();
    }
    assert.deepEqual(names(at("early")), [
      "SHA256SUMS",
      "checkpoint",
      "data",
      "network.public.json",
    ]);
    const { code } = await new Deno.Command("sha256sum", {
      args: ["--check", "--quiet", "--strict", "SHA256SUMS"],
      cwd: at("early"),
    }).output();
    assert.equal(code, 0);

    const before = await contentsOf(client.folder);
    const check = (name: string) =>
      client.runJson(["restore", "--check", name, "--config", CONFIG]);
    const never = await check("early");
    assert.deepEqual([never.code, never.json.may], [4, "never"], never.stdout);
    // A failure is no verdict.
    assert.equal((await check("erly")).code, 1);
    assert.equal((await client.run(["restore", "--check", "early", "--config", "none"])).code, 1);
    assert.match(never.json.statement, /^must never be started: \S+ has signed/);
    const given = ["--network-config", join("early", "network.public.json")];
    const audited = await client.run(["fsck", "--data", join("early", "data"), ...given]);
    assert.equal(audited.code, 0, audited.stdout + audited.stderr);
    assert.deepEqual(await contentsOf(client.folder), before);

    // Killed, so the newest commits are in the write-ahead file.
    const late = await client.run(["backup", "--config", CONFIG, "--data", "data", "--to", "late"]);
    assert.equal(late.code, 0, late.stdout + late.stderr);
    const pasted = restoreCommand(late.stdout);
    assert.equal(pasted, `restore --check late --config ${CONFIG}`);
    const may = await client.runJson(pasted.split(" "));
    assert.deepEqual([may.code, may.json.may], [0, "start"], may.stdout);

    // The store is lost; the keys, the configuration and the witnesses' states are not.
    for (const file of ["store.kv", "store.kv-wal", "store.kv-shm", "anchors.kv"]) {
      await Deno.remove(join(at("data"), file)).catch(() => {});
    }
    await Deno.copyFile(join(at("late"), "data", "store.kv"), join(at("data"), "store.kv"));
    const restored = await start(client, "data", ["--moved"]);
    await using gateway = restored.server;
    await attest(restored.url, 10);
    assert.equal(await gateway.stop(), 0);
    assert.equal((await client.run(["fsck", "--data", "data"])).code, 0);

    const damaged = at("damaged");
    await copyFolder(at("late"), damaged);
    const store = join(damaged, "data", "store.kv");
    const bytes = await Deno.readFile(store);
    bytes[bytes.length - 1]! ^= 1;
    await Deno.writeFile(store, bytes);
    assertFailed(await check("damaged"), "file_failed");
    await Deno.remove(join(damaged, "SHA256SUMS"));
    assertFailed(await check("damaged"), "file_failed");
  }));

Deno.test("restoreVerdict() needs an answer of one witness of each threshold", async () => {
  const root = fromHex("11".repeat(32))!;
  const other = fromHex("22".repeat(32))!;
  const rootAt = (size: number) => Promise.resolve(size === 7 || size === 5 ? root : undefined);
  const backup = { faults: 0, accepted: 9, size: 7, isEnded: false, rootAt };
  const same = { size: 7, root, signedEnd: 9 };
  const verdict = async (...reaches: readonly (typeof same | undefined)[]) => {
    const asked = reaches.map((reach, i) => ({ id: `w${i + 1}`, ...(reach && { reach }) }));
    return (await restoreVerdict(backup, asked, 2)).may;
  };
  assert.equal(await verdict(same, same, same), "start");
  assert.equal(await verdict(same, { size: 5, root, signedEnd: 5 }, undefined), "start");
  assert.equal(await verdict(same, undefined, undefined), "unknown");
  for (
    const more of [
      { size: 8, root, signedEnd: 8 },
      { size: 7, root, signedEnd: 10 },
      { size: 7, root: other, signedEnd: 7 },
      { size: 6, root, signedEnd: 6 },
    ]
  ) {
    assert.equal(await verdict(more, more, same), "never");
    assert.equal(await verdict(more, more, undefined), "never");
    // One of three may lie.
    assert.equal(await verdict(more, same, same), "unknown");
    assert.equal(await verdict(more, undefined, same), "unknown");
  }
  const damaged = await restoreVerdict({ ...backup, faults: 2 }, [], 2);
  assert.equal(damaged.may, "never");
});
