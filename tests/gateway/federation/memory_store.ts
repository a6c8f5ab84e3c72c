/**
 * {@linkcode FederationStore} in memory, stricter than any store: it yields before it answers,
 * returns copies, refuses forbidden records, and fails or dies at an operation that a test chooses.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CountersignError } from "../../../src/base/errors.ts";
import type { AnyContradiction, SeenTreeHead } from "../../../src/proof/format/federation.ts";
import type { FederationStore } from "../../../src/gateway/federation/ports.ts";
import type { CrossAnchorRecord } from "../../../src/proof/format/records.ts";
import type { SuccessionLink } from "../../../src/proof/format/succession.ts";

/** The state that outlives a process. */
export class FederationDisk {
  readonly crossAnchors = new Map<string, CrossAnchorRecord>();
  readonly seen = new Map<string, SeenTreeHead>();
  readonly links = new Map<string, SuccessionLink[]>();
  readonly contradictions: AnyContradiction[] = [];

  copy(): FederationDisk {
    const copy = new FederationDisk();
    for (const [key, record] of this.crossAnchors) copy.crossAnchors.set(key, record);
    for (const [key, head] of this.seen) copy.seen.set(key, head);
    for (const [key, links] of this.links) copy.links.set(key, [...links]);
    copy.contradictions.push(...this.contradictions);
    return copy;
  }
}

/** The fault of an operation: it fails, or the process dies and gets no answer. */
export type StoreFault = "fail_not_stored" | "fail_but_stored" | "die_before" | "die_after";

export type StoreOperation = Exclude<keyof FederationStore, symbol>;

export class MemoryFederationStore implements FederationStore {
  readonly disk: FederationDisk;
  /** The fault of the operation with this ordinal, from 0. */
  fault: ((operation: StoreOperation, ordinal: number) => StoreFault | undefined) | undefined;
  /** All operations so far. */
  readonly operations: StoreOperation[] = [];

  constructor(disk: FederationDisk = new FederationDisk()) {
    this.disk = disk;
  }

  saveCrossAnchor(record: CrossAnchorRecord): Promise<void> {
    const { peer, treeHead } = record;
    return this.#operate("saveCrossAnchor", () => {
      this.disk.crossAnchors.set(`${peer} ${treeHead.tree_size}`, structuredClone(record));
    });
  }

  firstCrossAnchor(peer: string, size: number): Promise<CrossAnchorRecord | undefined> {
    return this.#operate(
      "firstCrossAnchor",
      () => this.#crossAnchorsOf(peer).find((record) => record.treeHead.tree_size >= size),
    );
  }

  lastCrossAnchor(peer: string): Promise<CrossAnchorRecord | undefined> {
    return this.#operate("lastCrossAnchor", () => this.#crossAnchorsOf(peer).at(-1));
  }

  seenHead(origin: string): Promise<SeenTreeHead | undefined> {
    return this.#operate("seenHead", () => this.disk.seen.get(origin));
  }

  saveSeenHead(head: SeenTreeHead): Promise<void> {
    const { network_id: origin, tree_size: size, root_hash: root } = head.sth.tree_head;
    return this.#operate("saveSeenHead", () => {
      const before = this.disk.seen.get(origin)?.sth.tree_head;
      assert.ok(before === undefined || size >= before.tree_size, "a seen head shrank");
      assert.ok(size !== before?.tree_size || root === before.root_hash, "two roots at one size");
      this.disk.seen.set(origin, structuredClone(head));
    });
  }

  peerLinks(peer: string): Promise<readonly SuccessionLink[]> {
    return this.#operate("peerLinks", () => this.disk.links.get(peer) ?? []);
  }

  savePeerLink(peer: string, link: SuccessionLink): Promise<void> {
    return this.#operate("savePeerLink", () => {
      const links = this.disk.links.get(peer) ?? [];
      const { epoch } = link.predecessor;
      assert.ok(epoch <= links.length, "a link before it is missing");
      if (epoch === links.length) this.disk.links.set(peer, [...links, structuredClone(link)]);
    });
  }

  addContradiction(contradiction: AnyContradiction): Promise<void> {
    return this.#operate("addContradiction", () => {
      const pair = pairOf(contradiction);
      if (this.disk.contradictions.some((other) => pairOf(other) === pair)) return;
      this.disk.contradictions.push(structuredClone(contradiction));
    });
  }

  contradictions(start: number, limit: number): Promise<AnyContradiction[]> {
    return this.#operate(
      "contradictions",
      () => this.disk.contradictions.slice(start, start + limit),
    );
  }

  #crossAnchorsOf(peer: string): CrossAnchorRecord[] {
    return [...this.disk.crossAnchors.values()].filter((record) => record.peer === peer)
      .toSorted((a, b) => a.treeHead.tree_size - b.treeHead.tree_size);
  }

  async #operate<T>(operation: StoreOperation, act: () => T): Promise<T> {
    const fault = this.fault?.(operation, this.operations.length);
    this.operations.push(operation);
    await Promise.resolve();
    if (fault === "die_before") return await new Promise(() => {});
    if (fault === "fail_not_stored") throw failed();
    const result = structuredClone(act());
    await Promise.resolve();
    if (fault === "die_after") return await new Promise(() => {});
    if (fault === "fail_but_stored") throw failed();
    return result;
  }
}

function failed(): CountersignError {
  return new CountersignError("storage_failed", "Cannot store: the test says so");
}

function pairOf(contradiction: AnyContradiction): string {
  const { origin } = contradiction;
  if (!("path" in contradiction)) return `${origin} ${contradiction.first.predecessor.epoch}`;
  const { first, second } = contradiction;
  const heads = [first, second].map(({ sth: { tree_head: head } }) =>
    `${head.tree_size} ${head.root_hash}`
  );
  return [origin, ...heads.toSorted()].join();
}
