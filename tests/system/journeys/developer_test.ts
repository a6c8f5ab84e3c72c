/**
 * A developer's way: install the packed package with Node 20, type-check and run the programs of
 * docs/client.md, bundle them with esbuild, Vite and webpack, and use a client that
 * `openapi-typescript` generates.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { markedBlock, markedNames } from "../../docs/marked_blocks.ts";
import { IS_LONG } from "../../long_runs.ts";
import { Server } from "../../scenarios/program.ts";
import { NpmPackage, OFFLINE, succeed } from "../npm_package.ts";
import { executable, RUNTIMES } from "../runtimes.ts";
import { runTool } from "../tools.ts";

const DOCUMENT = "docs/client.md";
const READY = /^Countersign gateway of \S+ on (http:\/\/\S+)$/m;
const UNKNOWN = "0".repeat(64);

/** The tools of a developer, from npm. */
const TOOLS = {
  "@types/node": "20.19.43",
  "esbuild": "0.28.2",
  "openapi-fetch": "0.17.0",
  "openapi-typescript": "7.13.0",
  "typescript": "5.9.3",
  ...(IS_LONG && { "vite": "8.4.0", "webpack": "5.113.0", "webpack-cli": "7.3.1" }),
};

/** The strictest options, for both ways in which TypeScript finds the modules of a package. */
const STRICT = [
  "--strict",
  "--exactOptionalPropertyTypes",
  "--noUncheckedIndexedAccess",
  "--verbatimModuleSyntax",
  "--target",
  "es2022",
  "--lib",
  "es2024,dom,dom.iterable,dom.asynciterable",
  "--types",
  "node",
];
const NODENEXT = ["--module", "nodenext", "--moduleResolution", "nodenext"];
/** Declarations are the same files: they are checked once, with the other one. */
const BUNDLER = ["--module", "esnext", "--moduleResolution", "bundler", "--skipLibCheck"];

const GENERATED = `import createClient from "openapi-fetch";
import { parseBundle } from "countersign/verify";
import type { components, paths } from "./openapi.js";

const [baseUrl = "", hash = ""] = process.argv.slice(2);
type Json = "application/json" | "application/problem+json";
const client = createClient<paths, Json>({ baseUrl });
const { data, error } = await client.GET("/v1/bundle/{hash}", { params: { path: { hash } } });
if (data === undefined) throw new Error(error.code);
const bundle: components["schemas"]["ProofBundle"] = data;
const { signed_attestation: { attestation } } = parseBundle(JSON.stringify(bundle));
console.log(attestation.hash === bundle.signed_attestation.attestation.hash);
`;

/** Commands that bundle `verify.js` for Node, into different folders. Short runs try only the first. */
const BUNDLERS: Readonly<Record<string, readonly string[]>> = {
  esbuild: [
    "esbuild",
    "verify.js",
    "--bundle",
    "--platform=node",
    "--format=esm",
    "--out-extension:.js=.mjs",
    "--outdir=esbuild",
  ],
  ...(IS_LONG && {
    vite: ["vite", "build", "--ssr", "verify.js", "--outDir", "vite"],
    webpack: ["webpack", "--mode", "production", "--config", "webpack.config.cjs"],
  }),
};

const WEBPACK = `module.exports = {
  entry: "./verify.js",
  target: "node20",
  experiments: { outputModule: true },
  output: { path: __dirname + "/webpack", filename: "verify.mjs", module: true },
};
`;

const VITE = `export default {
  ssr: { noExternal: true, target: "node" },
  build: { rollupOptions: { output: { entryFileNames: "verify.mjs" } } },
};
`;

const npmPackage = new NpmPackage();
Deno.test.beforeAll(() => npmPackage.build());
Deno.test.afterAll(() => npmPackage.remove());

Deno.test("a developer stamps, verifies, bundles and generates a client", async (t) => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const node = await executable(RUNTIMES[0]);
  const tool = (name: string, ...args: readonly string[]) =>
    succeed(runTool(join(folder, "node_modules/.bin", name), args, { cwd: folder }));
  const run = (...args: readonly string[]) =>
    succeed(runTool(node, args, { cwd: folder, env: OFFLINE }));
  const write = (name: string, text: string) => Deno.writeTextFile(join(folder, name), text);
  let url = "";
  let hash = "";

  await t.step("install the package and the tools, and start a gateway", async () => {
    await write("package.json", JSON.stringify({ type: "module" }));
    await npmPackage.install(folder);
    const versions = Object.entries(TOOLS).map(([name, version]) => `${name}@${version}`);
    const install = ["install", "--no-audit", "--no-fund", "--save-exact", "--prefer-offline"];
    await succeed(runTool("npm", [...install, ...versions], { cwd: folder }));
    const main = fileURLToPath(new URL("../../../main.ts", import.meta.url));
    const data = join(folder, "data");
    const { server, match } = await Server.spawn(
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", main, "serve", "--port", "0", "--data", data],
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }),
      READY,
    );
    stack.defer(async () => void await server.stop());
    url = match[1]!;
    await Deno.copyFile(
      join(data, "network/network.public.json"),
      join(folder, "network.json"),
    );
  });

  await t.step("the programs of the document have types, however TypeScript resolves", async () => {
    const names = await markedNames(DOCUMENT);
    assert.deepEqual(names, ["stamp", "verify", "tlog", "errors"]);
    for (const name of names) await write(`${name}.ts`, await markedBlock(DOCUMENT, name));
    // A program that is wrong shows that the types are found.
    const stamp = await markedBlock(DOCUMENT, "stamp");
    const wrong = stamp.replace("const gateway", "// @ts-expect-error A URL is required.\n$&")
      .replace("url: new URL(url)", "");
    await write("wrong.ts", wrong);
    const files = [...names, "wrong"].map((name) => `${name}.ts`);
    await tool("tsc", ...STRICT, ...NODENEXT, ...files);
    if (IS_LONG) await tool("tsc", ...STRICT, ...BUNDLER, "--noEmit", ...files);
  });

  await t.step("they stamp and verify on Node 20", async () => {
    await write("claim.txt", "what I knew today\n");
    assert.match(await run("stamp.js", url, "claim.txt"), /^stamped \d+\n$/);
    assert.equal(await run("verify.js", "network.json", "claim.txt"), "batched\n");
    const { signed_attestation } = JSON.parse(
      await Deno.readTextFile(join(folder, "claim.txt.countersign.json")),
    );
    hash = signed_attestation.attestation.hash;
    await write("other.txt", "what I did not know\n");
    await Deno.copyFile(
      join(folder, "claim.txt.countersign.json"),
      join(folder, "other.txt.countersign.json"),
    );
    const other = await runTool(node, ["verify.js", "network.json", "other.txt"], { cwd: folder });
    assert.deepEqual([other.code, other.stderr], [1, "not valid: hash_mismatch\n"]);
    assert.equal(await run("errors.js", url, UNKNOWN), "stamped\n");
    assert.match(await run("errors.js", url, "AB"), /^malformed_hash .*64 lowercase hex/);
    assert.match(await run("errors.js", "http://127.0.0.1:1/", UNKNOWN), /^gateway_unreachable /);
    const summaries = await run("errors.js", new URL("/none/", url).href, UNKNOWN);
    assert.match(summaries, /^gateway_refused route_not_found/);
  });

  await t.step("a tlog-proof verifies by the gateway's policy", async () => {
    const text = async (path: string) => {
      const headers = { Accept: "text/plain" };
      return await (await fetch(new URL(path, url), { headers })).text();
    };
    await write("policy.txt", await text("policy"));
    await write("claim.tlog-proof", await text(`v1/bundle/${hash}`));
    const prove = (of: string) =>
      runTool(node, ["tlog.js", "policy.txt", "claim.tlog-proof", of], { cwd: folder });
    assert.equal(await succeed(prove(hash)), "in the log\n");
    assert.equal((await prove(UNKNOWN)).code, 1);
  });

  await write("webpack.config.cjs", WEBPACK);
  await write("vite.config.js", VITE);
  for (const [bundler, [program, ...args]] of Object.entries(BUNDLERS)) {
    await t.step(
      `${bundler} bundles the verifier without a warning, and it runs alone`,
      async () => {
        const { code, stdout, stderr } = await runTool(
          join(folder, "node_modules/.bin", program!),
          args,
          { cwd: folder },
        );
        assert.equal(code, 0, stdout + stderr);
        assert.doesNotMatch(stdout + stderr, /warn/i);
        const alone = await Deno.makeTempDir();
        stack.defer(() => Deno.remove(alone, { recursive: true }));
        for (const name of ["network.json", "claim.txt", "claim.txt.countersign.json"]) {
          await Deno.copyFile(join(folder, name), join(alone, name));
        }
        await Deno.copyFile(join(folder, bundler, "verify.mjs"), join(alone, "verify.mjs"));
        const verify = (file: string) =>
          runTool(node, ["verify.mjs", "network.json", file], { cwd: alone });
        assert.equal(await succeed(verify("claim.txt")), "batched\n");
        await Deno.writeTextFile(join(alone, "claim.txt"), "changed");
        assert.equal((await verify("claim.txt")).code, 1);
      },
    );
  }

  await t.step("a client that is generated from the OpenAPI document has types", async () => {
    await write("openapi.json", await (await fetch(new URL("openapi.json", url))).text());
    await tool("openapi-typescript", "openapi.json", "-o", "openapi.d.ts");
    await write("generated.ts", GENERATED);
    await tool("tsc", ...STRICT, ...NODENEXT, "--skipLibCheck", "generated.ts");
    assert.equal(await run("generated.js", url, hash), "true\n");
  });
});
