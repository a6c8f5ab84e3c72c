import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inFolder } from "./captured_io.ts";

const IO = fileURLToPath(new URL("../../src/server/io.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../deno.json", import.meta.url));

/** A process that runs `code` with `systemIo` in scope and the given permissions alone. */
async function processOf(folder: string, permissions: readonly string[], code: string) {
  const file = join(folder, "program.ts");
  await Deno.writeTextFile(file, `import { systemIo } from ${JSON.stringify(IO)};\n${code}`);
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--config", CONFIG, ...permissions, file],
    cwd: folder,
    env: { NO_COLOR: "1", COUNTERSIGN_CWD: "/elsewhere", COUNTERSIGN_HOME: "" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

const PRINT = `systemIo.out(JSON.stringify([
  systemIo.env("COUNTERSIGN_CWD") ?? null,
  systemIo.env("COUNTERSIGN_HOME") ?? null,
  systemIo.resolvePath("a/../b"),
  systemIo.resolvePath("/c/./d"),
  systemIo.isTerminal,
  systemIo.ask("?") ?? null,
]));`;

async function printed(folder: string, permissions: readonly string[]): Promise<unknown[]> {
  const { code, stdout, stderr } = await (await processOf(folder, permissions, PRINT)).output();
  const decoder = new TextDecoder();
  assert.equal(code, 0, decoder.decode(stderr));
  return JSON.parse(decoder.decode(stdout));
}

Deno.test("resolvePath() starts at the user's folder, which the task passes", async () => {
  await inFolder(async (folder) => {
    const allowed = await printed(folder, ["--allow-env=COUNTERSIGN_CWD,COUNTERSIGN_HOME"]);
    assert.deepEqual(allowed, ["/elsewhere", null, "/elsewhere/b", "/c/d", false, null]);
  });
});

Deno.test("env() returns undefined for a variable without permission", async () => {
  await inFolder(async (folder) => {
    const denied = await printed(folder, ["--allow-read"]);
    const here = join(await Deno.realPath(folder), "b");
    assert.deepEqual(denied, [null, null, here, "/c/d", false, null]);
  });
});

Deno.test("out() ignores a closed pipe", async () => {
  await inFolder(async (folder) => {
    // More than a pipe holds.
    const code = `for (let i = 0; i < 20_000; i++) systemIo.out("x".repeat(100));`;
    const child = (await processOf(folder, [], code)).spawn();
    await child.stdout.cancel();
    const [status, stderr] = await Promise.all([child.status, new Response(child.stderr).text()]);
    assert.equal(status.code, 0, stderr);
    assert.equal(stderr, "");
  });
});
