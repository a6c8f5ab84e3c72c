/**
 * The conformance suite for every {@linkcode FederationStore}.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { FederationStore } from "../../src/gateway/federation/ports.ts";
import { threeEpochs, twoSuccessions } from "../proof/verify/test_succession.ts";
import { AGGREGATE, contradiction, crossAnchor, seen } from "./anchor_records.ts";
import type { TestedStore } from "./anchor_store_conformance.ts";

/** Registers the suite; every call of `make` must return an empty store. */
export function testFederationStore(
  name: string,
  make: () => Promise<TestedStore<FederationStore>>,
): void {
  const test = (what: string, run: (tested: TestedStore<FederationStore>) => Promise<void>) =>
    Deno.test(`${name} ${what}`, async () => {
      const tested = await make();
      try {
        await run(tested);
      } finally {
        await tested.remove();
      }
    });

  test("is empty at first", async ({ store }) => {
    assert.equal(await store.firstCrossAnchor("peer", 0), undefined);
    assert.equal(await store.lastCrossAnchor("peer"), undefined);
    assert.equal(await store.seenHead("peer"), undefined);
    assert.deepEqual(await store.contradictions(0, 10), []);
    assert.deepEqual(await store.peerLinks("peer"), []);
  });

  test("savePeerLink() keeps the first link of each epoch", async ({ store, reopen }) => {
    const { links: [first, second] } = threeEpochs();
    await store.savePeerLink("peer", first);
    await store.savePeerLink("peer", { ...first, nonce: "00".repeat(32) });
    await store.savePeerLink("peer", second);
    await store.savePeerLink("peer/2", first);
    assert.deepEqual(await store.peerLinks("peer"), [first, second]);
    assert.deepEqual(await store.peerLinks("pee"), []);
    assert.deepEqual(await (await reopen()).peerLinks("peer"), [first, second]);
  });

  test("firstCrossAnchor() returns the smallest size that covers a head", async ({ store }) => {
    for (const size of [10, 9, 100, 2 ** 33]) {
      await store.saveCrossAnchor(crossAnchor("peer", size));
    }
    await store.saveCrossAnchor(crossAnchor("peer/2", 50, AGGREGATE));
    assert.deepEqual(await store.firstCrossAnchor("peer", 0), crossAnchor("peer", 9));
    assert.deepEqual(await store.firstCrossAnchor("peer", 11), crossAnchor("peer", 100));
    assert.deepEqual(await store.firstCrossAnchor("peer", 101), crossAnchor("peer", 2 ** 33));
    assert.equal(await store.firstCrossAnchor("peer", 2 ** 33 + 1), undefined);
    assert.deepEqual(await store.lastCrossAnchor("peer"), crossAnchor("peer", 2 ** 33));
    assert.deepEqual(await store.lastCrossAnchor("peer/2"), crossAnchor("peer/2", 50, AGGREGATE));
    assert.equal(await store.lastCrossAnchor("pee"), undefined);
  });

  test("saveCrossAnchor() replaces the record of a peer and size", async ({ store }) => {
    await store.saveCrossAnchor(crossAnchor("peer", 9));
    await store.saveCrossAnchor(crossAnchor("peer", 9, AGGREGATE));
    assert.deepEqual(await store.firstCrossAnchor("peer", 0), crossAnchor("peer", 9, AGGREGATE));
    assert.equal(await store.firstCrossAnchor("peer", 10), undefined);
  });

  test("saveSeenHead() keeps the last head of each origin", async ({ store }) => {
    await store.saveSeenHead(seen("a", 5));
    await store.saveSeenHead(seen("b", 7));
    await store.saveSeenHead(seen("a", 6));
    assert.deepEqual(await store.seenHead("a"), seen("a", 6));
    assert.deepEqual(await store.seenHead("b"), seen("b", 7));
  });

  test("addContradiction() keeps the order, and each pair once", async ({ store }) => {
    const found = [contradiction("a", 1), contradiction("b", 1), contradiction("a", 2, 9)];
    for (const one of found) await store.addContradiction(one);
    const [{ first, second, ...rest }] = found as [typeof found[number]];
    await store.addContradiction({
      ...rest,
      foundAt: 1 + rest.foundAt,
      first: second,
      second: first,
    });
    await store.addContradiction(found[2]!);
    assert.deepEqual(await store.contradictions(0, 10), found);
    assert.deepEqual(await store.contradictions(0, 2), found.slice(0, 2));
    assert.deepEqual(await store.contradictions(1, 10), found.slice(1));
    assert.deepEqual(await store.contradictions(3, 10), []);
  });

  test("addContradiction() keeps two successions once for each epoch", async ({ store, reopen }) => {
    const conflict = twoSuccessions();
    const { first, second } = conflict;
    const predecessor = { ...first.predecessor, epoch: 1 };
    const later = {
      ...conflict,
      first: { ...first, predecessor },
      second: { ...second, predecessor },
    };
    await store.addContradiction(contradiction("a", 1));
    await store.addContradiction(conflict);
    await store.addContradiction({ ...conflict, first: second, second: first });
    await store.addContradiction(later);
    await store.addContradiction({ ...conflict, origin: "b" });
    const expected = [contradiction("a", 1), conflict, later, { ...conflict, origin: "b" }];
    assert.deepEqual(await store.contradictions(0, 10), expected);
    const again = await reopen();
    await again.addContradiction(conflict);
    assert.deepEqual(await again.contradictions(0, 10), expected);
  });

  test("addContradiction() accepts concurrent calls", async ({ store }) => {
    const origins = ["a", "b", "c", "d", "e"];
    await Promise.all(origins.map((origin) => store.addContradiction(contradiction(origin, 1))));
    const found = await store.contradictions(0, 10);
    assert.deepEqual(found.map(({ origin }) => origin).toSorted(), origins);
  });

  test("has the same records after it is reopened", async ({ store, reopen }) => {
    await store.saveCrossAnchor(crossAnchor("peer", 9));
    await store.saveSeenHead(seen("a", 5));
    await store.addContradiction(contradiction("a", 1));
    const again = await reopen();
    assert.deepEqual(await again.lastCrossAnchor("peer"), crossAnchor("peer", 9));
    assert.deepEqual(await again.seenHead("a"), seen("a", 5));
    await again.addContradiction(contradiction("a", 1));
    await again.addContradiction(contradiction("a", 2));
    assert.deepEqual(await again.contradictions(0, 10), [
      contradiction("a", 1),
      contradiction("a", 2),
    ]);
  });
}
