import assert from "node:assert/strict";
import type { Gateway } from "../../src/gateway/gateway.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { hasCode } from "../../src/base/errors.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { IS_LONG } from "../long_runs.ts";
import { randomDigests } from "./fixture.ts";
import { MemoryLog, SMALL_LIMITS } from "./memory_log.ts";
import { type Death, MortalProcess } from "./mortal_process.ts";
import { partOf, Scenario } from "./scenario.ts";
import { checkSpent } from "./spending.ts";
import { eachScheme, SWEEP_STRIDE } from "../schemes.ts";

const WAVES = 5;
const CLIENTS = 5;

/** The load of the clients, and the batch limits. */
interface Load {
  /** Digests of one request. */
  readonly request: number;
  readonly batches: { readonly maxAgeMs: number; readonly maxLeaves: number };
}

const LIGHT: Load = { request: 2, batches: { maxAgeMs: 10, maxLeaves: 12 } };
/** Waves that fill tiles and begin new ones. */
const HEAVY: Load = { request: 30, batches: { maxAgeMs: 10, maxLeaves: 16_384 } };

function digestsOf({ request }: Load): number {
  return WAVES * CLIENTS * request;
}

/** Runs one process over the log under load until it is idle or dead. */
async function runProcess(
  scenario: Scenario,
  process: MortalProcess,
  load = LIGHT,
): Promise<Gateway | undefined> {
  const store = scenario.open();
  store.fault = process.fault;
  let gateway: Gateway | undefined;
  const faults: unknown[] = [];
  const note = (error: unknown) => faults.push(error);
  const options = {
    ...load.batches,
    spendsTokens: true,
    clock: process.clock(scenario.clock),
    witnesses: process.witnesses(scenario.network.witnesses),
  };
  scenario.start(store, options).then((running) => gateway = running.gateway).catch(note);
  await scenario.clock.advance(5);
  const digests = randomDigests(digestsOf(load));
  const ids = randomDigests(digestsOf(load));
  for (let wave = 0; wave < WAVES && gateway !== undefined; wave++) {
    for (let client = 0; client < CLIENTS; client++) {
      const [part, spends] = [digests, ids]
        .map((all) => partOf(all, wave * CLIENTS + client, load.request));
      scenario.submit(gateway, part!, client === 1 ? undefined : spends).catch(note);
    }
    // A second client sends the token ids of the first, and is refused.
    const second = partOf(ids, wave * CLIENTS, load.request);
    scenario.submit(gateway, randomDigests(load.request), second).then(
      () => note(new Error("spent twice")),
      (error) => hasCode(error, "token_spent") || note(error),
    );
    await scenario.clock.advance(15);
    // Clients have seen all answers before its death.
    scenario.observe(gateway).catch(note);
    await scenario.clock.advance(15);
  }
  await scenario.clock.advance(100);
  assert.deepEqual(faults, []);
  return gateway;
}

/**
 * Runs a process without a kill: everything acknowledged is confirmed and published, and the log is
 * valid.
 */
async function recover(scenario: Scenario): Promise<void> {
  const spent = [...(await checkSpent(scenario.open())).values()];
  const options = { ...LIGHT.batches, spendsTokens: true };
  const { gateway, faults } = await scenario.start(scenario.open(), options);
  await scenario.observe(gateway);
  for (const id of [spent.at(0), spent.at(-1)]) {
    if (id === undefined) continue;
    const again = scenario.submit(gateway, randomDigests(1), Uint8Array.fromHex(id));
    await assert.rejects(again, { code: "token_spent" });
  }
  await scenario.submit(gateway, randomDigests(3));
  await scenario.finish({ gateway, faults });
}

/** The number of operations of a process that is not killed. */
async function countOperations(
  scheme: SignatureScheme,
  load = LIGHT,
  limits = SMALL_LIMITS,
): Promise<number> {
  const scenario = new Scenario(scheme, new MemoryLog(limits));
  const process = new MortalProcess();
  const gateway = await runProcess(scenario, process, load);
  const { operations } = process;
  assert.equal(scenario.acknowledged.size, digestsOf(load));
  await scenario.checkFinished(gateway!);
  await gateway!.stop();
  return operations;
}

for (const death of ["hang_not_stored", "hang_but_stored"] satisfies Death[]) {
  eachScheme.test(`a gateway continues after a kill at any operation (${death})`, async (scheme) => {
    const operations = await countOperations(scheme);
    assert.ok(operations > 60, `${operations} operations`);
    let acknowledged = 0;
    let lives = 0;
    // What is durable before an operation is so after the one before it, unless both overlap.
    const stride = SWEEP_STRIDE[scheme] * (IS_LONG || death === "hang_but_stored" ? 1 : 4);
    for (let n = 1; n <= operations; n += stride) {
      lives++;
      const scenario = new Scenario(scheme);
      const process = new MortalProcess(n, death);
      await runProcess(scenario, process);
      assert.ok(process.isDead, `alive after operation ${n}`);
      acknowledged += scenario.acknowledged.size;
      await recover(scenario);
    }
    // Clients must have received answers before the kills.
    assert.ok(acknowledged > lives * digestsOf(LIGHT) / 4);
  });
}

eachScheme.test("a kill while tiles fill loses nothing", async (scheme) => {
  const operations = await countOperations(scheme, HEAVY, KV_LOG_LIMITS);
  assert.ok(operations > 40, `${operations} operations`);
  let lives = 0;
  for (let n = 1; n <= operations; n += (IS_LONG ? 2 : 9) * SWEEP_STRIDE[scheme]) {
    const scenario = new Scenario(scheme, new MemoryLog(KV_LOG_LIMITS));
    const death = lives++ % 2 === 0 ? "hang_but_stored" : "hang_not_stored";
    await runProcess(scenario, new MortalProcess(n, death), HEAVY);
    await recover(scenario);
  }
});

eachScheme.test("repeated kills during recovery lose nothing", async (scheme) => {
  const operations = await countOperations(scheme);
  for (let n = 3; n <= operations; n += (IS_LONG ? 3 : 13) * SWEEP_STRIDE[scheme]) {
    const scenario = new Scenario(scheme);
    const deaths: Death[] = ["hang_but_stored", "hang_not_stored"];
    for (let life = 0; life < 5; life++) {
      const lastOrdinal = life === 0 ? n : 3 + (5 * n + 11 * life) % 40;
      await runProcess(scenario, new MortalProcess(lastOrdinal, deaths[(n + life) % 2]!));
    }
    await recover(scenario);
  }
});
