/**
 * Visits every state of two gateways of which one is a copy, about 1.3 million, and of one that lies.
 *
 * @module
 */

import { explore, type Scenario } from "./model.ts";

const ARMED = ["A", "A", "A", "A"];
const SCENARIOS: readonly Scenario[] = [
  { gateways: ["A", "A"], armed: ARMED },
  { gateways: ["A", "B"], armed: ["A", "AB", "B", "AB"] },
  { gateways: ["A"], armed: ARMED, gatewaysLie: true },
];
for (const scenario of SCENARIOS) {
  const { states, violation } = explore(scenario);
  const found = JSON.stringify({ ...scenario, states, violation: violation ?? null });
  await Deno.stdout.write(new TextEncoder().encode(`${found}\n`));
  if (violation !== undefined) Deno.exitCode = 1;
}
