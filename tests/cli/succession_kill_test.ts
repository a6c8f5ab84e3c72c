/**
 * `keygen` and `succession propose | sign | finish` killed while they write: the file is whole or absent,
 * and the next run does the work.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type FileHandle, open } from "node:fs/promises";
import { parseSuccession } from "../../src/proof/format/succession.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";

const ID = "kill.example/log";
const PROPOSE = ["--from", "now.json", "--size", "5", "--freeze", "--out", "p.json"];
const STEPS = [
  ["propose", ...PROPOSE],
  ["sign", "p.json", "--key", "a.key", "--network-config", "now.json", "--yes"],
  ["sign", "p.json", "--key", "log.key", "--network-config", "now.json", "--yes"],
  ["finish", "p.json", "--network-config", "now.json", "--out", "done.json"],
];

/** Where a process is killed: at which call on a file, and how much of a text is written by then. */
const KILLS = [["writeFile", 0], ["writeFile", 100], ["sync", Infinity]] as const;

async function prepare(client: Client): Promise<void> {
  const made = async (kind: string, id: string, name: string) =>
    (await client.runJson(["keygen", id, "--kind", kind, "--out", `${name}.key`])).json;
  const { pubkey } = await made("witness", `${ID}/a`, "a");
  const { vkey } = await made("log", ID, "log");
  await client.write("now.json", {
    id: ID,
    signature_scheme: "ed25519",
    threshold: 1,
    log_vkey: vkey,
    witnesses: [{ id: `${ID}/a`, pubkey }],
  });
}

/** Runs a step that never comes past one call on a file. */
async function runKilled(
  client: Client,
  step: readonly string[],
  [call, written]: typeof KILLS[number],
): Promise<void> {
  const handle = await open(`${client.folder}/now.json`);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const { writeFile, sync } = prototype;
  const reached = Promise.withResolvers<void>();
  const die = async (file: FileHandle) => {
    await file.close();
    reached.resolve();
    return await new Promise<never>(() => {});
  };
  if (call === "sync") {
    prototype.sync = function () {
      return die(this);
    };
  } else {
    prototype.writeFile = async function (content) {
      await writeFile.call(this, String(content).slice(0, written));
      await die(this);
    };
  }
  try {
    void client.runJson(step);
    await reached.promise;
  } finally {
    Object.assign(prototype, { writeFile, sync });
  }
}

Deno.test("keygen that is killed while it writes leaves no key, and the next run makes one", async () => {
  await withClient(async (client) => {
    await client.write("now.json", {});
    const step = ["keygen", `${ID}/a`, "--out", "a.key"];
    for (const kill of KILLS) {
      await runKilled(client, step, kill);
      await assert.rejects(client.read("a.key"), { name: "NotFound" });
    }
    assert.equal((await client.runJson(step)).code, 0);
    const key = await client.read("a.key");
    assertFailed(await client.runJson(step), "file_failed");
    assert.equal(await client.read("a.key"), key);
  });
});

Deno.test("a step of a ceremony that is killed while it writes is done by the next run", async () => {
  await withClient(async (client) => {
    await prepare(client);
    for (const step of STEPS) {
      const file = step[0] === "finish" ? "done.json" : "p.json";
      const textOf = () => client.read(file).catch(() => undefined);
      const before = await textOf();
      for (const kill of KILLS) {
        await runKilled(client, ["succession", ...step], kill);
        assert.equal(await textOf(), before, `${step[0]} killed at ${kill[0]}`);
      }
      const done = await client.runJson(["succession", ...step]);
      assert.equal(done.code, 0, done.stdout);
      const text = (await textOf())!;
      assert.notEqual(text, before);
      parseSuccession(text);
      // Killed after its last write, before its answer.
      const again = await client.runJson(["succession", ...step]);
      if (step[0] === "sign") assert.equal(again.code, 0, again.stdout);
      else {
        assertFailed(again, "file_failed");
        assert.match(again.json.error.message, /it already exists/);
      }
      assert.equal(await textOf(), text);
    }
  });
});
