import assert from "node:assert/strict";
import { hasCode } from "../../../src/base/errors.ts";
import type {
  CrossAnchorRequest,
  GrowthProof,
  LoggedTreeHead,
} from "../../../src/proof/format/federation.ts";
import { showFirstRoot } from "../../../src/proof/merkle/shown_root.ts";
import { verifyContradiction } from "../../../src/proof/verify/contradiction.ts";
import { verifyAnyContradiction } from "../../../src/proof/verify/succession_conflict.ts";
import { FakeClock } from "../../fake_clock.ts";
import { eachScheme, nativeCrypto } from "../../schemes.ts";
import type { StoreFault } from "./memory_store.ts";
import { type JoinOptions, Site } from "./site.ts";

const SIGNAL = new AbortController().signal;

/** A home network that publishes, and a peer that accepts its heads. Neither loop runs. */
function makePair(
  { scheme = "ed25519", join = {} }: { scheme?: "ed25519" | "bls"; join?: JoinOptions } = {},
) {
  const clock = new FakeClock();
  const home = new Site("home.example", clock, { scheme });
  const peer = new Site("peer.example", clock, { scheme });
  home.join([peer]);
  peer.join([home], join);
  return { clock, home, peer };
}

async function proof(home: Site, oldSize: number, size = home.size): Promise<GrowthProof> {
  const path = await home.consistencyPath(oldSize, size);
  return { oldSize, path: showFirstRoot(oldSize, await home.root(oldSize), path) };
}

async function requestOf(
  home: Site,
  head: LoggedTreeHead,
  ...oldSizes: readonly number[]
): Promise<CrossAnchorRequest> {
  const size = head.sth.tree_head.tree_size;
  const growth = await Promise.all(oldSizes.map((oldSize) => proof(home, oldSize, size)));
  return { ...head, minWitnesses: 2, growth };
}

/** The kind of the answer with its sizes, or the code of the refusal. */
async function outcomeOf(peer: Site, request: CrossAnchorRequest, from = "home.example") {
  try {
    const answer = await peer.intake.take(from, request, SIGNAL);
    return answer.kind === "cosigned" ? "cosigned" : answer.sizes.join();
  } catch (error) {
    return hasCode(error, (error as { code: never }).code) ? error.code : String(error);
  }
}

async function seenSize(peer: Site): Promise<number | undefined> {
  return (await peer.intake.seenHeads())[0]?.sth.tree_head.tree_size;
}

/** Publishes 5 leaves, restores 3, and grows another history to 3 + `count`. */
async function fork(
  home: Site,
  count: number,
): Promise<{ old: LoggedTreeHead; now: LoggedTreeHead }> {
  await home.publish(3);
  const backup = home.backup();
  const old = await home.publish(2);
  home.restore(backup);
  return { old, now: await home.publish(count) };
}

eachScheme.test("a head is cosigned with our time, and stored", async (scheme) => {
  const { home, peer, clock } = makePair({ scheme });
  const head = await home.publish(5);
  await clock.advance(86_400_000);
  const answer = await peer.intake.take(home.id, await requestOf(home, head), SIGNAL);
  assert.ok(answer.kind === "cosigned");
  const { treeHead } = answer.cosignature;
  assert.equal(treeHead.timestamp, clock.nowMs() / 1_000);
  assert.deepEqual({ ...treeHead, timestamp: 0 }, { ...head.sth.tree_head, timestamp: 0 });
  assert.equal(await seenSize(peer), 5);
  // The same head again is a refresh; a larger one needs its growth from there.
  assert.equal(await outcomeOf(peer, await requestOf(home, head)), "cosigned");
  const next = await home.publish(4);
  assert.equal(await outcomeOf(peer, await requestOf(home, next)), "5");
  assert.equal(await outcomeOf(peer, await requestOf(home, next, 4)), "5");
  assert.equal(await outcomeOf(peer, await requestOf(home, next, 4, 5)), "cosigned");
  // An earlier head, which anyone may have saved, is refused.
  assert.equal(await outcomeOf(peer, await requestOf(home, head)), "9");
  assert.equal(await seenSize(peer), 9);
  assert.equal(peer.found.length, 0);
});

Deno.test("heads that the pinned network did not sign are refused, and not stored", async () => {
  const { home, peer, clock } = makePair();
  const stranger = new Site("stranger.example", clock);
  const other = new Site("home.example/2", clock);
  stranger.join([]);
  other.join([]);
  const head = await home.publish(5);
  const good = await requestOf(home, head);
  const { sth, sth: { tree_head: treeHead } } = head;
  assert.ok("signatures" in sth);
  const signed = sth.signatures;
  const withHead = (change: object) => ({
    ...good,
    sth: { ...sth, tree_head: { ...treeHead, ...change } },
  });
  const withSet = (signatures: typeof signed) => ({ ...good, sth: { ...sth, signatures } });
  const unknown = signed.map((entry, i) => ({ ...entry, witness_id: `nobody/w${i}` }));
  const cases: readonly (readonly [CrossAnchorRequest, string, string])[] = [
    [withHead({ tree_size: 6 }), "tree_head_refused", "another size"],
    [withHead({ root_hash: "00".repeat(32) }), "tree_head_refused", "another root"],
    [withHead({ timestamp: treeHead.timestamp + 1 }), "tree_head_refused", "another time"],
    [withSet(signed.slice(1)), "tree_head_refused", "too few"],
    [withSet([signed[0]!, signed[0]!]), "tree_head_refused", "one witness twice"],
    [withSet(signed.toReversed()), "tree_head_refused", "in another order"],
    [withSet(unknown), "tree_head_refused", "a threshold of unknown ids"],
    [withSet([signed[0]!, ...unknown]), "tree_head_refused", "unknown ids beside a known one"],
    [{ ...good, logSignature: new Uint8Array(64) }, "tree_head_refused", "no log signature"],
    [{ ...good, minWitnesses: 4 }, "tree_head_refused", "more witnesses than there are"],
    [await requestOf(other, await other.publish(2)), "network_refused", "another network's head"],
    [withHead({ network_id: "other.example" }), "network_refused", "another network's name"],
  ];
  for (const [request, code, what] of cases) {
    assert.equal(await outcomeOf(peer, request), code, what);
  }
  const strange = await requestOf(stranger, await stranger.publish(2));
  assert.equal(await outcomeOf(peer, strange, stranger.id), "network_refused");
  assert.equal(await seenSize(peer), undefined);
  assert.equal(peer.witnessedSize(0, home.id), 0);
  // Validly signed, with clocks that are ahead.
  clock.jump(301_000);
  const ahead = await home.publish(1);
  clock.jump(-301_000);
  assert.equal(await outcomeOf(peer, await requestOf(home, ahead)), "tree_head_refused");
  assert.equal(await outcomeOf(peer, good), "cosigned");
});

Deno.test("control: without the check of signatures, unsigned heads are accepted", async () => {
  const obliging = { ...nativeCrypto, ed25519: () => true };
  const { home, peer } = makePair({ join: { crypto: obliging } });
  const good = await requestOf(home, await home.publish(5));
  assert.ok("signatures" in good.sth);
  const forged = {
    ...good,
    sth: { ...good.sth, tree_head: { ...good.sth.tree_head, root_hash: "00".repeat(32) } },
  };
  // Our witnesses verify the log's signature themselves, so only the gateway accepts it.
  assert.equal(await outcomeOf(peer, forged), "witnesses_unavailable");
  assert.equal(await seenSize(peer), 5);
});

eachScheme.test("two histories are evidence: detected, stored once, and verifiable by anyone", async (scheme) => {
  for (const count of [2, 3, 6]) {
    const { home, peer } = makePair({ scheme });
    const { old, now } = await fork(home, count);
    assert.equal(await outcomeOf(peer, await requestOf(home, old)), "cosigned");
    const size = 3 + count;
    const request = await requestOf(home, now, ...(size === 5 ? [] : [5]));
    for (let i = 0; i < 3; i++) {
      assert.equal(await outcomeOf(peer, request), "tree_heads_contradict");
    }
    assert.equal(peer.found.length, 1, "told once");
    const contradictions = await peer.intake.contradictions();
    assert.equal(contradictions.length, 1);
    assert.deepEqual(contradictions, peer.store.disk.contradictions);
    const [found] = contradictions;
    assert.ok(found !== undefined && "path" in found);
    assert.equal(found.first.sth.tree_head.tree_size, 5);
    assert.equal(found.second.sth.tree_head.tree_size, size);
    const verdict = await verifyContradiction(nativeCrypto, home.network, found);
    assert.equal(verdict.valid, true);
    assert.equal(await seenSize(peer), 5, "the head that was seen first stays");
    assert.equal(peer.witnessedSize(0, home.id), 5);
    // After a restart the peer still has it.
    peer.open();
    assert.equal(await outcomeOf(peer, request), "tree_heads_contradict");
    assert.equal((await peer.intake.contradictions()).length, 1);
    assert.equal(peer.found.length, 1);
  }
});

Deno.test("signatures of unknown ids are stored neither in memory nor in evidence", async () => {
  const { home, peer } = makePair();
  const { old, now } = await fork(home, 2);
  const padded = (head: LoggedTreeHead): LoggedTreeHead => {
    assert.ok("signatures" in head.sth);
    const padding = Array.from({ length: 500 }, (_, i) => ({
      witness_id: `z/${String(i).padStart(3, "0")}`,
      signature: "00".repeat(64),
    }));
    const signatures = [...head.sth.signatures, ...padding];
    return { ...head, sth: { tree_head: head.sth.tree_head, signatures } };
  };
  assert.equal(await outcomeOf(peer, await requestOf(home, padded(old))), "cosigned");
  assert.equal(await outcomeOf(peer, await requestOf(home, padded(now))), "tree_heads_contradict");
  const [seen] = await peer.intake.seenHeads();
  assert.deepEqual(seen!.sth, old.sth);
  const [evidence] = await peer.intake.contradictions();
  assert.ok(evidence !== undefined && "path" in evidence);
  assert.deepEqual([evidence.first.sth, evidence.second.sth], [old.sth, now.sth]);
  assert.ok((await verifyContradiction(nativeCrypto, home.network, evidence)).valid);
});

Deno.test("evidence is detected from every size, including powers of two", async () => {
  for (let seen = 1; seen <= 9; seen++) {
    const { home, peer } = makePair();
    const backup = home.backup();
    const old = await home.publish(seen);
    home.restore(backup);
    const now = await home.publish(10);
    assert.equal(await outcomeOf(peer, await requestOf(home, old)), "cosigned");
    assert.equal(await outcomeOf(peer, await requestOf(home, now, seen)), "tree_heads_contradict");
    const [found] = await peer.intake.contradictions();
    assert.ok((await verifyAnyContradiction(nativeCrypto, home.network, found!)).valid, `${seen}`);
  }
});

Deno.test("growth from the empty tree needs no proof", async () => {
  const { home, peer } = makePair();
  assert.equal(await outcomeOf(peer, await requestOf(home, await home.publish(0))), "cosigned");
  assert.equal(await seenSize(peer), 0);
  assert.equal(await outcomeOf(peer, await requestOf(home, await home.publish(3))), "cosigned");
  assert.equal(await seenSize(peer), 3);
});

Deno.test("a head that is queued when the gateway stops is not accepted", async () => {
  const { home, peer } = makePair();
  const request = await requestOf(home, await home.publish(3));
  const reason = new Error("enough");
  await assert.rejects(peer.intake.take(home.id, request, AbortSignal.abort(reason)), reason);
  assert.equal(await seenSize(peer), undefined);
  assert.equal(peer.witnessedSize(0, home.id), 0);
});

Deno.test("an invalid path is not evidence, and gets no cosignature", async () => {
  const { home, peer } = makePair();
  await outcomeOf(peer, await requestOf(home, await home.publish(5)));
  const next = await home.publish(4);
  const good = await requestOf(home, next, 5);
  const [{ path }] = good.growth as [GrowthProof];
  const garbage = [
    [],
    path.slice(1),
    [...path, path[0]!],
    ...path.map((node, i) => path.with(i, node.with(3, node[3]! ^ 4))),
  ];
  for (const bad of garbage) {
    const request = { ...good, growth: [{ oldSize: 5, path: bad }] } as CrossAnchorRequest;
    assert.equal(await outcomeOf(peer, request), "consistency_refused");
  }
  assert.deepEqual(await peer.intake.contradictions(), []);
  assert.equal(await seenSize(peer), 5);
  assert.equal(await outcomeOf(peer, good), "cosigned");
});

Deno.test("from a power of two, a path without the first root can prove growth but not a fork", async () => {
  const { home, peer } = makePair();
  const backup = home.backup();
  await outcomeOf(peer, await requestOf(home, await home.publish(4)));
  const bare = async (head: LoggedTreeHead) => {
    const path = await home.consistencyPath(4, home.size);
    return { ...head, minWitnesses: 0, growth: [{ oldSize: 4, path }] };
  };
  assert.equal(await outcomeOf(peer, await bare(await home.publish(3))), "cosigned");
  const { home: again, peer: fresh } = makePair();
  await outcomeOf(fresh, await requestOf(again, await again.publish(4)));
  again.restore(backup);
  assert.equal(await outcomeOf(fresh, await bare(await again.publish(7))), "consistency_refused");
});

eachScheme.test("witnesses at other sizes get their proofs, and one that lags catches up", async (scheme) => {
  const { home, peer } = makePair({ scheme });
  const [first, second, third] = peer.witnesses;
  await outcomeOf(peer, await requestOf(home, await home.publish(3)));
  first!.down = true;
  const next = await home.publish(2);
  assert.equal(await outcomeOf(peer, await requestOf(home, next, 3)), "cosigned");
  first!.down = false;
  second!.down = true;
  const last = await home.publish(6);
  // The gateway and the third witness are at 5; the first is still at 3.
  assert.equal(await outcomeOf(peer, await requestOf(home, last, 5)), "3");
  assert.equal(await outcomeOf(peer, await requestOf(home, last, 3)), "cosigned");
  assert.deepEqual([0, 1, 2].map((place) => peer.witnessedSize(place, home.id)), [11, 5, 11]);
  third!.down = true;
  const more = await home.publish(1);
  // A proof may help the second; after that, no proof helps.
  assert.equal(await outcomeOf(peer, await requestOf(home, more, 11)), "5");
  const code = await outcomeOf(peer, await requestOf(home, more, 5, 11));
  assert.equal(code, "witnesses_unavailable");
});

Deno.test("the size of a witness that is ahead of the gateway is returned", async () => {
  const { home, peer } = makePair();
  const old = await home.publish(3);
  await outcomeOf(peer, await requestOf(home, old));
  await outcomeOf(peer, await requestOf(home, await home.publish(2), 3));
  // The gateway's record is lost; its witnesses' states are not.
  peer.store.disk.seen.clear();
  peer.open();
  assert.equal(await outcomeOf(peer, await requestOf(home, old)), "5");
});

Deno.test("control: only the witnesses' states stop a fork after the gateway lost its record", async () => {
  const { home, peer } = makePair();
  const { old, now } = await fork(home, 6);
  await outcomeOf(peer, await requestOf(home, old));
  peer.store.disk.seen.clear();
  peer.open();
  assert.equal(await outcomeOf(peer, await requestOf(home, now, 5)), "consistency_refused");
  // If those are lost too, the fork is accepted.
  const forgetful = makePair();
  const histories = await fork(forgetful.home, 6);
  const request = await requestOf(forgetful.home, histories.now, 5);
  assert.equal(await outcomeOf(forgetful.peer, request), "cosigned");
});

Deno.test("control: without the comparison, the witnesses refuse the fork, and no evidence is stored", async () => {
  const join: JoinOptions = {
    store: (real) => ({
      ...bound(real),
      seenHead: () => Promise.resolve(undefined),
      saveSeenHead: () => Promise.resolve(),
    }),
  };
  const { home, peer } = makePair({ join });
  const { old, now } = await fork(home, 6);
  assert.equal(await outcomeOf(peer, await requestOf(home, old)), "cosigned");
  assert.equal(await outcomeOf(peer, await requestOf(home, now, 5)), "consistency_refused");
  assert.equal(peer.found.length, 0);
});

/** The bound methods of a store. */
function bound<Store extends object>(store: Store): Store {
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(store))
    .filter((name) => name !== "constructor")
    .map((name) => [name, (store as Record<string, () => unknown>)[name]!.bind(store)]);
  return Object.fromEntries(methods);
}

/** Runs a peer that receives growth and then another history, and may die in between. */
async function runUntil(fault: StoreFault, ordinal: number): Promise<boolean> {
  const { home, peer, clock } = makePair();
  const { old, now } = await fork(home, 6);
  const requests = [await requestOf(home, old), await requestOf(home, now, 5)];
  let met = false;
  peer.store.fault = (_, at) => {
    met ||= at === ordinal;
    return at === ordinal ? fault : undefined;
  };
  const died = new Promise<string>((resolve) => {
    // Only a dead process takes time here.
    void clock.sleep(1_000).then(() => resolve("died"));
  });
  const inOrder = async () => {
    for (const request of requests) {
      while (await outcomeOf(peer, request) === "storage_failed");
    }
  };
  const run = inOrder();
  await clock.advance(1_000);
  await Promise.race([run, died]);
  // Requires stored heads to be signed, and the witnesses never to sign both histories.
  const { seen, contradictions } = peer.store.disk;
  const seenHere = seen.get(home.id)?.sth.tree_head.tree_size;
  assert.ok(seenHere === undefined || seenHere === 5);
  assert.ok(contradictions.length <= 1);
  // A restarted process reaches the same state as one without a fault.
  peer.open();
  assert.equal(await outcomeOf(peer, requests[0]!), "cosigned");
  assert.equal(await outcomeOf(peer, requests[1]!), "tree_heads_contradict");
  assert.equal((await peer.intake.contradictions()).length, 1);
  assert.equal(await seenSize(peer), 5);
  assert.deepEqual([0, 1, 2].map((place) => peer.witnessedSize(place, home.id)), [5, 5, 5]);
  return met;
}

for (const fault of ["die_before", "die_after", "fail_not_stored", "fail_but_stored"] as const) {
  Deno.test(`${fault} at any operation of the store leaves a valid state`, async () => {
    let ordinal = 0;
    while (await runUntil(fault, ordinal)) ordinal++;
    assert.ok(ordinal >= 5, `${ordinal} operations`);
  });
}

Deno.test("evidence that could not be stored is reported when it is received again", async () => {
  for (const fault of ["fail_not_stored", "fail_but_stored"] as const) {
    const { home, peer } = makePair();
    const { old, now } = await fork(home, 2);
    await outcomeOf(peer, await requestOf(home, old));
    let isFirst = true;
    peer.store.fault = (operation) => {
      const fails = operation === "addContradiction" && isFirst;
      isFirst &&= !fails;
      return fails ? fault : undefined;
    };
    const request = await requestOf(home, now);
    assert.equal(await outcomeOf(peer, request), "storage_failed");
    assert.equal(peer.found.length, 0);
    assert.equal(await outcomeOf(peer, request), "tree_heads_contradict");
    assert.equal(peer.found.length, 1);
    assert.equal(peer.store.disk.contradictions.length, 1);
  }
});

Deno.test("heads of one origin are processed in turn, of several origins concurrently", async () => {
  const clock = new FakeClock();
  const homes = ["a.example", "b.example"].map((id) => new Site(id, clock));
  const peer = new Site("peer.example", clock);
  for (const home of homes) home.join([peer]);
  let asked = 0;
  const release = Promise.withResolvers<void>();
  peer.join(homes, {
    witnesses: (real) => ({
      cosign: async (request, signal) => {
        asked++;
        await release.promise;
        return await real.cosign(request, signal);
      },
    }),
  });
  const [a, b] = homes as [Site, Site];
  const first = await requestOf(a, await a.publish(2));
  const second = await requestOf(a, await a.publish(2), 2);
  const other = await requestOf(b, await b.publish(2));
  const outcomes = Promise.all([
    outcomeOf(peer, first, a.id),
    outcomeOf(peer, second, a.id),
    outcomeOf(peer, other, b.id),
  ]);
  await clock.advance(1);
  assert.equal(asked, 2);
  release.resolve();
  assert.deepEqual(await outcomes, ["cosigned", "cosigned", "cosigned"]);
});

Deno.test("repeated contradictions of a network do not fill our store", async () => {
  const { home, peer } = makePair();
  await home.publish(3);
  const backup = home.backup();
  await outcomeOf(peer, await requestOf(home, await home.publish(2)));
  for (let i = 0; i < 20; i++) {
    home.restore(backup);
    const request = await requestOf(home, await home.publish(2));
    assert.equal(await outcomeOf(peer, request), "tree_heads_contradict");
  }
  assert.equal(peer.found.length, 16);
  assert.equal(peer.store.disk.contradictions.length, 16);
});
