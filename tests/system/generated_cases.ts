/**
 * Generated chains and bundles as a folder of vectors, for verifiers in other languages and runtimes.
 * The properties of `chain_properties_test.ts` hold among the cases that are written, so they hold for
 * every verifier that finds the same.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import type { SuccessionLink } from "../../src/proof/format/succession.ts";
import { IS_LONG } from "../long_runs.ts";
import { nativeCrypto, SCHEMES } from "../schemes.ts";
import { ChainWorld, Draw, type GeneratedBundle } from "../proof/verify/generated_chains.ts";
import type { Expectation } from "../proof/verify/vectors/expectation.ts";
import { remembering } from "../proof/verify/vectors/remembering.ts";
import { judge, type Vector } from "../proof/verify/vectors/vector.ts";

const BUNDLES = IS_LONG ? { ed25519: 150, bls: 20 } : { ed25519: 40, bls: 2 };
const LEVELS = ["invalid", "basic", "batched", "federated"];

interface Known {
  /** The pinned epoch. */
  readonly pin: number;
  /** The chains that the verifier learned, in this order. */
  readonly chains: readonly (readonly SuccessionLink[])[];
  readonly distrust: readonly string[];
}

/** Writes the cases; returns how many. */
export async function writeGeneratedCases(folder: string): Promise<number> {
  const networks = new Map();
  const lines: string[] = [];
  const counts = new Map<string, number>();
  for (const scheme of SCHEMES) {
    const world = new ChainWorld(scheme, `generated.example/${scheme}`);
    for (const [i, { configuration }] of world.genuine.epochs.entries()) {
      networks.set(`${scheme} ${i}`, publicNetwork(configuration));
    }
    const crypto = remembering(nativeCrypto);
    const found = async (name: string, bundle: GeneratedBundle, known: Known) => {
      const vector: Vector = {
        name: `generated ${scheme} ${name}`,
        kind: "bundle",
        network: `${scheme} ${known.pin}`,
        followed: known.chains.map((links) => JSON.stringify(links)),
        ...(known.distrust.length > 0 && { distrust: known.distrust }),
        input: JSON.stringify(bundle.bundle),
      };
      const expect = await judge(crypto, networks, vector);
      lines.push(JSON.stringify({ ...vector, expect }));
      return expect;
    };
    for (const [name, count] of Object.entries(await generate(world, scheme, found))) {
      counts.set(name, (counts.get(name) ?? 0) + count);
    }
  }
  const least = Math.min(...counts.values());
  assert.ok(least > 0, JSON.stringify([...counts]));
  const reasons = new Set(lines.map((line) => JSON.parse(line).expect.reason));
  assert.ok(reasons.size > 5, [...reasons].join());
  const text = JSON.stringify(Object.fromEntries(networks));
  await Deno.writeTextFile(join(folder, "networks.json"), text);
  await Deno.writeTextFile(join(folder, "bundles.jsonl"), `${lines.join("\n")}\n`);
  return lines.length;
}

async function generate(
  world: ChainWorld,
  scheme: SignatureScheme,
  found: (name: string, bundle: GeneratedBundle, known: Known) => Promise<Expectation>,
): Promise<Readonly<Record<string, number>>> {
  const { genuine: { epochs, links: [first, second] }, frozen } = world;
  const whole = [first, second];
  const draw = new Draw(6);
  /** Witnesses of epochs that the verifier knows: others are a mistake of the caller. */
  const distrust = (known: readonly number[]) => {
    const ids = new Set(
      known.flatMap((i) => epochs[i]!.configuration.witnesses.map(({ id }) => id)),
    );
    return world.distrust(draw).filter(({ witness }) => ids.has(witness))
      .map(({ witness, size }) => size === 0 ? witness : `${witness}@${size}`);
  };
  const counts = { valid: 0, refused: 0, ended: 0 };
  for (let i = 0; i < BUNDLES[scheme]; i++) {
    const bundle = drawBundle(world, draw);
    const { signedBy, bundle: { signed_attestation: { attestation } } } = bundle;
    const pin = draw.of([signedBy[0]!, draw.below(3)]);
    // A pin needs a chain that has its epoch.
    const chain = draw.of([[], [first], whole].filter(({ length }) => !length || length >= pin));
    const epochsOf = chain.length === 0 ? [pin] : [0, 1, 2].slice(0, chain.length + 1);
    const some = draw.below(2) === 0 ? [] : distrust(epochsOf);
    const known = { pin, chains: [chain], distrust: some };
    const before = await found(`${i}`, bundle, known);

    const more = [...some, ...distrust(epochsOf)];
    const distrusting = await found(`${i}: more distrust`, bundle, { ...known, distrust: more });
    assertNoMore(before, distrusting, `${scheme} ${i}: more distrust`);

    const learned = await found(`${i}: more knowledge`, bundle, { ...known, chains: [whole] });
    // Only what keys signed that were known before.
    const newest = Number(/^epoch (\d+)/.exec(String(before.keys))![1]);
    const isKnown = (epoch: number) =>
      chain.length + (bundle.bundle.succession?.length ?? 0) === 0
        ? epoch === pin
        : epoch <= newest;
    // L1: a chain that ends before the pin is read only with the kept one that leads on.
    if (before.reason !== "succession_unrelated" && signedBy.every(isKnown)) {
      assertNoMore(before, learned, `${scheme} ${i}: more knowledge`);
      if (before.result !== learned.result) counts.refused++;
    }
    if (pin < 2) {
      const chains = draw.of([[[first], whole], [whole, [first]]]);
      const ordered = await found(`${i}: another order`, bundle, { ...known, chains });
      assert.deepEqual(ordered, learned);
    }
    const ended = await found(`${i}: after the end`, bundle, {
      pin: 0,
      chains: [[frozen]],
      distrust: distrust([0]),
    });
    if (attestation.sequence >= frozen.end.tree_size) {
      assert.equal(ended.result, "invalid");
      counts.ended++;
    }
    if (before.result === "valid") counts.valid++;
  }
  return counts;
}

/** One that shows no chain, every other time. */
function drawBundle(world: ChainWorld, draw: Draw): GeneratedBundle {
  const generated = world.bundle(draw);
  const { succession: _, ...bundle } = generated.bundle;
  return draw.below(2) === 0 ? generated : { ...generated, bundle };
}

/** What `later` claims, `earlier` claims too. */
function assertNoMore(earlier: Expectation, later: Expectation, message: string): void {
  const claims = ({ level, attestation, batch }: Expectation) =>
    new Set([
      ...LEVELS.slice(1, LEVELS.indexOf(String(level)) + 1),
      ...Object.entries({ attestation, batch }).filter(([, layer]) =>
        (layer as { status: string }).status === "verified"
      ).map(([name]) => name),
    ]);
  assert.deepEqual([...claims(later).difference(claims(earlier))], [], message);
}
