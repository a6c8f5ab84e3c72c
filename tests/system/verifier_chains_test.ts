/**
 * The verifiers in Python and Go over generated chains and bundles (`chain_properties_test.ts` has the
 * properties): they find what this verifier finds, whatever chain is kept and whatever a bundle shows.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publicNetwork } from "../../src/format/public_network.ts";
import { nativeCrypto, SCHEMES } from "../schemes.ts";
import { ChainWorld, Draw } from "../verify/generated_chains.ts";
import { judge, type Vector } from "../verify/vectors/vector.ts";
import { runTool } from "./tools.ts";

const PYTHON = "/usr/bin/python3";
const GO = "/usr/lib/go-1.19/bin/go";
const CASES = { ed25519: 250, bls: 60 } as const;

function folderOf(language: string): string {
  return fileURLToPath(new URL(`../../verifiers/${language}`, import.meta.url));
}

/** Writes the generated cases as a folder of vectors; returns how many. */
async function writeCases(folder: string): Promise<number> {
  const networks = new Map();
  const lines: string[] = [];
  const seen = new Set<unknown>();
  for (const scheme of SCHEMES) {
    const world = new ChainWorld(scheme, `generated.example/${scheme}`);
    const names = world.genuine.epochs.map(({ configuration }, i) => {
      networks.set(`${scheme} ${i}`, publicNetwork(configuration));
      return `${scheme} ${i}`;
    });
    const draw = new Draw(6);
    for (let i = 0; i < CASES[scheme]; i++) {
      const pin = draw.below(3);
      // A pin needs a chain that has its epoch.
      const followed = draw.of(
        world.knowledge.filter((links) =>
          links.length === 0 || pin < links.length + (links[0] === world.frozen ? 0 : 1)
        ),
      );
      const vector: Vector = {
        name: `generated ${scheme} ${i}`,
        kind: "bundle",
        network: names[pin]!,
        followed: [JSON.stringify(followed)],
        input: JSON.stringify(world.bundle(draw).bundle),
      };
      const expect = await judge(nativeCrypto, networks, vector);
      seen.add(expect.reason ?? expect.level);
      lines.push(JSON.stringify({ ...vector, expect }));
    }
  }
  assert.ok(seen.size > 6, [...seen].join());
  const text = JSON.stringify(Object.fromEntries(networks));
  await Deno.writeTextFile(join(folder, "networks.json"), text);
  await Deno.writeTextFile(join(folder, "bundles.jsonl"), `${lines.join("\n")}\n`);
  return lines.length;
}

Deno.test("the verifiers in Python and Go choose the same chain as this one", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const count = await writeCases(folder);
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
