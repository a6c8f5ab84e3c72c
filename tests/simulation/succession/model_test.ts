/**
 * Every interleaving of the model of a succession keeps its rules, and each weakened variant breaks
 * one. `deno task succession:explore` visits every state of two gateways.
 *
 * @module
 */

import assert from "node:assert/strict";
import { IS_LONG, ofLongRuns } from "../../long_runs.ts";
import { explore, type Scenario, type Weakness } from "./model.ts";

const ALL_ARMED = ["A", "A", "A", "A"];
const ONE: Scenario = { gateways: ["A"], armed: ALL_ARMED };
/** A store and its copy, both with the document. */
const FORK: Scenario = { gateways: ["A", "A"], armed: ALL_ARMED };
/** A copy with another document, which some witnesses were armed with as well. */
const RIVALS: Scenario = { gateways: ["A", "B"], armed: ["A", "AB", "B", "AB"] };
/** One that logs the document twice and asks for everything. */
const LIAR: Scenario = { ...ONE, gatewaysLie: true };
/** Of a fork's states; all are 1.3 million. No change of the program changes the model. */
const SOME_STATES = IS_LONG ? 60_000 : 4_000;

ofLongRuns.test("one gateway completes its log from every state, and nothing is contradicted", () => {
  const { violation, links } = explore(ONE);
  assert.deepEqual(violation, undefined);
  assert.deepEqual(links, ["A", "xA"]);
});

const PAIRS = {
  fork: FORK,
  "pair of rivals": RIVALS,
  liar: LIAR,
  "fork of liars": { ...FORK, gatewaysLie: true },
  "pair of rivals that lie": { ...RIVALS, gatewaysLie: true },
};

for (const [name, scenario] of Object.entries(PAIRS)) {
  Deno.test(`a ${name} never has two ends, and no old quorum goes on after one`, () => {
    assert.deepEqual(explore(scenario, SOME_STATES).violation, undefined);
  });
}

const CAUGHT: readonly (readonly [Weakness, Scenario])[] = [
  ["asks the old epoch beyond its end", ONE],
  ["ends beyond signed rounds", FORK],
  ["forgets its end", FORK],
  ["ends again at a larger tree", LIAR],
  ["begins by one signature", FORK],
  ["signs before it stores", FORK],
  ["leaves old epochs open at begin", FORK],
];

ofLongRuns.test("one witness that lies, which 2t - n allows to exist, makes two histories", () => {
  assert(explore({ ...FORK, weakness: "lies", weak: 1 }).violation !== undefined);
});

for (const [weakness, scenario] of CAUGHT) {
  const { test } = weakness === "signs before it stores" ? Deno : ofLongRuns;
  test(`the model catches a witness or gateway that ${weakness}`, () => {
    assert(explore({ ...scenario, weakness }).violation !== undefined);
  });
}
