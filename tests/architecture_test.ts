/**
 * What no single file shows: the pins of the configurations, the graph of the modules, and what the
 * files of the project must not mention.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);

/** Folders of fetched, built or generated files, which are not sources. */
const NO_SOURCES = new Set([".git", "countersign-data", "dist", "node_modules"]);

/**
 * Modules that no other module has to import: the program, the worker of its roles, the library, the page, and what builds
 * it.
 */
const ENTRIES = [
  "main.ts",
  "src/server/role_worker.ts",
  "mod.ts",
  "src/explorer/main.tsx",
  "src/explorer/copy/main.tsx",
  "src/explorer/hashing/hash_worker.ts",
  "src/explorer/hashing/long_hashes.ts",
  "src/explorer/verify/timestamp_script.ts",
  "src/explorer/build.ts",
];

async function filesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(new URL(folder, ROOT))) {
    if (NO_SOURCES.has(entry.name)) continue;
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory) found.push(...await filesBelow(`${path}/`));
    else if (entry.isFile) found.push(path);
  }
  return found.toSorted();
}

async function configurationOf(path: string) {
  return JSON.parse(await Deno.readTextFile(new URL(path, ROOT)));
}

/** The files that each file of the program imports, types included. */
async function importGraph(entry: string): Promise<Map<string, string[]>> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--config", "deno.json", entry],
    cwd: fileURLToPath(ROOT),
    env: { NO_COLOR: "1" },
  }).output();
  assert.equal(code, 0);
  const { modules } = JSON.parse(new TextDecoder().decode(stdout));
  return new Map(modules.map((module: ModuleInfo) => [
    module.specifier.replace(ROOT.href, ""),
    (module.dependencies ?? []).flatMap(({ code, type }) =>
      [code?.specifier, type?.specifier].filter((found) => found !== undefined)
    ).map((found) => found.replace(ROOT.href, "")),
  ]));
}

interface ModuleInfo {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly code?: { readonly specifier: string };
    readonly type?: { readonly specifier: string };
  }[];
}

/** A cycle in `graph`, as the files on it. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle) return cycle;
  }
  return undefined;
}

Deno.test("every configuration pins the same packages, exactly", async () => {
  const { imports } = await configurationOf("deno.json");
  for (const pin of Object.values<string>(imports)) {
    assert.match(pin, /^npm:\/?(@[a-z0-9-]+\/)?[a-z0-9-]+@\d+\.\d+\.\d+\/?$/);
  }
  const owns = {
    "tests/deno.json": [
      ...["bundle", "mock", "protobuf-specs", "sign", "verify"].map((name) => `@sigstore/${name}`),
      ...["signpdf", "utils"].map((name) => `@signpdf/${name}`),
      "@asyncapi/parser",
      "@transmute/cose",
      "assemblyscript/asc",
      "axe-core",
      "@cloudflare/privacypass-ts",
      "binaryen",
      "cborg",
      "fast-check",
      "fast-check-unseeded",
      "kubernetes-types/",
      "pkijs",
      "playwright-core",
      "qr/decode.js",
      "yaml",
    ],
    "bench/deno.json": ["@chainsafe/as-sha256", "@chainsafe/blst", "bls-eth-wasm", "mcl-wasm"],
  };
  for (const [path, own] of Object.entries(owns)) {
    const others = { ...(await configurationOf(path)).imports };
    for (const name of own) delete others[name];
    assert.deepEqual(others, imports, path);
  }
});

Deno.test("every configuration checks types alike and freezes its lock", async () => {
  const { compilerOptions } = await configurationOf("deno.json");
  for (const folder of ["", "tests/", "bench/", "wasm/", "tools/"]) {
    const path = `${folder}deno.json`;
    const configuration = await configurationOf(path);
    assert.deepEqual(configuration.compilerOptions, compilerOptions, path);
    assert.equal(configuration.lock.frozen, true, path);
  }
  assert.deepEqual((await configurationOf("tests/deno.json")).test, {
    exclude: ["root_test.ts"],
    sanitizeOps: true,
    sanitizeResources: true,
  });
});

Deno.test("no modules import one another in a circle", async () => {
  assert.deepEqual(findCycle(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]]])), ["b", "c", "b"]);
  for (const entry of ["main.ts", "src/server/role_worker.ts", "src/explorer/copy/main.tsx"]) {
    const graph = await importGraph(entry);
    assert.ok((graph.get(entry) ?? []).length > 0);
    assert.equal(findCycle(graph), undefined);
  }
});

for (
  const [entry, part] of [
    ["mod.ts", "src/proof/verify/bundle.ts"],
    ["src/gateway/anchors/providers.ts", "src/gateway/anchors/rekor/provider.ts"],
    ["src/explorer/copy/main.tsx", "src/explorer/app.tsx"],
  ] as const
) {
  Deno.test(`the offline verifier loads nothing that a browser lacks: ${entry}`, async () => {
    const graph = await importGraph(entry);
    assert.ok(graph.has(part));
    const foreign = [...graph.keys()].filter((name) => /^(node|jsr|https?):/.test(name));
    assert.deepEqual(foreign, []);
    const outside = [...graph.keys()].filter((name) =>
      /^src\/(storage|transport|http|cli)\//.test(name)
    );
    assert.deepEqual(outside, []);
  });
}

Deno.test("every source is reachable from an entry point", async () => {
  const graphs = await Promise.all(ENTRIES.map(importGraph));
  const reached = new Set(graphs.flatMap((graph) => [...graph.keys()]));
  const unreached = (await filesBelow("src/")).filter((path) =>
    /\.tsx?$/.test(path) && !reached.has(path)
  );
  assert.deepEqual(unreached, []);
});

/** Texts of a machine on which the project was built, split so that this file holds none. */
const MACHINE_TEXTS = [
  "/wo" + "rk/",
  "/ro" + "ot/",

  "art" + "ifactory",
  "/tmp" + "/",
];

Deno.test("no file mentions a machine's paths or a registry's host", async () => {
  assert.ok(MACHINE_TEXTS.some((text) => `see /ro${"ot"}/notes`.includes(text)));
  for (const path of await filesBelow("")) {
    const text = new TextDecoder().decode(await Deno.readFile(new URL(path, ROOT)));
    for (const forbidden of MACHINE_TEXTS) {
      assert.ok(!text.includes(forbidden), `${path} mentions ${forbidden}`);
    }
  }
});

Deno.test("source files stay small enough to read at once", async () => {
  const long: string[] = [];
  for (const path of (await filesBelow("src/")).filter((name) => /\.tsx?$/.test(name))) {
    const lines = (await Deno.readTextFile(new URL(path, ROOT))).split("\n").length - 1;
    if (lines > 400) long.push(`${path}: ${lines}`);
  }
  assert.deepEqual(long, []);
});

Deno.test("the files on the path of an attestation exist", async () => {
  const text = await Deno.readTextFile(new URL("ARCHITECTURE.md", ROOT));
  const [, diagram] = text.match(/## The path of an attestation\n[^]*?\n```\n([^]*?)```/)!;
  const files = diagram!.split("\n").flatMap((line) => {
    const [, folder, names] = line.match(/^ {2}([a-z/]+\/) +([\w/]+(?:, [\w/]+)*)/) ?? [];
    return names?.split(", ").map((name) => `src/${folder}${name}.ts`) ?? [];
  });
  assert.ok(files.length > 100, `${files.length} files`);
  const sources = await filesBelow("src/");
  assert.deepEqual(files.filter((file) => !sources.includes(file)), []);
});
