/**
 * The transitive imports of `src/proof/verify/mod.ts`: all code that can make a false proof look valid.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../../", import.meta.url);
/** 3,000 for one configuration, and 700 to follow its succession. */
const MAX_LINES = 4_100;

interface ModuleGraph {
  readonly modules: readonly { readonly specifier: string }[];
}

async function importsOf(path: string): Promise<string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--config", "deno.json", path],
    cwd: fileURLToPath(ROOT),
    stderr: "inherit",
  }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as ModuleGraph;
  return modules.map(({ specifier }) => specifier);
}

/** Lines of `source` that are neither blank nor comment. */
function codeLines(source: string): number {
  let inComment = false;
  return source.split("\n").filter((line) => {
    const text = line.trim();
    if (inComment) {
      inComment = !text.includes("*/");
      return false;
    }
    inComment = text.startsWith("/*") && !text.includes("*/");
    return text !== "" && !text.startsWith("//") && !text.startsWith("/*");
  }).length;
}

Deno.test("codeLines() leaves out comments and blank lines", () => {
  assert.equal(codeLines("/**\n * a\n */\nconst a = 1;\n\n// b\n/* c */\nconst b = 2; // d\n"), 2);
});

Deno.test("src/proof/verify/mod.ts imports at most 4,100 lines, of proof and of four files of base", async () => {
  const specifiers = await importsOf("src/proof/verify/mod.ts");
  const own = specifiers.filter((specifier) => specifier.startsWith(ROOT.href));
  assert.deepEqual(
    own.filter((specifier) =>
      !/^src\/(proof\/|base\/(builtins|bytes|errors|recently_used)\.ts$)/
        .test(specifier.slice(ROOT.href.length))
    ),
    [],
  );
  const packages = specifiers.filter((specifier) => !specifier.startsWith(ROOT.href));
  assert.deepEqual(
    packages.filter((name) => !/^npm:\/?@noble\/(ciphers|curves|hashes|post-quantum)@/.test(name)),
    [],
  );
  let lines = 0;
  for (const specifier of own) lines += codeLines(await Deno.readTextFile(new URL(specifier)));
  assert.ok(lines > 1_000 && lines <= MAX_LINES, `${lines} lines of code`);
});
