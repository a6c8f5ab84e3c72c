import assert from "node:assert/strict";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { randomDigests } from "./fixture.ts";
import { type Death, MortalProcess } from "./mortal_process.ts";
import { partOf, Scenario } from "./scenario.ts";

const DIGESTS = 20;
const BATCHES = { maxAgeMs: 10, maxLeaves: 12 };

/** One process over the log, under load, until it has nothing more to do or is dead. */
async function runProcess(
  scenario: Scenario,
  process: MortalProcess,
): Promise<Gateway | undefined> {
  const store = scenario.open();
  store.fault = process.fault;
  let gateway: Gateway | undefined;
  const faults: unknown[] = [];
  const note = (error: unknown) => faults.push(error);
  const options = {
    ...BATCHES,
    clock: process.clock(scenario.clock),
    witnesses: process.witnesses(scenario.network.witnesses),
  };
  scenario.start(store, options).then((running) => gateway = running.gateway).catch(note);
  await scenario.clock.advance(5);
  const digests = randomDigests(DIGESTS);
  for (let wave = 0; wave < 2 && gateway !== undefined; wave++) {
    for (let client = 0; client < 5; client++) {
      const part = partOf(digests, wave * 5 + client, 2);
      scenario.submit(gateway, part).catch(note);
    }
    await scenario.clock.advance(15);
    // What it answers before it dies, clients have seen.
    scenario.observe(gateway).catch(note);
    await scenario.clock.advance(15);
  }
  await scenario.clock.advance(100);
  assert.deepEqual(faults, []);
  return gateway;
}

/** A process that lives: everything acknowledged is confirmed and published, and all is sound. */
async function recover(scenario: Scenario): Promise<void> {
  const { gateway, faults } = await scenario.start(scenario.open(), BATCHES);
  await scenario.observe(gateway);
  await scenario.submit(gateway, randomDigests(3));
  await scenario.settle(gateway);
  await scenario.checkFinished(gateway);
  assert.deepEqual(faults, []);
  await gateway.stop();
}

/** How many operations the process makes when nothing kills it. */
async function countOperations(): Promise<number> {
  const scenario = new Scenario();
  const process = new MortalProcess();
  const gateway = await runProcess(scenario, process);
  const { operations } = process;
  assert.equal(scenario.acknowledged.size, DIGESTS);
  await scenario.checkFinished(gateway!);
  await gateway!.stop();
  return operations;
}

for (const death of ["hang_not_stored", "hang_but_stored"] satisfies Death[]) {
  Deno.test(`whichever operation kills the gateway (${death}), the next one goes on`, async () => {
    const operations = await countOperations();
    assert.ok(operations > 30, `${operations} operations`);
    let acknowledged = 0;
    for (let n = 1; n <= operations; n++) {
      const scenario = new Scenario();
      const process = new MortalProcess(n, death);
      await runProcess(scenario, process);
      assert.ok(process.isDead, `alive after operation ${n}`);
      acknowledged += scenario.acknowledged.size;
      await recover(scenario);
    }
    // The matrix says something only if clients were told something before the end.
    assert.ok(acknowledged > operations * DIGESTS / 4);
  });
}

Deno.test("a gateway that dies again and again while it recovers loses nothing", async () => {
  const operations = await countOperations();
  for (let n = 3; n <= operations; n += 3) {
    const scenario = new Scenario();
    const deaths: Death[] = ["hang_but_stored", "hang_not_stored"];
    for (let life = 0; life < 5; life++) {
      const lastOrdinal = life === 0 ? n : 3 + (5 * n + 11 * life) % 40;
      await runProcess(scenario, new MortalProcess(lastOrdinal, deaths[(n + life) % 2]!));
    }
    await recover(scenario);
  }
});
