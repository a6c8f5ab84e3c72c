/**
 * A gateway that runs, and whose permissions are those of the configuration that it was started with:
 * the configuration is a pipe, which says something else to whoever reads it for the second time.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { inFolder } from "../server/captured_io.ts";
import { until } from "../gateway/fixture.ts";
import { Server } from "../scenarios/program.ts";
import { bls } from "../schemes.ts";
import { runTool } from "./tools.ts";

/** The names of the threads of a process. */
async function threadsOf(pid: number): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(`/proc/${pid}/task`)) {
    names.push(await Deno.readTextFile(`/proc/${pid}/task/${name}/comm`).catch(() => ""));
  }
  return names;
}

/** Serves a network in `root` whose log key is `first` for the first reader and then `second`. */
async function serve(root: string, first: string, second: string): Promise<Server> {
  const out = join(root, "net");
  const plan = { witnesses: 3, threshold: 2, kind: "embedded", basePort: 0 } as const;
  await createNetwork({ ...plan, scheme: "ed25519", id: "net.example", out }, bls);
  const file = join(out, "network.json");
  const network = JSON.parse(await Deno.readTextFile(file));
  await Deno.copyFile(join(out, network.log_key_file), join(root, "beside.key"));
  await Deno.remove(file);
  assert.equal((await runTool("mkfifo", [file], { cwd: root })).code, 0);
  const text = (key: string) =>
    JSON.stringify({ ...network, log_key_file: key === "own" ? network.log_key_file : key });
  const server = Server.launch(["serve", "--config", file, "--port", "0"], { cwd: root });
  // Each resolves when a reader has come.
  await Deno.writeTextFile(file, text(first));
  await until(async () => (await threadsOf(server.pid)).some((name) => name.startsWith("worker")));
  await Deno.writeTextFile(file, text(second));
  return server;
}

Deno.test("a configuration that changes gives a gateway that runs no other permissions", () =>
  inFolder(async (root) => {
    await using server = await serve(root, "own", "../beside.key");
    assert.equal(await server.ended(), 1);
    assert.match(server.stderr, /Cannot read ".*beside\.key": permission denied/);
  }));

// Shows that the test above can fail: the same key serves where it was named from the start.
Deno.test("a key that the configuration names is read, wherever it is", () =>
  inFolder(async (root) => {
    await using server = await serve(root, "../beside.key", "../beside.key");
    await until(() => /^Countersign gateway of .*\n/m.test(server.stdout));
    assert.equal(await server.stop(), 0);
  }));
