/**
 * The verifiers in Python and Go over generated chains and bundles (`chain_properties_test.ts` has the
 * properties): they find what this verifier finds, whatever chain is kept, whomever they distrust, and whatever a bundle shows.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { writeGeneratedCases } from "./generated_cases.ts";
import { runTool } from "./tools.ts";

const PYTHON = "/usr/bin/python3";
const GO = "/usr/lib/go-1.19/bin/go";

function folderOf(language: string): string {
  return fileURLToPath(new URL(`../../verifiers/${language}`, import.meta.url));
}

Deno.test("the verifiers in Python and Go choose the same chain as this one", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const count = await writeGeneratedCases(folder);
    const python = await runTool(PYTHON, ["run_vectors.py", folder], {
      cwd: folderOf("python"),
      env: { PYTHONDONTWRITEBYTECODE: "1" },
    });
    assert.equal(python.stdout, `${count} agree, 0 do not\n`);
    const go = await runTool(GO, ["test", "-v", "./..."], {
      cwd: folderOf("go"),
      env: {
        HOME: folder,
        GOPROXY: "off",
        GOTELEMETRY: "off",
        GOFLAGS: "-count=1",
        COUNTERSIGN_VECTORS: folder,
      },
    });
    assert.match(go.stdout, new RegExp(` ${count} agree, 0 do not\n`));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
