/**
 * Every interleaving of the model of rounds keeps its rules, and each weakened variant breaks one.
 * `deno task rounds:explore` visits far more states.
 *
 * @module
 */

import assert from "node:assert/strict";
import { IS_LONG, ofLongRuns } from "../../long_runs.ts";
import { explore, type Scenario } from "./model.ts";
import type { Weakness } from "./rules.ts";
import { FOUR, THREE } from "./scenarios.ts";

const ANY: Scenario = { ...THREE, gateways: "any", sequences: 2, times: 1 };
const ONE: Scenario = { ...THREE, gateways: 1, sequences: 2, times: 1 };
const PAIR: Scenario = { ...THREE, gateways: 2, sequences: 1, times: 1 };
const LONG_PAIR: Scenario = { ...PAIR, sequences: 2 };
const FOUR_PAIR: Scenario = { ...FOUR, gateways: 2, sequences: 1, times: 1 };
/** Of scenarios with more. No change of the program changes the model. */
const SOME_STATES = IS_LONG ? 15_000 : 3_000;

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "gateways that propose anything to three witnesses": ANY,
  "gateways that propose anything to four witnesses, of which one lies": { ...ANY, ...FOUR },
  "one gateway and its lost stores": ONE,
  "two gateways and their lost stores": PAIR,
  "two gateways with rounds of different sizes": LONG_PAIR,
  "two gateways and four witnesses, of which one lies": FOUR_PAIR,
};

for (const [name, scenario] of Object.entries(SCENARIOS)) {
  Deno.test(`no sequence gets two texts, and each signed one is completed: ${name}`, () => {
    const { violation, states } = explore(scenario, SOME_STATES);
    assert.deepEqual(violation, undefined);
    assert(states > 1_000, `${states} states`);
  });
}

Deno.test("two witnesses of four that lie, more than 2t - n - 1, make two texts", () => {
  const { violation } = explore({ ...FOUR_PAIR, liars: 2, times: 0 });
  assert.match(violation?.rule ?? "", /two texts/);
});

const TWO_TEXTS = /two texts of one sequence/;
const OLD_TIME = /no honest witness signed .* when it was new/;
const NOT_COMPLETED = /does not complete/;

const CAUGHT: readonly (readonly [Weakness, Scenario, RegExp])[] = [
  ["keeps digests only", ANY, TWO_TEXTS],
  ["signs before it stores", ANY, TWO_TEXTS],
  ["counts one voucher", { ...ANY, ...FOUR }, OLD_TIME],
  ["checks the time first", PAIR, NOT_COMPLETED],
  ["does not learn", PAIR, NOT_COMPLETED],
  ["learns from fewer", PAIR, NOT_COMPLETED],
  ["asks no more than a quorum", PAIR, NOT_COMPLETED],
  ["never gives up", PAIR, NOT_COMPLETED],
  ["ignores what is beyond its digests", LONG_PAIR, NOT_COMPLETED],
  ["counts one kind of conflict", LONG_PAIR, NOT_COMPLETED],
  ["does not wait for rounds in the way", LONG_PAIR, NOT_COMPLETED],
];

for (const [weakness, scenario, rule] of CAUGHT) {
  const { gateways, count } = scenario;
  const { test } = scenario === ANY ? Deno : ofLongRuns;
  test(`the model catches a witness or gateway that ${weakness} (${gateways}, ${count})`, () => {
    const { violation } = explore({ ...scenario, weakness }, 100_000);
    assert.match(violation?.rule ?? "nothing", rule);
  });
}
