/**
 * Kills of a gateway at every operation of its store and its witnesses while a client follows events:
 * no cursor runs ahead of what is durable, and the next process continues exactly.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { EventFeed } from "../../src/gateway/events/event_feed.ts";
import { ALL_EVENTS, parseCursor, START_POSITION } from "../../src/gateway/events/event_ports.ts";
import type { LogEvent } from "../../src/gateway/events/event_page.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { FEED_LIMITS } from "../../src/http/events/event_bounds.ts";
import { IS_LONG } from "../long_runs.ts";
import { eachScheme, SWEEP_STRIDE } from "../schemes.ts";
import { nameOf, Transcript } from "./event_site.ts";
import { randomDigests } from "./fixture.ts";
import type { MemoryLog } from "./memory_log.ts";
import { type Death, MortalProcess } from "./mortal_process.ts";
import { Scenario } from "./scenario.ts";

const WAVES = 4;
const BATCHES = { maxAgeMs: 10, maxLeaves: 12 };

/** A client that follows one gateway after another. */
class Follower {
  readonly events: LogEvent[] = [];
  readonly #scenario: Scenario;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  /** Forgets the last `count` events, which the client had not read when the gateway died. */
  forget(count: number): void {
    this.events.splice(Math.max(0, this.events.length - count));
  }

  /** Follows `gateway` from the last event on. */
  async follow(gateway: Gateway, process: MortalProcess): Promise<EventFeed> {
    const { log, clock } = this.#scenario;
    const feed = new EventFeed({
      log: gateway.eventLog,
      clock: process.clock(clock),
      report: (error) => assert.ok(process.isDead, String(error)),
      limits: FEED_LIMITS,
    });
    const last = this.events.at(-1);
    const after = last === undefined ? START_POSITION : parseCursor(last.id);
    const subscription = await feed.subscribe({ filter: ALL_EVENTS, after });
    const transcript = new Transcript(ALL_EVENTS, (page) => {
      for (const event of page.frames as LogEvent[]) {
        assert.ok(isDurable(log, event), `${nameOf(event)} is durable`);
        this.events.push(event);
      }
    });
    subscription.read(transcript);
    assert.equal(transcript.hasGap, false);
    return feed;
  }
}

function isDurable(log: MemoryLog, { json }: LogEvent): boolean {
  const { type, data } = JSON.parse(json);
  switch (type) {
    case "attestation.accepted":
      return data.sequence < log.end;
    case "attestation.confirmed":
      return [...log.rounds].some(([first, { size }]) =>
        first <= data.sequence && data.sequence < first + size
      );
    case "batch.closed":
      return log.sths.has(data.tree_size);
    default:
      return log.sths.has(data.tree_head.tree_size);
  }
}

/** Runs one process over the log under load until it is idle or dead. */
async function runProcess(
  scenario: Scenario,
  process: MortalProcess,
  follower: Follower,
): Promise<void> {
  const store = scenario.open();
  store.fault = process.fault;
  const options = {
    ...BATCHES,
    clock: process.clock(scenario.clock),
    witnesses: process.witnesses(scenario.network.witnesses),
  };
  let gateway: Gateway | undefined;
  void scenario.start(store, options).then((running) => gateway = running.gateway);
  await scenario.clock.advance(5);
  if (gateway === undefined) return;
  void follower.follow(gateway, process);
  for (let wave = 0; wave < WAVES; wave++) {
    void scenario.submit(gateway, randomDigests(5));
    await scenario.clock.advance(30);
  }
  await scenario.clock.advance(100);
}

/** Runs a process without a kill: the follower ends with every event, each once. */
async function recover(scenario: Scenario, follower: Follower): Promise<void> {
  const { gateway, faults } = await scenario.start(scenario.open(), BATCHES);
  const following = follower.follow(gateway, new MortalProcess());
  await scenario.clock.advance(0);
  await scenario.submit(gateway, randomDigests(3));
  await scenario.settle(gateway);
  await scenario.clock.advance(1_000);
  const { accepted, confirmed } = gateway.eventLog;
  const sizes = [...scenario.log.sths.keys()].toSorted((a, b) => a - b);
  const received = (type: string) =>
    follower.events.map(nameOf).filter((name) => name.startsWith(`${type} `));
  const named = (type: string, numbers: readonly number[]) => numbers.map((n) => `${type} ${n}`);
  for (const [type, count] of [["accepted", accepted], ["confirmed", confirmed]] as const) {
    const sequences = Array.from({ length: count }, (_, i) => i);
    assert.deepEqual(received(`attestation.${type}`), named(`attestation.${type}`, sequences));
  }
  for (const type of ["batch.closed", "sth.published"]) {
    assert.deepEqual(received(type), named(type, sizes));
  }
  assert.deepEqual(faults, []);
  await (await following).stop();
  await gateway.stop();
}

async function countOperations(scheme: SignatureScheme): Promise<number> {
  const scenario = new Scenario(scheme);
  const process = new MortalProcess();
  await runProcess(scenario, process, new Follower(scenario));
  return process.operations;
}

for (const death of ["hang_not_stored", "hang_but_stored"] satisfies Death[]) {
  eachScheme.test(`events continue exactly after any operation kills the gateway (${death})`, async (scheme) => {
    const operations = await countOperations(scheme);
    assert.ok(operations > 30, `${operations} operations`);
    const stride = SWEEP_STRIDE[scheme] * (IS_LONG || death === "hang_but_stored" ? 1 : 4);
    let received = 0;
    for (let n = 1; n <= operations; n += stride) {
      const scenario = new Scenario(scheme);
      const follower = new Follower(scenario);
      const process = new MortalProcess(n, death);
      await runProcess(scenario, process, follower);
      received += follower.events.length;
      follower.forget(n % 4);
      await recover(scenario, follower);
    }
    assert.ok(
      received > operations / stride,
      "clients received events before the kills",
    );
  });
}
