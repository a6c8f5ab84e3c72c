/**
 * `./verify` over docs/vectors on each version of Node, on Bun, and in a browser of November 2023. A short
 * run tries all of them on the oldest Node, and a part in the others.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { IS_LONG } from "../long_runs.ts";
import { reportOf } from "./browser.ts";
import { removeNewerBuiltIns } from "./newer_builtins.ts";
import { executable, type Runtime, RUNTIMES } from "./runtimes.ts";
import { runTool } from "./tools.ts";
import type { Corpus, VectorsReport } from "./vectors_run.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const VECTORS = new URL("../../docs/vectors/", import.meta.url);

async function readCorpus(): Promise<Corpus> {
  const networks = await Deno.readTextFile(new URL("networks.json", VECTORS));
  const names = [...Deno.readDirSync(VECTORS)].map(({ name }) => name).toSorted();
  const files = names.filter((name) => name.endsWith(".jsonl"))
    .map((name) => Deno.readTextFileSync(new URL(name, VECTORS)));
  return { networks, cases: files.flatMap((text) => text.split("\n").slice(0, -1)) };
}

const NODE_RUN = `import { readFileSync } from "node:fs";
import { runVectors } from "./vectors.js";
const report = await runVectors(JSON.parse(readFileSync(process.argv[2], "utf8")));
console.log(JSON.stringify(report));
`;

const PAGE_RUN = `import { runVectors } from "/vectors.js";
const report = await runVectors(await (await fetch("/corpus.json")).json())
  .catch((error) => ({ error: String(error?.stack ?? error) }));
await fetch("/report", { method: "POST", body: JSON.stringify(report) });
`;

/** The built-ins are removed before any module runs. */
const PAGE = `<!doctype html><meta charset="utf-8"><script src="/remove.js"></script>
<script type="module" src="/run.js"></script>`;

/** The oldest Node has the fewest built-ins: short runs try the others on some cases. */
const OTHERS: readonly Runtime[] = IS_LONG ? [] : RUNTIMES.slice(1);
const STRIDE = 8;

const folder = await Deno.makeTempDir();
Deno.test.afterAll(() => Deno.remove(folder, { recursive: true }));
const corpus = await readCorpus();
await bundle("tests/system/vectors_run.ts", "vectors.js");
await Deno.writeTextFile(join(folder, "corpus.json"), JSON.stringify(corpus));
const some = { ...corpus, cases: corpus.cases.filter((_, i) => i % STRIDE === 0) };
await Deno.writeTextFile(join(folder, "some.json"), JSON.stringify(some));
await Deno.writeTextFile(join(folder, "run.mjs"), NODE_RUN);
await Deno.writeTextFile(join(folder, "package.json"), '{ "type": "module" }');

async function bundle(entry: string, output: string): Promise<void> {
  const { code, stderr } = await runTool(Deno.execPath(), [
    "bundle",
    "--quiet",
    "--config",
    "tests/deno.json",
    "--platform",
    "browser",
    "--output",
    join(folder, output),
    entry,
  ], { cwd: ROOT });
  assert.equal(code, 0, stderr);
}

function assertAgreeing({ count, disagreeing, error }: VectorsReport, { cases } = corpus): void {
  assert.deepEqual({ count, disagreeing, error }, {
    count: cases.length,
    disagreeing: [],
    error: undefined,
  });
  assert.ok(corpus.cases.length > 1_000, `${corpus.cases.length} cases`);
}

for (const runtime of RUNTIMES) {
  const [name, version] = runtime;
  Deno.test(`the verifier agrees with the vectors on ${name} ${version}`, async () => {
    const isOther = OTHERS.includes(runtime);
    const args = ["run.mjs", isOther ? "some.json" : "corpus.json"];
    const { code, stdout, stderr } = await runTool(await executable(runtime), args, {
      cwd: folder,
    });
    assert.equal(code, 0, stderr);
    assertAgreeing(JSON.parse(stdout), isOther ? some : corpus);
  });
}

Deno.test("the verifier agrees with the vectors in a browser of November 2023", async () => {
  const { cases, ...networks } = IS_LONG ? corpus : some;
  // The WebCrypto of that browser has no Ed25519.
  const inBrowser = {
    ...networks,
    cases: cases.filter((line) => !line.includes("of an authority with Ed25519")),
  };
  const bodies: Readonly<Record<string, readonly [type: string, body: string]>> = {
    "/": ["text/html", PAGE],
    "/remove.js": ["text/javascript", `(${removeNewerBuiltIns})();`],
    "/run.js": ["text/javascript", PAGE_RUN],
    "/vectors.js": ["text/javascript", await Deno.readTextFile(join(folder, "vectors.js"))],
    "/corpus.json": ["application/json", JSON.stringify(inBrowser)],
  };
  const report = await reportOf("/", (path) => {
    const [type, body] = bodies[path] ?? [];
    if (type === undefined) return new Response(null, { status: 404 });
    return new Response(body, { headers: { "content-type": type } });
  });
  assertAgreeing(report as VectorsReport, inBrowser);
});

Deno.test("the lines for Node in verifiers/README.md verify a bundle", async () => {
  await bundle("src/proof/verify/mod.ts", "verify.js");
  const readme = await Deno.readTextFile(new URL("../../verifiers/README.md", import.meta.url));
  const [, lines] = /```js\n(.*?)```/s.exec(readme)!;
  const example = corpus.cases.map((line) => JSON.parse(line))
    .find(({ kind, expect }) => kind === "bundle" && expect.level === "batched");
  const network = JSON.parse(corpus.networks)[example.network];
  await Deno.writeTextFile(join(folder, "network.public.json"), JSON.stringify(network));
  await Deno.writeTextFile(join(folder, "claim.txt.countersign.json"), example.input);
  const script = lines!.replace("countersign/verify", "./verify.js");
  await Deno.writeTextFile(join(folder, "lines.mjs"), script);
  const { stdout, stderr } = await runTool(await executable(RUNTIMES[0]), ["lines.mjs"], {
    cwd: folder,
  });
  assert.match(stdout, /^true batched \{/, stderr);
});
