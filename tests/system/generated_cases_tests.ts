/**
 * The verifiers in Python and Go, and `countersign/verify` of the npm package on the oldest Node, over
 * generated chains and bundles (`chain_properties_test.ts` has the properties): they find what this verifier
 * finds, whatever chain is kept, whomever they distrust, and whatever a bundle shows. The package knows a
 * chain as a member of the configuration.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeGeneratedCases } from "./generated_cases.ts";
import { runGo } from "./go.ts";
import { type NpmPackage, succeed } from "./npm_package.ts";
import { executable, RUNTIMES } from "./runtimes.ts";
import { runTool } from "./tools.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PYTHON = "/usr/bin/python3";
const IN_PYTHON = join(ROOT, "verifiers/python");

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

/** The cases, generated once. */
class GeneratedCases {
  #written: Promise<{ readonly folder: string; readonly count: number }> | undefined;

  write() {
    return this.#written ??= Deno.makeTempDir().then(async (folder) => ({
      folder,
      count: await writeGeneratedCases(folder),
    }));
  }

  async remove(): Promise<void> {
    if (this.#written === undefined) return;
    const { folder } = await this.#written;
    await Deno.remove(folder, { recursive: true });
  }
}

export function testGeneratedCases(npmPackage: NpmPackage): void {
  const cases = new GeneratedCases();
  Deno.test.afterAll(() => cases.remove());

  Deno.test("the verifier in Python chooses the same chain as this one", async () => {
    const { folder, count } = await cases.write();
    const env = { PYTHONDONTWRITEBYTECODE: "1" };
    const { stdout } = await runTool(PYTHON, ["run_vectors.py", folder], { cwd: IN_PYTHON, env });
    assert.equal(stdout, `${count} agree, 0 do not\n`);
  });

  Deno.test("the verifier in Go chooses the same chain as this one", async () => {
    const { folder, count } = await cases.write();
    const tests = ["test", "-v", "-count=1", "./..."];
    const { stdout, stderr } = await runGo(tests, { COUNTERSIGN_VECTORS: folder });
    assert.ok(stdout.includes(` ${count} agree, 0 do not, 0 unsupported\n`), stdout + stderr);
  });

  Deno.test("countersign/verify of the npm package chooses the same chain as this one", async () => {
    const { folder, count } = await cases.write();
    await Deno.writeTextFile(join(folder, "package.json"), `{ "type": "module" }`);
    await npmPackage.install(folder);
    await Deno.writeTextFile(join(folder, "run.js"), RUN);
    const bundle = ["bundle", "--quiet", "--config", "tests/deno.json", "--platform", "browser"];
    for (const name of ["expectation", "remembering"]) {
      const args = [...bundle, "--output", join(folder, `${name}.js`)];
      const source = `tests/proof/verify/vectors/${name}.ts`;
      await succeed(runTool(Deno.execPath(), [...args, source], { cwd: ROOT }));
    }
    const node = await executable(RUNTIMES[0]);
    const ran = runTool(node, ["run.js", folder], { cwd: folder });
    assert.equal(Number(await succeed(ran)), count);
  });
}
