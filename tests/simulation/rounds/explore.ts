/**
 * Visits every state of the model of rounds, in some minutes. The last scenario has more states than memory has room for;
 * it ends after 3 million.
 *
 * @module
 */

import { explore, type Scenario } from "./model.ts";
import { FOUR, THREE } from "./scenarios.ts";

const LIMIT = 3_000_000;
const SCENARIOS: readonly Scenario[] = [
  { ...THREE, gateways: "any", sequences: 2, times: 2 },
  { ...FOUR, gateways: "any", sequences: 2, times: 2 },
  { ...THREE, gateways: 1, sequences: 2, times: 1 },
  { ...FOUR, gateways: 1, sequences: 2, times: 1 },
  { ...THREE, gateways: 2, sequences: 1, times: 2 },
  { ...FOUR, gateways: 2, sequences: 1, times: 2 },
  { ...THREE, gateways: 1, sequences: 2, times: 2 },
  { ...THREE, gateways: 2, sequences: 2, times: 1 },
];
for (const scenario of SCENARIOS) {
  const { states, split, violation } = explore(scenario, LIMIT);
  const found = JSON.stringify({ ...scenario, states, split, violation: violation ?? null });
  await Deno.stdout.write(new TextEncoder().encode(`${found}\n`));
  if (violation !== undefined) Deno.exitCode = 1;
}
