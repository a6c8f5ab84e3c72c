import assert from "node:assert/strict";
import { followSuccession } from "../../src/proof/verify/followed_network.ts";
import { verifyConflict } from "../../src/proof/verify/succession_conflict.ts";
import { rivalEpochs, threeEpochs } from "../proof/verify/test_succession.ts";
import {
  type ForkEvidence,
  parseContradiction,
  parseEvidence,
} from "../../src/proof/format/federation.ts";
import { HeadStore } from "../../src/client/head_store.ts";
import { checkLog, type LogCheck } from "../../src/client/log_check.ts";
import { encodeRememberedHead } from "../../src/client/remembered_head.ts";
import { verifyContradiction } from "../../src/proof/verify/contradiction.ts";
import { historyOf, loggedHead, TIME } from "../gateway/federation/histories.ts";
import { eachScheme } from "../schemes.ts";
import { nativeCrypto, type TestLog, TestNetwork } from "../proof/verify/fixture.ts";
import {
  contextOf,
  FINGERPRINT,
  MemoryStorage,
  refusal,
  ShownLog,
  unreachable,
} from "../explorer/shown_log.ts";

const NEVER = new AbortController().signal;
const FORK = 3;
const network = new TestNetwork("net.example/page");
const log = historyOf(network, "one", FORK, 12);
const other = historyOf(network, "other", FORK, 12);

/** A page that remembers `log` at `size`, nothing when undefined, and the gateway that it meets. */
function visit(size: number | undefined, shown: TestLog, shownSize: number) {
  const storage = new MemoryStorage();
  if (size !== undefined) storage.texts.set(`countersign.head.${network.id}`, remembered(size));
  const source = new ShownLog(shown, shownSize);
  const context = contextOf(network, source, storage);
  return { storage, source, context, check: () => checkLog(context, NEVER) };
}

function remembered(size: number): string {
  return encodeRememberedHead({ ...loggedHead(log, size), fingerprint: FINGERPRINT, seenAt: TIME });
}

function sizeIn(storage: MemoryStorage): number | undefined {
  const stored = new HeadStore(storage.open).read(network.id);
  return stored.kind === "head" ? stored.head.sth.tree_head.tree_size : undefined;
}

/** The evidence of a fork, which verifies, as `countersign log contradictions --file` reads it. */
async function assertEvidence(check: LogCheck): Promise<ForkEvidence> {
  assert.equal(check.finding, "fork");
  const evidence = parseEvidence(check.evidence!, "malformed_bundle");
  assert.ok("path" in evidence);
  const { valid } = await verifyContradiction(nativeCrypto, network.configuration, evidence);
  assert.ok(valid);
  return evidence;
}

Deno.test("a first visit remembers the head with the log's signature, and the next one knows it", async () => {
  const { storage, source, check } = visit(undefined, log, 5);
  const first = await check();
  assert.deepEqual([first.finding, first.memory, sizeIn(storage)], ["first", "kept", 5]);
  const stored = new HeadStore(storage.open).read(network.id);
  assert.ok(stored.kind === "head" && stored.head.logSignature !== undefined);
  const second = await check();
  assert.deepEqual([second.finding, second.memory], ["same", "unchanged"]);
  assert.deepEqual(source.asked, []);
});

eachScheme.test("a head that is proved to grow from the remembered one takes its place", async (scheme) => {
  const grown = new TestNetwork(`net.example/page-${scheme}`, { scheme });
  const history = historyOf(grown, "one", FORK, 9);
  const storage = new MemoryStorage();
  const source = new ShownLog(history, 4);
  const context = contextOf(grown, source, storage);
  assert.equal((await checkLog(context, NEVER)).finding, "first");
  source.size = 9;
  const check = await checkLog(context, NEVER);
  assert.deepEqual([check.finding, check.memory, source.asked], ["extends", "kept", ["4 to 9"]]);
  const stored = context.store.read(grown.id);
  assert.ok(stored.kind === "head" && stored.head.sth.tree_head.tree_size === 9);
});

Deno.test("a smaller head that the remembered one grew from is outdated, and not remembered", async () => {
  const { storage, source, check } = visit(9, log, 4);
  const { finding, memory } = await check();
  assert.deepEqual([finding, memory, sizeIn(storage)], ["outdated", "unchanged", 9]);
  assert.deepEqual(source.asked, ["4 to 9"]);
});

Deno.test("a log without a head is empty to a new visitor, and denies what another has seen", async () => {
  for (const [size, finding] of [[undefined, "empty"], [4, "denied"]] as const) {
    const { storage, source, check } = visit(size, log, 4);
    source.refuses.set("head", refusal("no_tree_head"));
    assert.equal((await check()).finding, finding);
    assert.equal(sizeIn(storage), size);
  }
});

Deno.test("a fork is proved at one size and at two, in both directions, and changes no memory", async () => {
  for (const [known, seen] of [[5, 5], [5, 9], [4, 9], [8, 9], [9, 5], [9, 8]] as const) {
    const { storage, check } = visit(known, other, seen);
    const result = await check();
    const { first, second } = await assertEvidence(result);
    // The log's own signature is known of remembered heads and of the gateway's latest.
    if (known <= seen) parseContradiction(result.evidence!, "malformed_bundle");
    const sizes = [first, second].map(({ sth }) => sth.tree_head.tree_size);
    // A proof to another root than the remembered one shows a second head of the remembered size.
    assert.deepEqual(sizes, known <= seen ? [known, seen] : [known, known]);
    assert.equal(result.memory, "unchanged", `${known} and ${seen}`);
    assert.equal(sizeIn(storage), known);
    const kept = new HeadStore(storage.open).evidence(network.id);
    assert.equal(kept, result.evidence);
  }
});

Deno.test("up to where two histories part, one extends the other", async () => {
  const { storage, check } = visit(FORK, other, 9);
  assert.deepEqual([(await check()).finding, sizeIn(storage)], ["extends", 9]);
});

Deno.test("of two pieces of evidence the first stays", async () => {
  const { source, check, context } = visit(5, other, 9);
  const { evidence } = await check();
  source.size = 7;
  assert.notEqual((await check()).evidence, evidence);
  assert.equal(context.store.evidence(network.id), evidence);
});

Deno.test("without the log's signatures a fork is told with all that was seen", async () => {
  const { storage, source, check } = visit(5, other, 9);
  source.refuses.set("checkpoint", refusal("internal"));
  const { first, second, path } = await assertEvidence(await check());
  assert.deepEqual([first.logSignature !== undefined, second.logSignature], [true, undefined]);
  assert.ok(path.length > 0);
  assert.ok(storage.texts.has(`countersign.fork.${network.id}`));
});

Deno.test("evidence has no log signature that does not verify", async () => {
  const { storage, source, check } = visit(5, other, 9);
  const stored = JSON.parse(storage.texts.get(`countersign.head.${network.id}`)!);
  stored.log_signature = "ab".repeat(64);
  storage.texts.set(`countersign.head.${network.id}`, JSON.stringify(stored));
  source.refuses.set("checkpoint", refusal("internal"));
  const { first, second } = await assertEvidence(await check());
  assert.deepEqual([first.logSignature, second.logSignature], [undefined, undefined]);
});

Deno.test("a signed root in a damaged proof is evidence", async () => {
  const { source, check } = visit(5, other, 9);
  const honest = source.consistency.bind(source);
  source.consistency = async (first, second) => {
    const { text, value } = await honest(first, second);
    return { text, value: { ...value, consistency_path: [] } };
  };
  const { first, second, path } = await assertEvidence(await check());
  assert.deepEqual([first, second].map(({ sth }) => sth.tree_head.tree_size), [5, 5]);
  assert.deepEqual(path, []);
});

Deno.test("the first evidence stays when the gateway shows the old history again", async () => {
  const { storage, source, check, context } = visit(5, other, 9);
  const { evidence } = await check();
  source.log = log;
  assert.equal((await check()).finding, "extends");
  assert.equal(sizeIn(storage), 9);
  assert.equal(context.store.evidence(network.id), evidence);
  context.store.forget(network.id);
  assert.deepEqual([...storage.texts], []);
});

Deno.test("a proof that proves nothing is no fork, and moves no memory", async () => {
  const { storage, source, check } = visit(5, log, 9);
  const honest = source.consistency.bind(source);
  source.consistency = async (first, second) => {
    const { text, value } = await honest(first, second);
    return { text, value: { ...value, consistency_path: value.consistency_path.slice(1) } };
  };
  const { finding, evidence, proof, memory } = await check();
  assert.deepEqual([finding, evidence, memory], ["unproven", undefined, "unchanged"]);
  assert.equal(proof!.consistency_path.length, log.consistencyPath(5, 9).length - 1);
  assert.equal(sizeIn(storage), 5);
});

Deno.test("another root that nobody signed is no fork", async () => {
  for (const side of ["first_sth", "second_sth"] as const) {
    const { source, check } = visit(5, log, 9);
    const honest = source.consistency.bind(source);
    source.consistency = async (first, second) => {
      const { text, value } = await honest(first, second);
      const { tree_head, ...signatures } = value[side];
      const forged = { tree_head: { ...tree_head, root_hash: "ab".repeat(32) }, ...signatures };
      return { text, value: { ...value, [side]: forged, consistency_path: [] } };
    };
    assert.equal((await check()).finding, "unproven", side);
  }
});

Deno.test("a gateway that does not know a remembered size denies it", async () => {
  const { storage, source, check } = visit(5, log, 9);
  source.refuses.set("consistency", refusal("tree_size_not_published"));
  const { finding, fault } = await check();
  assert.deepEqual([finding, fault!.code, sizeIn(storage)], ["denied", "gateway_refused", 5]);
});

Deno.test("what is not answered says so, and nothing of the log", async () => {
  for (
    const [question, error, finding] of [
      ["head", unreachable(), "unreachable"],
      ["head", refusal("internal"), "refused"],
      ["consistency", unreachable(), "unreachable"],
      ["consistency", refusal("internal"), "refused"],
      ["consistency", refusal("route_not_found"), "refused"],
    ] as const
  ) {
    const { storage, source, check } = visit(5, log, 9);
    source.refuses.set(question, error);
    const result = await check();
    assert.deepEqual([result.finding, result.memory, sizeIn(storage)], [finding, "unchanged", 5]);
    assert.equal(result.fault!.message, error.message);
  }
});

Deno.test("a head that too few witnesses signed is not remembered", async () => {
  for (const size of [undefined, 5]) {
    const { storage, source, check } = visit(size, log, 9);
    source.places = [0];
    const { finding, outcome } = await check();
    assert.deepEqual([finding, outcome!.reason], ["unverified", "threshold_not_met"]);
    assert.equal(sizeIn(storage), size);
  }
});

Deno.test("a log of another network than the pinned one is no fault, unless it was shown before", async () => {
  const elsewhere = new TestNetwork("net.example/elsewhere");
  const shown = historyOf(elsewhere, "one", FORK, 9);
  for (const [size, expected] of [[undefined, "other_network"], [5, "unverified"]] as const) {
    const { storage } = visit(size, log, 9);
    const { finding, memory } = await checkLog(
      contextOf(network, new ShownLog(shown, 9), storage),
      NEVER,
    );
    assert.deepEqual([finding, memory, sizeIn(storage)], [expected, "unchanged", size]);
  }
});

Deno.test("a remembered head of other keys is told, and kept", async () => {
  const twin = new TestNetwork(network.id, { seeds: ["a", "b", "c"] });
  const { storage } = visit(5, log, 9);
  const source = new ShownLog(historyOf(twin, "one", FORK, 9), 9);
  const check = await checkLog(contextOf(twin, source, storage), NEVER);
  assert.deepEqual([check.finding, check.outcome!.valid], ["other_keys", false]);
  assert.equal(sizeIn(storage), 5);
});

Deno.test("storage that is full, blocked or damaged is told, and the check is made all the same", async () => {
  const full = visit(5, log, 9);
  full.storage.isFull = true;
  const kept = await full.check();
  assert.deepEqual([kept.finding, kept.memory, sizeIn(full.storage)], ["extends", "full", 5]);

  const blocked = visit(5, log, 9);
  blocked.storage.isBlocked = true;
  const unread = await blocked.check();
  assert.deepEqual([unread.finding, unread.memory], ["first", "blocked"]);

  for (const text of ["", "{}", remembered(5).replace(network.id, "net.example/else")]) {
    const damaged = visit(undefined, log, 9);
    damaged.storage.texts.set(`countersign.head.${network.id}`, text);
    const check = await damaged.check();
    assert.deepEqual([check.finding, check.memory], ["first", "damaged"]);
    assert.equal(damaged.storage.texts.get(`countersign.head.${network.id}`), text);
  }
});

Deno.test("a tab that another one overtakes goes on from what that one keeps", async () => {
  const { storage, source, check } = visit(4, log, 7);
  let isFirst = true;
  source.beforeHead = () => {
    if (isFirst) storage.texts.set(`countersign.head.${network.id}`, remembered(9));
    isFirst = false;
  };
  const result = await check();
  assert.deepEqual([result.finding, sizeIn(storage)], ["outdated", 9]);
  assert.deepEqual(source.asked, ["4 to 7", "7 to 9"]);
});

Deno.test("a check that is given up rejects and keeps nothing", async () => {
  const { storage, context, source } = visit(5, log, 9);
  const stop = new AbortController();
  source.beforeHead = () => stop.abort(new Error("the page was left"));
  await assert.rejects(checkLog(context, stop.signal), /the page was left/);
  assert.equal(sizeIn(storage), 5);
});

Deno.test("a head of a later epoch is checked by the chain that the gateway has", async () => {
  const { log, epochs: [zero, one, two], links } = threeEpochs();
  const storage = new MemoryStorage();
  const source = new ShownLog(log, 16);
  const context = contextOf(zero, source, storage);
  log.network = one;
  // Without c, whose key all epochs share.
  source.places = [0, 2];
  assert.equal((await checkLog(context, NEVER)).finding, "unverified");
  source.links = links;
  assert.equal((await checkLog(context, NEVER)).finding, "first");
  log.network = two;
  source.size = 24;
  source.places = [2, 3, 4];
  source.links = links.slice(0, 1);
  assert.equal((await checkLog(context, NEVER)).finding, "unverified");
  source.links = links;
  source.refuses.set("succession", unreachable());
  assert.equal((await checkLog(context, NEVER)).finding, "unverified");
});

Deno.test("a gateway that shows another succession than the followed one is found, with evidence", async () => {
  const { epochs: [zero], links } = threeEpochs();
  const { log, link } = rivalEpochs();
  const { network: followed } = await followSuccession(nativeCrypto, zero.configuration, links);
  const storage = new MemoryStorage();
  const source = new ShownLog(log, 9);
  const context = { ...contextOf(zero, source, storage), network: followed };
  assert.equal((await checkLog(context, NEVER)).finding, "unverified");
  source.links = [link];
  const { finding, evidence } = await checkLog(context, NEVER);
  assert.equal(finding, "two_successions");
  const conflict = parseEvidence(evidence!, "malformed_bundle");
  assert.ok(!("path" in conflict));
  assert.deepEqual([conflict.first, conflict.second], [links[0], link]);
  assert.ok((await verifyConflict(nativeCrypto, zero.configuration, conflict)).valid);
  assert.equal(new HeadStore(storage.open).evidence(zero.id), evidence);
});
