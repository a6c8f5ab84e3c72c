/**
 * A process that takes tokens of a supply, one after another, until there are none, and prints them: run
 * by token_supply_test.ts and the test of the npm package with the folder, the gateway and the network id.
 *
 * @module
 */

import process from "node:process";
import { systemClock } from "../../src/base/clock.ts";
import { TokenSupply } from "../../src/cli/token_supply.ts";

const [home = "", gateway = "", networkId = ""] = process.argv.slice(2);
const supply = new TokenSupply(home, { gateway, networkId }, systemClock);
const taken: string[] = [];
for (;;) {
  const [token] = await supply.take(1);
  if (token === undefined) break;
  taken.push(token.token);
}
process.stdout.write(taken.join("\n"));
