import assert from "node:assert/strict";
import type { Clock } from "../../src/base/clock.ts";
import { ReturningClients } from "../../src/gateway/intake/returning_clients.ts";
import { FakeClock } from "../fake_clock.ts";

/** A clock that goes on with each look at it. */
class PassingClock extends FakeClock implements Clock {
  readonly sleeps: number[] = [];
  #now = 0;

  constructor(now: number, readonly step: number) {
    super();
    this.#now = now;
  }

  override elapsedMs(): number {
    return this.#now += this.step;
  }

  override sleep(ms: number): Promise<void> {
    this.sleeps.push(ms);
    return Promise.resolve();
  }
}

Deno.test("ReturningClients waits for a positive time, though the clock goes on meanwhile", async () => {
  for (let step = 0.05; step < 2; step += 0.05) {
    const clock = new PassingClock(100, step);
    const clients = new ReturningClients(clock, 2);
    // Those of the first answer have returned, and those of the second are expected.
    clients.answered(1, 0);
    clients.arrived(1);
    clients.answered(1, 1);
    for (let i = 0; i < 60; i++) await clients.wait();
    assert.ok(clock.sleeps.length > 0, `${step}`);
    assert.ok(clock.sleeps.every((ms) => ms > 0), `${step}: ${clock.sleeps.join()}`);
  }
});
