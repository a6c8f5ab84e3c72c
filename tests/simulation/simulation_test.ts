/** Runs some seeds of the simulation; `deno task simulate` runs thousands. */

import assert from "node:assert/strict";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { IS_LONG } from "../long_runs.ts";
import { eachScheme } from "../schemes.ts";
import { simulate } from "./simulation.ts";

/** `bls` gets fewer seeds: its rounds cost several times as much and see the same faults. */
const SEEDS: Readonly<Record<SignatureScheme, number>> = IS_LONG
  ? { ed25519: 30, bls: 12 }
  : { ed25519: 14, bls: 6 };

const STANDBY_SEEDS = IS_LONG ? 30 : 12;

eachScheme.test("gateways keep their promises under faults", async (scheme) => {
  const sums = { accepted: 0, spent: 0, processes: 0, forks: 0, frontsEnded: 0, laps: 0 };
  for (let seed = 1; seed <= SEEDS[scheme]; seed++) {
    const result = await simulate({ seed, scheme });
    assert.equal(result.fault, undefined, `deno task simulate --scheme ${scheme} --seed ${seed}`);
    assert.equal(result.published, result.accepted);
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += result[name];
  }
  // The seeds must have exercised the gateways. A starting gateway accepts nothing before the
  // witnesses agree, and one with a full disk accepts nothing.
  assert.ok(sums.accepted > 10 * SEEDS[scheme], `${sums.accepted} accepted`);
  assert.ok(sums.spent > 3 * SEEDS[scheme], `${sums.spent} spent`);
  assert.ok(sums.processes > 3 * SEEDS[scheme], `${sums.processes} processes`);
  assert.ok(sums.frontsEnded > SEEDS[scheme] / 3, `${sums.frontsEnded} fronts ended`);
  assert.ok(sums.laps > SEEDS[scheme] / 2, `${sums.laps} laps`);
  assert.ok(sums.forks >= Math.floor(SEEDS[scheme] / 10), `${sums.forks} forks`);
});

Deno.test("gateways with standbys keep their promises over PostgreSQL under faults", async () => {
  const sums = { accepted: 0, processes: 0 };
  for (let seed = 1; seed <= STANDBY_SEEDS; seed++) {
    const result = await simulate({ seed, scheme: "ed25519", engine: "postgres" });
    const again = `deno task simulate --engine postgres --seed ${seed}`;
    assert.equal(result.fault, undefined, again);
    assert.equal(result.published, result.accepted, again);
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += result[name];
  }
  assert.ok(sums.accepted > 10 * STANDBY_SEEDS, `${sums.accepted} accepted`);
  assert.ok(sums.processes > 3 * STANDBY_SEEDS, `${sums.processes} processes`);
});

eachScheme.test("the same seed gives the same trace, and different seeds give different traces", async (scheme) => {
  const traces = new Map<number, string[]>();
  for (const seed of [7, 8, 7]) {
    const lines: string[] = [];
    const { digest } = await simulate({ seed, scheme, print: (line) => lines.push(line) });
    const before = traces.get(seed);
    // Compare whole traces, so that a failure shows where they differ.
    if (before !== undefined) assert.deepEqual([...lines, digest], before);
    traces.set(seed, [...lines, digest]);
  }
  const digests = [...traces.values()].map((lines) => lines.at(-1));
  assert.equal(new Set(digests).size, 2);
});

Deno.test("a simulation does not change globals of the runtime", async () => {
  const before = [
    crypto.getRandomValues,
    crypto.randomUUID,
    Math.random,
    Date.now,
    AbortSignal.timeout,
    globalThis.setTimeout,
    globalThis.setInterval,
    globalThis.clearTimeout,
    globalThis.clearInterval,
  ];
  await simulate({ seed: 1, scheme: "ed25519" });
  assert.deepEqual([
    crypto.getRandomValues,
    crypto.randomUUID,
    Math.random,
    Date.now,
    AbortSignal.timeout,
    globalThis.setTimeout,
    globalThis.setInterval,
    globalThis.clearTimeout,
    globalThis.clearInterval,
  ], before);
});
