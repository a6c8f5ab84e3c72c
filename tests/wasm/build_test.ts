import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../wasm/build/manifest.json" with { type: "json" };
import { HASHING_MODULES, instantiate, moduleBytes } from "./hashing_modules.ts";

const WASM = new URL("../../wasm/", import.meta.url);

/** Runs `wasm/build.ts check` for the hashing modules in a copy of the folder. */
async function check(folder: string): Promise<{ readonly ok: boolean; readonly said: string[] }> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--config",
      join(folder, "deno.json"),
      "--allow-read",
      "--allow-env",
      join(folder, "build.ts"),
      "check",
      ...HASHING_MODULES,
    ],
    env: { NO_COLOR: "1" },
  }).output();
  return { ok: success, said: new TextDecoder().decode(stderr).trim().split("\n") };
}

Deno.test("the manifest lists digest and length of exactly the committed modules", async () => {
  const listed = manifest.modules.map(({ name }) => `${name}.wasm`);
  const files = (await readdir(new URL("build/", WASM))).filter((file) => file.endsWith(".wasm"));
  assert.deepEqual(listed.toSorted(), files.toSorted());
  for (const { name, sha256, bytes } of manifest.modules) {
    const module = moduleBytes(name);
    assert.equal(module.length, bytes);
    assert.equal(createHash("sha256").update(module).digest("hex"), sha256);
  }
});

Deno.test("no module imports anything", () => {
  for (const { name } of manifest.modules) {
    const module = new WebAssembly.Module(moduleBytes(name));
    assert.deepEqual(WebAssembly.Module.imports(module), [], name);
  }
});

Deno.test("the memory of the hashing modules cannot grow", () => {
  for (const name of HASHING_MODULES) {
    const { memory } = instantiate(moduleBytes(name));
    assert.throws(() => memory.grow(1), RangeError);
  }
});

Deno.test("modules compile to the committed bytes in any folder, and the check names a changed one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-wasm-"));
  try {
    await cp(WASM, folder, { recursive: true });
    const scalar = join(folder, "build/hashing.scalar.wasm");
    await writeFile(scalar, new Uint8Array([...moduleBytes("hashing.scalar"), 0]));
    const { ok, said } = await check(folder);
    assert.equal(ok, false);
    // No message about the other module or the manifest, since the sources are unchanged.
    assert.equal(said[0], "hashing.scalar.wasm: other bytes than its sources compile to");
    assert.equal(said.length, 2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
