/**
 * Positive controls: gateways with one deliberate defect each. The checks must detect every defect.
 */

import assert from "node:assert/strict";
import type { IntakeRow } from "../../src/proof/format/records.ts";
import type { CommitOutcome, LogStore, RoundStore } from "../../src/gateway/ports.ts";
import { LogFault, type LogPart } from "./checker.ts";
import { obliging } from "./faulty_witnesses.ts";
import { randomDigests, SwitchedWitness } from "./fixture.ts";
import type { MemoryLogStore } from "./memory_store.ts";
import { jobOf, Scenario } from "./scenario.ts";
import { eachScheme } from "../schemes.ts";
import { wrapped } from "./wrapped_witness.ts";

async function assertFault(scenario: Scenario, part: LogPart): Promise<void> {
  const found = await scenario.check().catch((error: unknown) => error);
  assert.ok(found instanceof LogFault, "the checker noticed nothing");
  assert.equal(found.part, part);
}

/** `store` with another commit of digests. */
function withCommit(store: MemoryLogStore, commit: RoundStore["commit"]): LogStore {
  return {
    rounds: { ...store.rounds, commit },
    tree: store.tree,
    sths: store.sths,
    successions: store.successions,
    index: store.index,
    spent: store.spent,
    spentIndex: store.spentIndex,
    takeFence: () => store.takeFence(),
    checkFence: () => store.checkFence(),
    close: () => store.close(),
  };
}

/** `rows`, moved to begin at `first`. */
function movedTo(first: number, rows: readonly IntakeRow[]): IntakeRow[] {
  const offset = first - (rows[0]?.first ?? first);
  return rows.map((row) => ({ ...row, first: row.first + offset }));
}

eachScheme.test("control: a committer that repeats a commit after an unknown outcome stores a digest twice", async (scheme) => {
  const scenario = new Scenario(scheme);
  const store = scenario.open();
  const broken = withCommit(store, async (rows, rounds): Promise<CommitOutcome> => {
    try {
      return await store.rounds.commit(rows, rounds);
    } catch {
      const last = (await store.rounds.lastRow())!;
      const end = last.first + last.digests.length / 32;
      return await store.rounds.commit(movedTo(end, rows), rounds);
    }
  });
  let isFirst = true;
  store.fault = (kind) => {
    const fails = kind === "intake" && isFirst;
    isFirst &&= !fails;
    return fails ? "fail_but_stored" : undefined;
  };
  const { gateway } = await scenario.start(broken, { maxAgeMs: 1e9 });
  await gateway.jobs.accept(randomDigests(2));
  await gateway.stop();
  await assertFault(scenario, "digests");
});

eachScheme.test("control: a committer that treats an error as success loses acknowledged digests", async (scheme) => {
  const scenario = new Scenario(scheme);
  const store = scenario.open();
  const broken = withCommit(
    store,
    (rows, rounds) => store.rounds.commit(rows, rounds).catch(() => "stored"),
  );
  store.fault = (kind, ordinal) =>
    kind === "intake" && ordinal < 20 ? "fail_not_stored" : undefined;
  const { gateway } = await scenario.start(broken, { maxAgeMs: 1e9 });
  await scenario.submit(gateway, randomDigests(2));
  await gateway.stop();
  await assertFault(scenario, "promises");
});

/**
 * Two processes over one log: the second starts and forms other rounds while the first waits for its
 * witnesses, which answer only then. The second one's witnesses check nothing and remember nothing:
 * others would have it form the same rounds.
 */
async function runTwoProcesses(scenario: Scenario, first: LogStore): Promise<readonly unknown[]> {
  const { witnesses } = scenario.network;
  const answered = Promise.withResolvers<void>();
  const slow = witnesses.map((witness) =>
    wrapped(witness, {
      sign: async (...args) => {
        const signature = await witness.sign(...args);
        await answered.promise;
        return signature;
      },
    })
  );
  const old = await scenario.start(first, { maxAgeMs: 1e9, witnesses: slow });
  await scenario.submit(old.gateway, randomDigests(3));
  await scenario.submit(old.gateway, randomDigests(2));
  const { heads, signers } = scenario.network;
  const next = await scenario.start(scenario.open(), {
    maxAgeMs: 1e9,
    witnesses: witnesses.map(({ id }, i) =>
      new SwitchedWitness(obliging(id, signers[i]!, () => {}), heads)
    ),
  });
  await scenario.clock.until(async () => (await jobOf(next.gateway, 4)).status === "confirmed");
  answered.resolve();
  await scenario.clock.advance(20_000);
  await next.gateway.stop();
  await old.gateway.stop();
  return old.faults;
}

eachScheme.test("control: without a fence two processes sign overlapping rounds", async (scheme) => {
  const scenario = new Scenario(scheme);
  const store = scenario.open();
  const unfenced = withCommit(store, async (rows, rounds) => {
    await store.takeFence();
    return await store.rounds.commit(rows, rounds);
  });
  await runTwoProcesses(scenario, unfenced);
  // The strict store refuses it at once; a plain one accepts it, and the checker reports it.
  await assertFault(scenario, "rules");
});

eachScheme.test("with a fence the first of two processes can no longer write", async (scheme) => {
  const scenario = new Scenario(scheme);
  const faults = await runTwoProcesses(scenario, scenario.open());
  assert.equal((faults[0] as { code?: string }).code, "fence_lost");
  await scenario.check();
});

/** A gateway over an old copy of the log, which then accepts other digests than the log did. */
async function runOldCopy(scenario: Scenario, isObliging: boolean): Promise<void> {
  const first = await scenario.start(scenario.open());
  await scenario.submit(first.gateway, randomDigests(5));
  await scenario.settle(first.gateway);
  const backup = scenario.log.copy();
  await scenario.submit(first.gateway, randomDigests(5));
  await scenario.settle(first.gateway);
  await first.gateway.stop();

  const { heads, witnesses, signers } = scenario.network;
  const old = new Scenario(scenario.network.network.signature_scheme, backup);
  const witnessesAsked = isObliging
    ? witnesses.map(({ id }, i) => new SwitchedWitness(obliging(id, signers[i]!, () => {}), heads))
    : witnesses;
  const second = await scenario.start(old.open(), { witnesses: witnessesAsked });
  await second.gateway.jobs.accept(randomDigests(5)).catch(() => {});
  await scenario.clock.advance(30_000);
  await second.gateway.stop();
}

eachScheme.test("control: witnesses that check nothing let an old copy fork the log", async (scheme) => {
  const scenario = new Scenario(scheme);
  await runOldCopy(scenario, true);
  assert.deepEqual(scenario.network.heads.forks, [10]);
});

eachScheme.test("witnesses that check prevent an old copy from forking the log", async (scheme) => {
  const scenario = new Scenario(scheme);
  await runOldCopy(scenario, false);
  assert.deepEqual(scenario.network.heads.forks, []);
});
