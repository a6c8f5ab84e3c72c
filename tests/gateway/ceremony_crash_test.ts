/**
 * Kills at each step of a succession: of the gateway, and of each witness. Each control forgets one
 * durable write, and has to fail.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CeremonySite, type Forgotten, WITNESSES } from "./ceremony_site.ts";
import { IS_LONG } from "../long_runs.ts";
import { type Death, MortalProcess } from "./mortal_process.ts";

const before = await CeremonySite.begin();

/** Operations of a gateway on its store and on witnesses, until the next epoch has begun. */
async function countOperations(): Promise<number> {
  const process = new MortalProcess();
  const site = before.with({});
  const gateway = await site.live(process);
  await gateway!.stop();
  return process.operations;
}

/** The gateway dies in operation `n`, and another one goes on. */
async function killGateway(n: number, death: Death, forgotten?: Forgotten): Promise<void> {
  const site = before.with({ ...(forgotten && { forgotten }) });
  const process = new MortalProcess(n, death);
  const left = await site.live(process);
  // If it has outlived the ceremony, it dies while it stops.
  void left?.stop();
  await site.clock.advance(100);
  await site.finish();
}

/** What is durable is the same before an operation as after the one before it, unless both overlap. */
const STRIDES = [["hang_but_stored", IS_LONG ? 1 : 2], [
  "hang_not_stored",
  IS_LONG ? 3 : 9,
]] satisfies [
  Death,
  number,
][];

for (const [death, stride] of STRIDES) {
  Deno.test(`a succession ends after a kill of the gateway at any operation (${death})`, async () => {
    const operations = await countOperations();
    assert.ok(operations > 40, `${operations} operations`);
    for (let n = 1; n <= operations; n += stride) await killGateway(n, death);
  });
}

Deno.test("a succession ends after a kill of any witness at any access of its state", async () => {
  // The third witness of the first epoch is in both, as the second is.
  for (const victim of WITNESSES.filter((id) => !id.endsWith("/c"))) {
    const calm = before.with({ victim });
    await (await calm.live(new MortalProcess()))!.stop();
    const { steps } = calm.witnesses.get(victim)!;
    assert.ok(steps >= 4, `${steps} accesses of ${victim}`);
    for (let lastStep = 1; lastStep <= steps; lastStep++) {
      await before.with({ victim, lastStep }).finish();
    }
  }
});

const CONTROLS: readonly [Forgotten, RegExp][] = [
  ["document", /the ceremony does not end/],
  ["link", /Cannot use|does not end|links/],
  ["end", /signs beyond the end/],
];

for (const [forgotten, message] of CONTROLS) {
  Deno.test(`control: kills find a process that forgets the ${forgotten} of an epoch`, async () => {
    const operations = await countOperations();
    const sweep = async () => {
      for (let n = operations; n > 0; n -= 3) await killGateway(n, "hang_but_stored", forgotten);
    };
    await assert.rejects(sweep, { message });
  });
}
