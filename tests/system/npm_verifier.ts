/**
 * `countersign/verify` of the npm package on the oldest Node, over generated chains and bundles and those
 * of docs/vectors. The package knows a chain as a member of the configuration.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeGeneratedCases } from "./generated_cases.ts";
import { type NpmPackage, succeed } from "./npm_package.ts";
import { executable, RUNTIMES } from "./runtimes.ts";
import { runTool } from "./tools.ts";
import { readVectors, VECTORS } from "./vector_files.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const RUN = `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parseBundle, parseNetwork, portableCrypto, verifyBundle } from "countersign/verify";
import { verdictOf } from "./expectation.js";
import { remembering } from "./remembering.js";

const crypto = remembering(await portableCrypto());
const folder = process.argv[2];
const networks = JSON.parse(readFileSync(folder + "/networks.json", "utf8"));
const lines = readFileSync(folder + "/bundles.jsonl", "utf8").split("\\n").slice(0, -1);

async function verdict({ network, peers = [], followed = [], distrust = [], expected, input }) {
  const chains = followed.map((text) => JSON.parse(text)).sort((a, b) => b.length - a.length);
  const trusted = (name) => {
    const configuration = networks[name];
    const chain = chains.find(([first]) => first?.predecessor.id === configuration.id);
    const text = JSON.stringify(chain ? { ...configuration, succession: chain } : configuration);
    const named = distrust.map((one) => one.split("@"));
    return {
      ...parseNetwork(text, crypto.bls),
      ...(named.length > 0 &&
        { distrust: named.map(([witness, size = "0"]) => ({ witness, size: Number(size) })) }),
    };
  };
  try {
    const trust = { network: trusted(network), peers: peers.map(trusted) };
    const found = await verifyBundle(crypto, trust, parseBundle(input), expected);
    return verdictOf(found, found.followed ?? trust.network);
  } catch (error) {
    if (error.code === undefined) throw error;
    return { result: "malformed", reason: error.code };
  }
}

for (const line of lines) {
  const { expect, ...vector } = JSON.parse(line);
  assert.deepEqual(await verdict(vector), expect, vector.name);
}
console.log(lines.length);
`;

export function testNpmVerifier(npmPackage: NpmPackage): void {
  Deno.test("countersign/verify of the npm package chooses the same chain as this verifier", async () => {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(join(folder, "package.json"), `{ "type": "module" }`);
      await npmPackage.install(folder);
      await Deno.writeTextFile(join(folder, "run.js"), RUN);
      const bundle = ["bundle", "--quiet", "--config", "tests/deno.json", "--platform", "browser"];
      for (const name of ["expectation", "remembering"]) {
        const args = [...bundle, "--output", join(folder, `${name}.js`)];
        await succeed(
          runTool(Deno.execPath(), [...args, `tests/proof/verify/vectors/${name}.ts`], {
            cwd: ROOT,
          }),
        );
      }
      const node = await executable(RUNTIMES[0]);
      const run = async (cases: string) =>
        Number(await succeed(runTool(node, ["run.js", cases], { cwd: folder })));
      const count = await writeGeneratedCases(folder);
      assert.equal(await run(folder), count);
      assert.equal(await run(VECTORS), (await readVectors("bundles.jsonl")).length);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
