import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type Bytes, utf8 } from "../../src/base/bytes.ts";
import type { Bls } from "../../src/proof/crypto/bls.ts";
import { BLS_SIGNATURE_DST } from "../../src/proof/crypto/domains.ts";
import type { BlsExports } from "../../src/proof/crypto/wasm_bls_exports.ts";
import { BLS_BUILDS, loadWasmBls } from "../../src/proof/crypto/wasm_kernels.ts";
import { loadServedBls } from "../../src/proof/crypto/served_wasm.ts";
import { type Build, loadModule } from "../../src/proof/crypto/wasm_loader.ts";
import { encodeG1, hashedToG1 } from "../proof/crypto/bls_oracle.ts";
import { committedBuild } from "./committed_builds.ts";
import { FUSES_MULTIPLY_ADD } from "./fused_multiply_add.ts";
import { served } from "./served_builds.ts";
import { unfusedModule } from "./unfused_module.ts";

const [FMA, SCALAR] = BLS_BUILDS;
assert.ok(FMA !== undefined && SCALAR !== undefined && BLS_BUILDS.length === 2);

/** Options of tests that need a fused multiply-add. */
const FUSED = { ignore: !FUSES_MULTIPLY_ADD };

const EXPECTED = encodeG1(hashedToG1(utf8("loaded"), BLS_SIGNATURE_DST));

function assertRuns(bls: Bls | undefined): void {
  assert.deepEqual(bls?.hashToG1(utf8("loaded"), BLS_SIGNATURE_DST), EXPECTED);
}

/** `build` with other bytes. */
function buildOf(build: Build<BlsExports>, module: Bytes): Build<BlsExports> {
  return {
    ...build,
    async load() {
      const { instance } = await WebAssembly.instantiate(module);
      return instance.exports as unknown as BlsExports;
    },
  };
}

Deno.test(
  "loadWasmBls() takes the build for fused multiply-adds where it runs",
  FUSED,
  async () => {
    assert.equal((await loadModule(BLS_BUILDS))?.name, "bls.fma");
    assertRuns(await loadWasmBls());
  },
);

Deno.test(
  "a multiply-add that rounds twice is noticed, and the scalar build taken",
  FUSED,
  async () => {
    const module = committedBuild("bls.fma");
    const unfused = unfusedModule(module);
    assert.ok(WebAssembly.validate(unfused) && unfused.toHex() !== module.toHex());
    const builds = [buildOf(FMA, unfused), SCALAR];
    assert.equal((await loadModule(builds))?.name, "bls.scalar");
    assertRuns(await loadWasmBls(builds));
    // Of the same bytes, as they are, the build is taken.
    assert.equal((await loadModule([buildOf(FMA, module), SCALAR]))?.name, "bls.fma");
  },
);

Deno.test("loadWasmBls() without relaxed SIMD requests only the scalar build", async () => {
  const asked: string[] = [];
  const counted = (build: Build<BlsExports>, isSupported: boolean): Build<BlsExports> => ({
    ...build,
    isSupported: () => isSupported,
    load() {
      asked.push(build.name);
      return build.load();
    },
  });
  assertRuns(await loadWasmBls([counted(FMA, false), counted(SCALAR, true)]));
  assert.deepEqual(asked, ["bls.scalar"]);
  assert.equal(await loadWasmBls([counted(FMA, false), counted(SCALAR, false)]), undefined);
  assert.deepEqual(asked, ["bls.scalar"]);
});

Deno.test("loadWasmBls() returns undefined if no build loads and passes its test", async () => {
  const unfused = unfusedModule(committedBuild("bls.fma"));
  const noModule = buildOf(SCALAR, utf8("no module"));
  assert.equal(await loadWasmBls([buildOf(FMA, unfused), noModule]), undefined);
  assert.equal(await loadWasmBls([buildOf(FMA, unfused), buildOf(SCALAR, unfused)]), undefined);
});

/** The build that Deno chooses with these V8 flags. */
async function buildWith(...flags: readonly string[]): Promise<string> {
  const [kernels, loader] = ["wasm_kernels", "wasm_loader"].map((name) =>
    new URL(`../../src/proof/crypto/${name}.ts`, import.meta.url)
  );
  const script = `
    import { BLS_BUILDS } from "${kernels}";
    import { loadModule } from "${loader}";
    console.log((await loadModule(BLS_BUILDS))?.name);`;
  const config = fileURLToPath(new URL("../../deno.json", import.meta.url));
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--config",
      config,
      `--v8-flags=${flags.join(",")}`,
      `data:application/typescript,${encodeURIComponent(script)}`,
    ],
  }).output();
  return new TextDecoder().decode(stdout).trim();
}

Deno.test({
  name:
    "an engine without SIMD, or whose machine has no fused multiply-add, takes the scalar build",
  // Other processors have both always.
  ignore: Deno.build.arch !== "x86_64",
  async fn() {
    const without = (...names: string[]) =>
      buildWith(...names.map((name) => `--no-enable-${name}`));
    assert.equal(await without("sse4-1", "ssse3", "sse3", "avx", "avx2"), "bls.scalar");
    assert.equal(await without("fma3"), "bls.scalar");
  },
});

Deno.test("loadServedBls() compiles the served file", FUSED, async () => {
  await served(() => undefined, async (open, asked) => {
    assertRuns(await loadServedBls(open));
    assert.deepEqual(asked, ["bls.fma.wasm"]);
  });
});

Deno.test("loadServedBls() uses the next file if one is missing, mistyped or wrong", async () => {
  const typed = (module: Bytes, type: string) =>
    new Response(module, { headers: { "content-type": type } });
  const unfused = unfusedModule(committedBuild("bls.fma"));
  const faults = [
    () => new Response("none", { status: 404 }),
    () => typed(utf8("no module"), "application/wasm"),
    () => typed(committedBuild("bls.fma"), "text/html"),
    () => typed(unfused, "application/wasm"),
  ];
  for (const fault of faults) {
    await served((file) => file === "bls.fma.wasm" ? fault() : undefined, async (open, asked) => {
      assertRuns(await loadServedBls(open));
      assert.deepEqual(asked, ["bls.fma.wasm", "bls.scalar.wasm"]);
    });
    await served(fault, async (open) => {
      assert.equal(await loadServedBls(open), undefined, "the caller has a portable path");
    });
  }
});
