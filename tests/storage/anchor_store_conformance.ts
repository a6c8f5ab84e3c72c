/**
 * The conformance suite for every {@linkcode AnchorStore}.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { AnchorStore } from "../../src/gateway/anchors/ports.ts";
import { anchor } from "./anchor_records.ts";
import type { AnchorRecord } from "../../src/proof/format/records.ts";

/** A store that can be reopened. */
export interface TestedStore<S> {
  readonly store: S;
  /** Closes the store and opens it as the next process would. */
  reopen(): Promise<S>;
  /** Closes and removes the store. */
  remove(): Promise<void>;
}

/** JSON objects of both sides differ only in their prototypes. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? "null");
}

function assertRecord(found: AnchorRecord | undefined, expected: AnchorRecord | undefined): void {
  assert.deepEqual(plain(found), plain(expected));
}

/** Registers the suite; every call of `make` must return an empty store. */
export function testAnchorStore(
  name: string,
  make: () => Promise<TestedStore<AnchorStore>>,
): void {
  const test = (what: string, run: (tested: TestedStore<AnchorStore>) => Promise<void>) =>
    Deno.test(`${name} ${what}`, async () => {
      const tested = await make();
      try {
        await run(tested);
      } finally {
        await tested.remove();
      }
    });

  test("is empty at first", async ({ store }) => {
    assert.equal(await store.firstConfirmed("a", 0), undefined);
    assert.equal(await store.firstPending("a", 0), undefined);
    assert.deepEqual(await store.pending("a", 0, 10), []);
    assert.equal(await store.last("a"), undefined);
    assert.equal(await store.lastConfirmed("a"), undefined);
  });

  test("firstConfirmed() and firstPending() return the smallest size that covers a head", async ({ store }) => {
    // Sizes whose decimal texts sort differently, and names that are prefixes of others.
    for (const size of [9, 10, 100, 70_000, 2 ** 33]) await store.save(anchor("a", size));
    await store.save(anchor("a", 50, "pending"));
    await store.save(anchor("ab", 20));
    await store.save(anchor("A", 8));
    assertRecord(await store.firstConfirmed("a", 0), anchor("a", 9));
    assertRecord(await store.firstConfirmed("a", 9), anchor("a", 9));
    assertRecord(await store.firstConfirmed("a", 11), anchor("a", 100));
    assertRecord(await store.firstConfirmed("a", 70_001), anchor("a", 2 ** 33));
    assert.equal(await store.firstConfirmed("a", 2 ** 33 + 1), undefined);
    assertRecord(await store.firstPending("a", 0), anchor("a", 50, "pending"));
    assert.equal(await store.firstPending("a", 51), undefined);
    assertRecord(await store.firstConfirmed("ab", 0), anchor("ab", 20));
    assert.equal(await store.firstPending("ab", 0), undefined);
  });

  test("pending() lists anchors above a size, ascending, up to the limit", async ({ store }) => {
    for (const size of [30, 9, 200, 10]) await store.save(anchor("a", size, "pending"));
    await store.save(anchor("b", 11, "pending"));
    const sizes = async (after: number, limit: number) =>
      (await store.pending("a", after, limit)).map(({ treeHead }) => treeHead.tree_size);
    assert.deepEqual(await sizes(0, 10), [9, 10, 30, 200]);
    assert.deepEqual(await sizes(9, 2), [10, 30]);
    assert.deepEqual(await sizes(200, 2), []);
  });

  test("last() and lastConfirmed() return the largest size", async ({ store }) => {
    await store.save(anchor("a", 5));
    await store.save(anchor("a", 12));
    assertRecord(await store.last("a"), anchor("a", 12));
    await store.save(anchor("a", 30, "pending"));
    assertRecord(await store.last("a"), anchor("a", 30, "pending"));
    assertRecord(await store.lastConfirmed("a"), anchor("a", 12));
    await store.save(anchor("a", 100));
    assertRecord(await store.last("a"), anchor("a", 100));
  });

  test("save() replaces a pending anchor by a better or confirmed one", async ({ store }) => {
    await store.save(anchor("a", 7, "pending"));
    await store.save(anchor("a", 7, "pending", "second"));
    assertRecord(await store.firstPending("a", 0), anchor("a", 7, "pending", "second"));
    await store.save(anchor("a", 7, "confirmed", "third"));
    assert.equal(await store.firstPending("a", 0), undefined);
    assertRecord(await store.firstConfirmed("a", 0), anchor("a", 7, "confirmed", "third"));
  });

  test("save() stores no pending anchor where a confirmed one exists", async ({ store }) => {
    await store.save(anchor("a", 7));
    await store.save(anchor("a", 7, "pending", "late"));
    assert.equal(await store.firstPending("a", 0), undefined);
    assertRecord(await store.last("a"), anchor("a", 7));
  });

  test("has the same records after it is reopened", async ({ store, reopen }) => {
    await store.save(anchor("a", 7));
    await store.save(anchor("a", 9, "pending"));
    const again = await reopen();
    assertRecord(await again.firstConfirmed("a", 1), anchor("a", 7));
    assertRecord(await again.firstPending("a", 1), anchor("a", 9, "pending"));
  });
}
