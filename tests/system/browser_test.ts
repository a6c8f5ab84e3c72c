/**
 * The kernels, the `bls` scheme and the offline verifier in Chromium, on a page with the policy that
 * a strict site gives it, for every way in which the modules may be served or not.
 *
 * @module
 */

import assert from "node:assert/strict";
import process from "node:process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bytes } from "../../src/base/bytes.ts";
import { portableSuite } from "../schemes.ts";
import { SCHEMES } from "../schemes.ts";
import { batchedBundle, makeLog, TestNetwork } from "../proof/verify/fixture.ts";
import { committedBuild } from "../wasm/committed_builds.ts";
import { reportOf } from "./browser.ts";
import type { Report } from "./browser_page.ts";
import { type Exhibit, resultsOf } from "./browser_results.ts";
import { runTool } from "./tools.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** What wasm/README.md says that a page needs. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'";

const PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>';

/** The page's script with all that it imports but the modules, which it gets from the site. */
async function bundledPage(): Promise<Bytes> {
  const folder = await Deno.makeTempDir();
  try {
    const output = join(folder, "page.js");
    const { code, stderr } = await runTool(Deno.execPath(), [
      "bundle",
      "--quiet",
      "--config",
      "tests/deno.json",
      "--platform",
      "browser",
      "--external",
      "*.wasm",
      "--output",
      output,
      "tests/system/browser_page.ts",
    ], { cwd: ROOT });
    assert.equal(code, 0, stderr);
    return await Deno.readFile(output);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A bundle of each scheme, and the same with signatures over something else. */
function makeExhibits(): Record<string, Exhibit> {
  return Object.fromEntries(SCHEMES.flatMap((scheme) => {
    const network = new TestNetwork(`net.example/browser-${scheme}`, { scheme });
    const bundle = batchedBundle(makeLog(network));
    const signed_attestation = { ...bundle.signed_attestation, ...network.sign("another\n") };
    const exhibit = (shown: typeof bundle): Exhibit => ({
      network: JSON.stringify(network.configuration),
      bundle: JSON.stringify(shown),
      hash: bundle.signed_attestation.attestation.hash,
    });
    return [
      [`${scheme} bundle`, exhibit(bundle)],
      [`forged ${scheme} bundle`, exhibit({ ...bundle, signed_attestation })],
    ];
  }));
}

const page = await bundledPage();
const exhibits = makeExhibits();
const expected = await resultsOf(portableSuite, exhibits);

/** What every machine runs that multiplies and adds with one rounding. */
const BEST = ["hashing.simd.wasm", "bls.fma.wasm"];
const SCALAR = ["hashing.scalar.wasm", "bls.scalar.wasm"];
const PORTABLE = ["portable", "portable"];
const ALL = ["hashing.simd.wasm", "hashing.scalar.wasm", "bls.fma.wasm", "bls.scalar.wasm"];

interface Site {
  /** The response for a module, instead of the file as it should be served. */
  readonly module?: (file: string) => Response | undefined;
  readonly policy?: string;
  readonly path?: string;
}

function wasm(bytes: Bytes): Response {
  return new Response(bytes, { headers: { "content-type": "application/wasm" } });
}

/** What the page reports, and which modules it asked for, in that order. */
async function visit(site: Site): Promise<{ readonly report: Report; readonly asked: string[] }> {
  const asked: string[] = [];
  const documents: Readonly<Record<string, readonly [type: string, body: BodyInit]>> = {
    "/": ["text/html", PAGE],
    "/page.js": ["text/javascript", page],
    "/exhibits.json": ["application/json", JSON.stringify(exhibits)],
  };
  const report = await reportOf(site.path ?? "/", (path) => {
    if (path.endsWith(".wasm")) {
      const file = path.slice(1);
      asked.push(file);
      return site.module?.(file) ?? wasm(committedBuild(file.slice(0, -".wasm".length)));
    }
    const [type, body] = documents[path] ?? [];
    if (type === undefined) return new Response(null, { status: 404 });
    return new Response(body, {
      headers: { "content-type": type, "content-security-policy": site.policy ?? POLICY },
    });
  }) as Report;
  assert.equal(report.error, undefined);
  assert.equal(report.origins.length, 1, "all of the page is from its own site");
  return { report, asked };
}

Deno.test("a page with the modules of its site verifies as the portable path does", async () => {
  const levels = Object.entries(exhibits).map(([name]) => JSON.parse(expected[name]!).level);
  assert.deepEqual(levels, ["batched", "invalid", "batched", "invalid"]);
  const { report, asked } = await visit({ path: "/?timed" });
  assert.deepEqual([report.builds, asked], [BEST, BEST]);
  assert.deepEqual(report.results, expected);
  assert.deepEqual(report.violations, []);
  for (const [name, [portable, loaded]] of Object.entries(report.timings!)) {
    process.stdout.write(`${name}: ${loaded.toFixed(3)} ms, portable ${portable.toFixed(3)} ms\n`);
  }
});

Deno.test("a page takes the scalar builds where the others are missing", async () => {
  const { report, asked } = await visit({
    module: (file) => SCALAR.includes(file) ? undefined : new Response("none", { status: 404 }),
  });
  assert.deepEqual([report.builds, asked], [SCALAR, ALL]);
  assert.deepEqual(report.results, expected);
  assert.deepEqual(report.violations, []);
});

Deno.test("a page takes the scalar build for one that computes something else", async () => {
  // f64x2.relaxed_madd becomes f64x2.relaxed_nmadd: as valid, and as wrong as one that rounds twice.
  const damaged = committedBuild("bls.fma");
  for (let i = 0; i + 2 < damaged.length; i++) {
    if (damaged[i] === 0xfd && damaged[i + 1] === 0x87 && damaged[i + 2] === 0x02) {
      damaged[i + 1] = 0x88;
    }
  }
  assert.notDeepEqual(damaged, committedBuild("bls.fma"));
  assert.ok(WebAssembly.validate(damaged));
  const { report, asked } = await visit({
    module: (file) => file === "bls.fma.wasm" ? wasm(damaged) : undefined,
  });
  assert.deepEqual(report.builds, ["hashing.simd.wasm", "bls.scalar.wasm"]);
  assert.deepEqual(asked, ["hashing.simd.wasm", "bls.fma.wasm", "bls.scalar.wasm"]);
  assert.deepEqual(report.results, expected);
});

Deno.test("a page without modules, or with files of another type, goes on without them", async () => {
  const refused: readonly NonNullable<Site["module"]>[] = [
    () => new Response("none", { status: 404 }),
    (file) =>
      new Response(committedBuild(file.slice(0, -".wasm".length)), {
        headers: { "content-type": "application/octet-stream" },
      }),
  ];
  for (const module of refused) {
    const { report, asked } = await visit({ module });
    assert.deepEqual([report.builds, asked], [PORTABLE, ALL]);
    assert.deepEqual(report.results, expected);
    assert.deepEqual(report.violations, []);
  }
});

Deno.test("a page whose policy forbids WebAssembly goes on without it", async () => {
  const policy = POLICY.replace(" 'wasm-unsafe-eval'", "");
  const { report } = await visit({ policy });
  assert.deepEqual(report.builds, PORTABLE);
  assert.deepEqual(report.results, expected);
  assert.ok(report.violations.length > 0);
  for (const violation of report.violations) assert.equal(violation, "script-src wasm-eval");
});

Deno.test("a served module with a wrong constant shows in what its page computes", async () => {
  const damaged = committedBuild("hashing.simd");
  // K(0) of FIPS 180-4 section 4.2.2, little-endian as it lies in memory.
  const at = damaged.toHex().indexOf("982f8a42") / 2;
  assert.ok(Number.isInteger(at));
  damaged[at]! ^= 1;
  const { report } = await visit({
    module: (file) => file === "hashing.simd.wasm" ? wasm(damaged) : undefined,
  });
  assert.deepEqual(report.builds, BEST);
  assert.notEqual(report.results["short messages"], expected["short messages"]);
  assert.equal(JSON.parse(report.results["bls bundle"]!).level, "invalid");
});
