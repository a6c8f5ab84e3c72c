/**
 * The transitive imports of a witness: all code that can make it sign what it must not.
 *
 * @module
 */

import assert from "node:assert/strict";
import { closureOf, linesOf } from "../../closure.ts";

const ENTRY = "src/server/witness/witness_server.ts";
const MAX_LINES = 11_000;

/** Folders of `src` of which a witness imports something; folders inside them do not count. */
const FOLDERS = [
  "base",
  "client",
  "config",
  "http",
  "http/limits",
  "http/metrics",
  "http/witness",
  "proof/crypto",
  "proof/format",
  "proof/merkle",
  "proof/verify",
  "server",
  "server/log",
  "server/roles",
  "server/witness",
  "storage",
  "storage/witness",
  "witness",
];
const PACKAGES =
  /^npm:\/?(@logtape\/logtape|@noble\/(ciphers|curves|hashes|post-quantum)|@opentelemetry\/api|age-encryption|hono)@/;

Deno.test("a witness runs at most 11,000 lines, and imports nothing of a gateway", async () => {
  const { files, filesWithTypes, packages } = await closureOf(ENTRY);
  const sources = filesWithTypes.filter((path) => path.startsWith("src/"));
  const folders = new Set(sources.map((path) => path.slice("src/".length, path.lastIndexOf("/"))));
  assert.deepEqual([...folders].toSorted(), FOLDERS);
  assert.deepEqual(
    filesWithTypes.filter((path) => !/^(src|wasm\/build)\//.test(path)),
    ["deno.json"],
  );
  assert.deepEqual(
    packages.filter((name) => !name.startsWith("node:") && !PACKAGES.test(name)),
    [],
  );
  const lines = await linesOf(files);
  assert.ok(lines > 5_000 && lines <= MAX_LINES, `${lines} lines of code`);
});
