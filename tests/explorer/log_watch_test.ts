import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import { findingText, memoryText } from "../../src/explorer/finding_text.ts";
import { HeadStore } from "../../src/client/head_store.ts";
import { LogWatch } from "../../src/explorer/log_watch.ts";
import { historyOf } from "../gateway/federation/histories.ts";
import { TestNetwork } from "../proof/verify/fixture.ts";
import { contextOf, FINGERPRINT, MemoryStorage, ShownLog } from "./shown_log.ts";

const network = new TestNetwork("net.example/watched");
const log = historyOf(network, "one", 3, 9);
const other = historyOf(network, "other", 3, 9);

function watchOf(storage = new MemoryStorage()) {
  const source = new ShownLog(log, 5);
  const trust = { network: network.configuration, fingerprint: FINGERPRINT, isPinned: true };
  const names: string[] = [];
  const parts = {
    trust: () => Promise.resolve(trust),
    context: () => Promise.resolve(contextOf(network, source, storage)),
    exclusively: <T>(name: string, work: () => Promise<T>) => {
      names.push(name);
      return work();
    },
  };
  return { storage, source, parts, names, watch: new LogWatch(parts) };
}

Deno.test("a watch tells what it checks, then what it found", async () => {
  const { watch, names } = watchOf();
  const told: string[] = [];
  const end = watch.subscribe(() =>
    told.push(`${watch.state.isChecking} ${watch.state.check?.finding}`)
  );
  await watch.check();
  await watch.check();
  end();
  await watch.check();
  assert.deepEqual(told, ["true undefined", "false first", "true first", "false same"]);
  assert.deepEqual(names, [network.id, network.id, network.id]);
});

Deno.test("evidence of an earlier visit stays in sight until the reader forgets it", async () => {
  const { watch, source, storage } = watchOf();
  await watch.check();
  source.log = other;
  await watch.check();
  const { evidence } = watch.state;
  assert.equal(watch.state.check!.finding, "fork");
  assert.equal(evidence, watch.state.check!.evidence);

  const later = watchOf(storage);
  await later.watch.check();
  assert.deepEqual([later.watch.state.check!.finding, later.watch.state.evidence], [
    "same",
    evidence,
  ]);
  await later.watch.forget();
  assert.deepEqual([later.watch.state.check!.finding, later.watch.state.evidence], [
    "first",
    undefined,
  ]);
});

Deno.test("a newer check takes the place of the one that runs", async () => {
  const { watch, source, parts } = watchOf();
  let release = () => {};
  const held = new Promise<void>((resolve) => release = resolve);
  let turn = 0;
  const slow = new LogWatch({
    ...parts,
    trust: async () => {
      if (turn++ === 0) await held;
      return await parts.trust();
    },
  });
  const first = slow.check();
  source.size = 9;
  await slow.check();
  assert.equal(slow.state.check!.seen!.tree_head.tree_size, 9);
  source.size = 4;
  release();
  await first;
  assert.deepEqual([slow.state.check!.seen!.tree_head.tree_size, slow.state.isChecking], [
    9,
    false,
  ]);
  assert.equal(watch.state.check, undefined);
});

Deno.test("another tab's change is looked at when it is about this log", async () => {
  const { watch, source, storage, names } = watchOf();
  await watch.storageChanged(null);
  assert.equal(names.length, 0, "before the first check there is nothing to compare");
  await watch.check();
  await watch.storageChanged("countersign.theme");
  assert.equal(names.length, 1);
  source.size = 9;
  const elsewhere = watchOf(storage);
  elsewhere.source.size = 9;
  await elsewhere.watch.check();
  await watch.storageChanged(`countersign.head.${network.id}`);
  assert.equal(watch.state.check!.finding, "same");
  const stored = new HeadStore(storage.open).read(network.id);
  assert.ok(stored.kind === "head" && stored.head.sth.tree_head.tree_size === 9);
});

Deno.test("without a configuration nothing is checked, and it is told why", async () => {
  const { parts } = watchOf();
  const fault = new CountersignError("gateway_unreachable", "Cannot obtain configuration");
  const watch = new LogWatch({ ...parts, trust: () => Promise.reject(fault) });
  await watch.check();
  assert.deepEqual(watch.state, { isChecking: false, fault });
});

Deno.test("an outage takes no evidence out of sight", async () => {
  const { source, parts } = watchOf();
  const fault = new CountersignError("gateway_unreachable", "Cannot obtain configuration");
  let isDown = false;
  const trust = () => isDown ? Promise.reject(fault) : parts.trust();
  const watch = new LogWatch({ ...parts, trust });
  await watch.check();
  source.log = other;
  await watch.check();
  const { evidence, trust: known } = watch.state;
  assert.notEqual(evidence, undefined);
  isDown = true;
  await watch.check();
  assert.deepEqual(watch.state, { isChecking: false, trust: known, evidence, fault });
  assert.equal(watch.stored()?.kind, "head");
});

Deno.test("every finding that is not good says what to do", () => {
  const findings = ["empty", "first", "same", "extends", "outdated", "fork", "unproven", "denied"]
    .concat(
      "other_keys",
      "unverified",
      "two_successions",
      "other_network",
      "refused",
      "unreachable",
    );
  for (const finding of findings) {
    const { tone, steps } = findingText({ finding: finding as "fork", memory: "kept" });
    assert.equal(steps.length > 0, tone === "warn" || tone === "bad", finding);
  }
  assert.equal(findingText({ finding: "fork", memory: "unchanged" }).tone, "bad");
  assert.equal(memoryText({ memory: "kept" }), undefined);
  assert.match(memoryText({ memory: "full" })!, /does not remember/);
  for (const memory of ["full", "blocked", "damaged"] as const) {
    const { title, tone } = findingText({ finding: "first", memory });
    assert.match(title, /nothing to compare/);
    assert.equal(tone, "warn", "nobody is told that something is remembered which is not");
  }
});
