/** The command `api-key`. */

import assert from "node:assert/strict";
import { Client } from "./client_run.ts";
import { inFolder } from "../server/captured_io.ts";

const FILE = ["--file", "api-keys.json"];

Deno.test("keys that are created and revoked at the same time are all kept, and all removed", () =>
  inFolder(async (folder) => {
    const client = new Client(folder);
    const names = Array.from({ length: 6 }, (_, i) => `key-${i}`);
    const each = async (command: string) => {
      const runs = names.map((name) => client.runJson(["api-key", command, name, ...FILE]));
      for (const { code, stderr } of await Promise.all(runs)) assert.equal(code, 0, stderr);
      const { json } = await client.runJson(["api-key", "list", ...FILE]);
      return json.keys.map(({ name }: { readonly name: string }) => name).sort();
    };
    assert.deepEqual(await each("new"), names);
    assert.deepEqual(await each("revoke"), []);
    const left = [...Deno.readDirSync(folder)].map(({ name }) => name);
    assert.deepEqual(left, ["api-keys.json"]);
  }));

Deno.test("a key that would expire after the end of time is refused", () =>
  inFolder(async (folder) => {
    const client = new Client(folder);
    const { code } = await client.run([
      "api-key",
      "new",
      "a",
      ...FILE,
      "--days",
      "9007199254740991",
    ]);
    assert.equal(code, 2);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  }));
