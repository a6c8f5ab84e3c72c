import assert from "node:assert/strict";
import plugin from "../../lint/layers.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The rules that a source text at `path` breaks. */
function broken(path: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, `${ROOT}${path}`, source).map(({ id }) => id);
}

function test(name: string, rows: readonly (readonly [string, string, readonly string[]])[]): void {
  Deno.test(name, () => {
    for (const [path, source, rules] of rows) {
      assert.deepEqual(broken(path, source), rules, `${path}: ${source}`);
    }
  });
}

const IMPORTS = ["layers/imports"];

test("imports point down", [
  ["src/proof/format/note.ts", 'import { a } from "../../base/bytes.ts";', []],
  ["src/proof/format/note.ts", 'import { a } from "./round.ts";', []],
  ["src/storage/keys.ts", 'import type { A } from "../gateway/ports.ts";', []],
  ["src/http/outgoing/peer/client.ts", 'import type { A } from "../../../gateway/ports.ts";', []],
  ["src/http/app.ts", 'import { a } from "hono"; import b from "node:path";', []],
  ["src/base/bytes.ts", 'import { a } from "./errors.ts";', []],
  ["src/cli/program.ts", 'import meta from "../../deno.json" with { type: "json" };', []],
  ["main.ts", 'import { run } from "./src/cli/program.ts";', []],
  ["tests/proof/format/note_test.ts", 'import { a } from "../../src/server/io.ts";', []],
]);

test("an import up is found, in every way to import", [
  ["src/proof/format/note.ts", 'import { a } from "../verify/note.ts";', IMPORTS],
  ["src/proof/format/note.ts", 'import type { A } from "../verify/note.ts";', IMPORTS],
  ["src/proof/format/note.ts", 'import "../verify/note.ts";', IMPORTS],
  ["src/proof/format/note.ts", 'export { a } from "../verify/note.ts";', IMPORTS],
  ["src/proof/format/note.ts", 'export * from "../verify/note.ts";', IMPORTS],
  ["src/proof/format/note.ts", 'const a = await import("../verify/note.ts");', IMPORTS],
  ["src/proof/format/note.ts", "const a = (name: string) => import(name);", IMPORTS],
  ["src/proof/format/note.ts", 'let a: import("../verify/note.ts").A;', IMPORTS],
  ["src/proof/format/note.ts", 'new Worker(new URL("../../cli/w.ts", import.meta.url));', IMPORTS],
  ["src/base/errors.ts", 'import { a } from "../proof/crypto/secrets.ts";', IMPORTS],
  ["src/base/errors.ts", 'import { a } from "./threads/bell.ts";', IMPORTS],
  ["src/logs/publishing/mirror.ts", 'import { a } from "../monitor/poll.ts";', IMPORTS],
  ["src/gateway/tokens/issuer.ts", 'import { a } from "../../http/problem.ts";', IMPORTS],
  ["src/server/io.ts", 'import { a } from "../../main.ts";', IMPORTS],
]);

test("an import of a sibling is found", [
  ["src/proof/format/note.ts", 'import { a } from "../merkle/tree.ts";', IMPORTS],
  ["src/witness/witness.ts", 'import type { A } from "../gateway/ports.ts";', IMPORTS],
  ["src/storage/keys.ts", 'import { a } from "../http/outgoing/client.ts";', IMPORTS],
  ["src/gateway/gateway.ts", 'import { a } from "./tokens/issuer.ts";', IMPORTS],
  ["src/gateway/tokens/issuer.ts", 'import { a } from "../ports.ts";', IMPORTS],
  ["src/storage/keys.ts", 'import { a } from "../config/bearer_tokens.ts";', IMPORTS],
]);

test("an import from elsewhere than the program is found", [
  ["src/proof/format/note.ts", 'import { a } from "../../../tests/vectors.ts";', IMPORTS],
  ["src/proof/format/note.ts", 'import { a } from "../../../../elsewhere/a.ts";', IMPORTS],
  ["src/proof/format/note.ts", 'import { a } from "https://example.com/a.ts";', IMPORTS],
  ["src/proof/format/note.ts", 'import { a } from "jsr:@std/bytes";', IMPORTS],
  ["src/nowhere/a.ts", 'import { a } from "../base/bytes.ts";', IMPORTS],
  ["src/loose.ts", 'import { a } from "./base/bytes.ts";', IMPORTS],
  ["src/proof/loose.ts", 'import { a } from "../base/bytes.ts";', IMPORTS],
  ["src/cli/a.ts", 'import { a } from "../nowhere/a.ts";', IMPORTS],
  ["src/explorer/page.ts", 'import { a } from "../http/outgoing/client.ts";', IMPORTS],
  ["src/explorer/page.ts", 'import { a } from "../proof/verify/bundle.ts";', []],
  ["src/explorer/page.ts", 'import { a } from "../client/jobs.ts";', []],
  ["src/explorer/page.ts", 'import { a } from "../logs/publishing/mirror.ts";', []],
  ["src/client/jobs.ts", 'import type { A } from "../logs/audit/ports.ts";', IMPORTS],
]);

test("WebAssembly has one importer", [
  ["src/proof/crypto/wasm_kernels.ts", 'import { a } from "../../../wasm/build/a.wasm";', []],
  ["src/proof/crypto/kernels.ts", 'import { a } from "../../../wasm/build/a.wasm";', [
    "layers/wasm",
  ]],
  ["src/http/a.ts", 'const a = await import("../../wasm/build/a.wasm");', ["layers/wasm"]],
]);

test("the offline verifier reaches for nothing", [
  ["src/proof/verify/a.ts", 'import { hash } from "node:crypto";', ["layers/purity"]],
  ["src/proof/verify/a.ts", 'await fetch("https://example.com");', ["layers/purity"]],
  ["src/proof/verify/a.ts", "const get = fetch;", ["layers/purity"]],
  ["src/proof/verify/a.ts", "globalThis.fetch;", ["layers/purity"]],
  ["src/proof/verify/a.ts", 'Deno.readTextFileSync("a");', ["layers/purity"]],
  ["src/proof/verify/a.ts", "const now = new Date(1);", ["layers/purity"]],
  ["src/proof/verify/a.ts", "setTimeout(() => {}, 1);", ["layers/purity"]],
  ["src/proof/verify/a.ts", "const options = { fetch };", ["layers/purity"]],
  ["src/proof/verify/a.ts", "const a = { fetch: 1, location: 2 }; a.fetch; a.location;", []],
  ["src/proof/verify/a.ts", "interface A { process(): void; location: string }", []],
  ["src/http/outgoing/a.ts", 'await fetch("https://example.com");', []],
]);

test("sources for browsers use nothing that browsers lack", [
  ["src/client/a.ts", 'import { hash } from "node:crypto";', ["layers/browser"]],
  ["src/client/a.ts", 'Deno.readTextFileSync("a");', ["layers/browser"]],
  ["src/client/a.ts", 'await fetch("https://example.com");', []],
  ["src/explorer/a.tsx", 'Deno.readTextFileSync("a");', ["layers/browser"]],
  ["src/explorer/build.ts", 'Deno.readTextFileSync("a");', []],
]);

test("the environment has one reader", [
  ["src/server/io.ts", 'Deno.env.get("A");', []],
  ["main.ts", 'Deno.env.get("A");', []],
  ["src/config/a.ts", 'Deno.env.get("A");', ["layers/environment"]],
  ["src/config/a.ts", 'Deno["env"].get("A");', ["layers/environment"]],
  ["src/server/gateway/gateway_server.ts", "process.env.A;", ["layers/environment"]],
]);

test("the machine's clock has one reader", [
  ["src/base/clock.ts", "Date.now();", []],
  ["src/gateway/a.ts", "Date.now();", ["layers/clock"]],
  ["src/gateway/a.ts", "const now = Date.now;", ["layers/clock"]],
  ["src/gateway/a.ts", "new Date();", ["layers/clock"]],
  ["src/gateway/a.ts", "Temporal.Now.instant();", ["layers/clock"]],
  ["src/gateway/a.ts", "new Date(1000).toISOString();", []],
]);

test("only the clock sets timers", [
  ["src/base/clock.ts", "setTimeout(() => {}, 1);", []],
  ["src/explorer/a.ts", "setTimeout(() => {}, 1);", []],
  ["src/gateway/a.ts", "setTimeout(() => {}, 1);", ["layers/timers"]],
  ["src/gateway/a.ts", "setInterval(() => {}, 1);", ["layers/timers"]],
  ["src/gateway/a.ts", "AbortSignal.timeout(1);", ["layers/timers"]],
]);
