/**
 * The tasks in a fresh clone with an empty cache, which need npm's registry once: they print nothing of
 * Deno's, and afterwards they need no network.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { Server } from "../scenarios/program.ts";
import { copyProgram } from "./program_copy.ts";
import { runTool } from "./tools.ts";

const READY = /^ {2}Embedded witnesses are for trials.*$/m;
/** The line that `deno task` prints without `--quiet`. */
const MAX_TASK_LINE = 240;

Deno.test("the first start prints the gateway's lines alone, and the next one needs no network", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await copyProgram(folder);
    const env = {
      DENO_DIR: join(folder, ".cache"),
      INIT_CWD: folder,
      NO_COLOR: "1",
      COUNTERSIGN_HOME: join(folder, ".countersign"),
    };
    const started = async (
      task: readonly string[],
      more: Readonly<Record<string, string>> = {},
    ) => {
      const command = new Deno.Command(Deno.execPath(), {
        args: ["task", ...task, "start", "--port", "0"],
        cwd: folder,
        env: { ...env, ...more },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      });
      const { server } = await Server.spawn(command, READY);
      assert.equal(await server.stop("SIGINT"), 0);
      assert.match(server.stdout, /^Countersign gateway of /);
      return server.stderr;
    };
    assert.equal(await started(["--quiet"]), "countersign: Stopping\n");
    const noNetwork = { HTTPS_PROXY: "http://127.0.0.1:1/", HTTP_PROXY: "http://127.0.0.1:1/" };
    const [line, ...rest] = (await started([], noNetwork)).split("\n");
    assert.match(line!, /^Task start /);
    assert.ok(line!.length < MAX_TASK_LINE, line!);
    assert.deepEqual(rest, ["countersign: Stopping", ""]);

    await Deno.remove(env.DENO_DIR, { recursive: true });
    const args = ["task", "--quiet", "countersign", "stamp", "none"];
    const stamp = await runTool(Deno.execPath(), args, { cwd: folder, env });
    assert.equal(stamp.code, 1);
    assert.equal(stamp.stderr, `countersign: Cannot read "none": there is no such file\n`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the sets of permissions of start and offline are no larger than their needs", async () => {
  const manifest = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
  const { tasks, permissions } = manifest;
  assert.match(tasks.start.command, / -P=serve .*--cached-only .*--no-prompt /);
  assert.match(tasks.countersign.command, / -P .*--no-prompt /);
  assert.match(tasks.offline.command, / -P=offline .*--no-prompt /);
  assert.deepEqual(permissions.serve, {
    net: true,
    read: true,
    write: true,
    sys: ["statfs"],
    env: { allow: ["COUNTERSIGN_CWD", "COUNTERSIGN_TOKEN_*", "NO_COLOR", "TERM"], ignore: true },
  });
});
