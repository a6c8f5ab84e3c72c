import { Buffer } from "node:buffer";
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DENO_ARGUMENTS } from "../../src/cli/deno_process.ts";
import { inFolder } from "./captured_io.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PROGRAM = ["deno.json", "deno.lock", "main.ts", "src", "wasm/build", "docs/vectors/c2sp"];

async function compile(folder: string, base: string) {
  for (const path of PROGRAM) await cp(join(ROOT, path), join(folder, path), { recursive: true });
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "compile"],
    cwd: folder,
    env: { DENORT_BIN: base, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { success, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

// Any executable file stands in for the runtime archive: the compiler appends the program to it.
Deno.test("deno task compile appends the program, its files and permissions to the base", async () => {
  await inFolder(async (folder) => {
    const base = join(folder, "base");
    await Deno.copyFile("/bin/true", base);
    const { success, text } = await compile(folder, base);
    assert.equal(success, true, text);
    const executable = join(folder, "dist/countersign");
    assert.notEqual((await Deno.stat(executable)).mode! & 0o100, 0);
    const bytes = Buffer.from(await Deno.readFile(executable));
    assert.deepEqual(bytes.subarray(0, 4), Buffer.from("\x7fELF", "latin1"));
    for (
      const content of [
        "The worker that a role runs in",
        await Deno.readTextFile(join(ROOT, "src/explorer/build/manifest.json")),
        await Deno.readTextFile(join(ROOT, "docs/vectors/c2sp/vkeys.json")),
        '"--min-semi-space-size=16"',
        '"allow_sys":["statfs"]',
        `"allow_env":${JSON.stringify(environment())},"deny_env":null,"ignore_env":[]`,
      ]
    ) {
      assert.ok(bytes.includes(content), content.slice(0, 200));
    }
    assert.ok(
      bytes.includes(Buffer.from(await Deno.readFile(join(ROOT, "wasm/build/bls.fma.wasm")))),
    );
  });
});

Deno.test("deno task compile without a base says what to do", async () => {
  await inFolder(async (folder) => {
    const { success, text } = await compile(folder, join(folder, "none"));
    assert.equal(success, false);
    assert.match(text, /denort.*name the file in DENORT_BIN.*deno task launcher/s);
  });
});

function environment(): string[] {
  const flag = "--allow-env=";
  return DENO_ARGUMENTS.find((each) => each.startsWith(flag))!.slice(flag.length).split(",");
}
