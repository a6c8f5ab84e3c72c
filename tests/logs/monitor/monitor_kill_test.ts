import assert from "node:assert/strict";
import { CountersignError } from "../../../src/base/errors.ts";
import { forkOf, Killed, Place, World } from "./monitored_world.ts";

/** A fork, an outage that ends, and an acknowledgement; `afterPoll` may restart the monitor. */
async function play(world: World, poll: () => Promise<void>): Promise<void> {
  const operator = new Place("operator", world.log);
  const mirror = new Place("mirror", world.log);
  world.places.splice(0, 1, operator, mirror);
  await poll();
  world.log.grow(30);
  mirror.log = forkOf(world, 200, 320);
  await poll();
  operator.fault = new CountersignError("gateway_unreachable", "no answer");
  await poll();
  await poll();
  const fork = world.findings.find(({ kind }) => kind === "fork")!;
  world.store.acknowledged.set(fork.id, { id: fork.id });
  operator.fault = undefined;
  mirror.log = world.log;
  await poll();
  await poll();
}

const EXPECTED = ["fork mirror opened", "outage operator opened", "outage operator ended"];

for (const isAfter of [false, true]) {
  Deno.test(`a monitor that is killed ${isAfter ? "after" : "before"} any step loses no alert and repeats none`, async () => {
    const world = new World({ graceSeconds: 0 });
    await play(world, () => world.poll());
    assert.deepEqual(world.said, EXPECTED);
    const steps = world.store.calls;
    assert.ok(steps > 20);
    for (let at = 1; at <= steps; at++) {
      const killed = new World({ graceSeconds: 0 });
      killed.store.killsAfter = isAfter;
      killed.store.killAt = at;
      let kills = 0;
      await play(killed, async () => {
        for (;;) {
          try {
            return await killed.poll();
          } catch (error) {
            if (!(error instanceof Killed)) throw error;
            kills++;
            killed.store.killAt = Infinity;
            killed.restart();
          }
        }
      });
      assert.equal(kills, 1, `step ${at}`);
      // A receiver knows a repeated alert by its id.
      const seen = new Map(killed.alerts.map((alert, i) => [alert.id, killed.said[i]!]));
      assert.deepEqual([...seen.values()], EXPECTED, `step ${at}`);
      assert.ok(killed.alerts.length <= EXPECTED.length + 1);
      assert.equal(killed.store.acknowledged.size, 0);
      assert.ok(killed.findings.find(({ kind }) => kind === "fork")!.acknowledged_at !== undefined);
      assert.equal(killed.store.evidence.size, 1);
    }
  });
}
