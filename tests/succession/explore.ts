/**
 * Visits every state of two gateways of which one is a copy: about 1.3 million, in two minutes.
 *
 * @module
 */

import { explore, type Scenario } from "./model.ts";

const ARMED = ["A", "A", "A", "A"];
const SCENARIOS: readonly Scenario[] = [
  { gateways: ["A", "A"], armed: ARMED },
  { gateways: ["A", "B"], armed: ["A", "AB", "B", "AB"] },
];
for (const scenario of SCENARIOS) {
  const { states, violation } = explore(scenario);
  console.log(JSON.stringify(scenario), `${states} states`, violation ?? "no violation");
  if (violation !== undefined) Deno.exitCode = 1;
}
