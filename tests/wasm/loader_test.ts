import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { HashingExports } from "../../src/proof/crypto/wasm_hashing.ts";
import { HASHING_BUILDS, loadWasmKernels } from "../../src/proof/crypto/wasm_kernels.ts";
import { loadServedKernels } from "../../src/proof/crypto/served_wasm.ts";
import {
  type Build,
  loadModule,
  supportsRelaxedSimd,
  supportsSimd,
  supportsWasm,
} from "../../src/proof/crypto/wasm_loader.ts";
import { pattern, sha256 } from "../proof/crypto/kernels_implementations.ts";
import { moduleBytes } from "./hashing_modules.ts";
import { served } from "./served_builds.ts";

function build(name: string, change: Partial<Build<string>> = {}): Build<string> {
  return { name, isSupported: () => true, load: () => Promise.resolve(name), ...change };
}

Deno.test("loadModule() takes the first build that is supported, loads and passes", async () => {
  const unsupported = build("a", {
    isSupported: () => false,
    load: () => Promise.reject(new Error("loaded though it is not supported")),
  });
  const broken = build("b", { load: () => Promise.reject(new WebAssembly.CompileError("b")) });
  const wrong = build("c", { passes: (exports) => exports !== "c" });
  const good = build("d", { passes: (exports) => exports === "d" });
  const { name, exports } = (await loadModule([unsupported, broken, wrong, good, build("e")]))!;
  assert.deepEqual([name, exports], ["d", "d"]);
  assert.equal(await loadModule([unsupported, broken, wrong]), undefined);
});

Deno.test("loadModule() skips a build whose self-test throws", async () => {
  const trapping = build("a", {
    passes: () => {
      throw new WebAssembly.RuntimeError("unreachable");
    },
  });
  assert.equal((await loadModule([trapping, build("b")]))?.name, "b");
});

/** The features of this Deno's V8 with `flags`. */
async function featuresWith(flags: readonly string[]): Promise<string> {
  const loader = new URL("../../src/proof/crypto/wasm_loader.ts", import.meta.url);
  const kernels = new URL("../../src/proof/crypto/wasm_kernels.ts", import.meta.url);
  const script = `
    import { loadModule, supportsRelaxedSimd, supportsSimd, supportsWasm } from "${loader}";
    import { HASHING_BUILDS } from "${kernels}";
    const loaded = await loadModule(HASHING_BUILDS);
    console.log(supportsWasm(), supportsSimd(), supportsRelaxedSimd(), loaded?.name);`;
  const url = `data:application/typescript,${encodeURIComponent(script)}`;
  const config = fileURLToPath(new URL("../../deno.json", import.meta.url));
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--config", config, ...flags, url],
  }).output();
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("an engine without SIMD loads the same files and chooses the scalar build", async () => {
  assert.deepEqual([supportsWasm(), supportsSimd(), supportsRelaxedSimd()], [true, true, true]);
  assert.equal(await featuresWith([]), "true true true hashing.simd");
  if (Deno.build.arch !== "x86_64") return;
  const old = ["sse4-1", "ssse3", "sse3", "avx", "avx2"].map((name) => `--no-enable-${name}`);
  const scalar = await featuresWith([`--v8-flags=${old.join(",")}`]);
  assert.equal(scalar, "true false false hashing.scalar");
});

Deno.test("loadServedKernels() compiles the served file", async () => {
  await served(() => undefined, async (open, asked) => {
    const kernels = await loadServedKernels(open);
    assert.deepEqual(kernels!.sha256(pattern(1000)), sha256(pattern(1000)));
    assert.deepEqual(asked, ["hashing.simd.wasm"]);
  });
});

Deno.test("loadServedKernels() uses the next file if one is missing or broken", async () => {
  const faults = [
    () => new Response("none", { status: 404 }),
    () => new Response("no module", { headers: { "content-type": "application/wasm" } }),
    () => new Response(moduleBytes("hashing.simd"), { headers: { "content-type": "text/html" } }),
  ];
  for (const fault of faults) {
    await served(
      (file) => file === "hashing.simd.wasm" ? fault() : undefined,
      async (open, asked) => {
        const kernels = await loadServedKernels(open);
        assert.deepEqual(kernels!.sha256(pattern(1000)), sha256(pattern(1000)));
        assert.deepEqual(asked, ["hashing.simd.wasm", "hashing.scalar.wasm"]);
      },
    );
    await served(fault, async (open) => {
      assert.equal(await loadServedKernels(open), undefined, "the caller has a portable path");
    });
  }
});

Deno.test("loadWasmKernels() returns undefined if no build runs", async () => {
  const none = HASHING_BUILDS.map((build): Build<HashingExports> => ({
    ...build,
    isSupported: () => false,
  }));
  assert.equal(await loadWasmKernels(none), undefined);
});
