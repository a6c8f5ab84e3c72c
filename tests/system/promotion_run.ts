/**
 * Lets a PostgreSQL server die and promotes its lagging replica, again and again, at random moments under
 * load. Each time the gateway completes what witnesses signed, or refuses, and no client's attestation is
 * contradicted:
 *
 *     deno task promotions [--times 50] [--seed N]
 *
 * @module
 */

import process from "node:process";
import { parseArgs } from "node:util";
import { seededRandom } from "../scenarios/crash_plan.ts";
import { inFolder } from "../server/captured_io.ts";
import { runPromotion } from "./promotion_trial.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    times: { type: "string", default: "50" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
  },
});
const seed = Number(values.seed);
const say = (line: string) => process.stdout.write(`${line}\n`);
say(`seed ${seed}`);
let contradicted = 0;
const outcomes = { completes: 0, refuses: 0, completed: 0 };
for (let i = 0; i < Number(values.times); i++) {
  await inFolder(async (folder) => {
    const found = await runPromotion(folder, seededRandom(seed + i));
    outcomes[found.outcome]++;
    if (found.completed > 0) outcomes.completed++;
    contradicted += found.contradicted.length;
    say(
      `${
        i + 1
      }/${values.times}: ${found.attested} attested, ${found.outcome}, ${found.completed} rounds ` +
        `completed, ${found.contradicted.length} contradicted`,
    );
    for (const line of found.contradicted) say(`    ${line}`);
  });
}
say(
  `${outcomes.completes} went on, ${outcomes.completed} of them with lost rounds; ${outcomes.refuses} refused; ` +
    `${contradicted} contradicted`,
);
process.exitCode = contradicted === 0 ? 0 : 1;
