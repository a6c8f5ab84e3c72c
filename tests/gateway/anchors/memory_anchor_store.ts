/**
 * An {@linkcode AnchorStore} in memory that is stricter than a database: what is confirmed must not
 * become another anchor. Each operation can be made to fail.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { AnchorRecord } from "../../../src/proof/format/records.ts";
import { parseStrictJson } from "../../../src/proof/format/strict_json.ts";
import type { AnchorStore } from "../../../src/gateway/anchors/ports.ts";

/** When an operation fails: before it has any effect, or after all of it. */
export type FaultPlace = "before" | "after";

export class MemoryAnchorStore implements AnchorStore {
  /** By service, then by tree size. */
  readonly #records = new Map<string, Map<number, AnchorRecord>>();
  /** Operations so far. */
  operations = 0;
  /** Asked before and after each operation; what it throws is the operation's failure. */
  fault: (operation: number, place: FaultPlace) => void = () => {};

  save(record: AnchorRecord): Promise<void> {
    return this.#operation(() => {
      const records = this.#records.get(record.service) ?? new Map<number, AnchorRecord>();
      const size = record.treeHead.tree_size;
      const known = records.get(size);
      if (known?.status === "confirmed") {
        if (record.status === "pending") return;
        assert.deepEqual(record, known, "confirmed ones stay");
      }
      // As a database gives it back: what a strict parser reads.
      const proof = parseStrictJson(JSON.stringify(record.proof), "malformed_json");
      records.set(size, { ...record, proof });
      this.#records.set(record.service, records);
    });
  }

  firstConfirmed(service: string, size: number): Promise<AnchorRecord | undefined> {
    return this.#operation(() =>
      this.#of(service, "confirmed").find(({ treeHead }) => treeHead.tree_size >= size)
    );
  }

  firstPending(service: string, size: number): Promise<AnchorRecord | undefined> {
    return this.#operation(() =>
      this.#of(service, "pending").find(({ treeHead }) => treeHead.tree_size >= size)
    );
  }

  pending(service: string, after: number, limit: number): Promise<AnchorRecord[]> {
    return this.#operation(() =>
      this.#of(service, "pending").filter(({ treeHead }) => treeHead.tree_size > after)
        .slice(0, limit)
    );
  }

  last(service: string): Promise<AnchorRecord | undefined> {
    return this.#operation(() => this.all(service).at(-1));
  }

  lastConfirmed(service: string): Promise<AnchorRecord | undefined> {
    return this.#operation(() => this.#of(service, "confirmed").at(-1));
  }

  /** Everything of a service, ascending by size; no operation. */
  all(service: string): AnchorRecord[] {
    return [...(this.#records.get(service) ?? new Map<number, AnchorRecord>())]
      .sort(([a], [b]) => a - b).map(([, record]) => record);
  }

  #of(service: string, status: AnchorRecord["status"]): AnchorRecord[] {
    return this.all(service).filter((record) => record.status === status);
  }

  // Async, so that a failure is a rejection.
  async #operation<T>(act: () => T): Promise<T> {
    const number = this.operations++;
    await Promise.resolve();
    this.fault(number, "before");
    const result = act();
    this.fault(number, "after");
    return result;
  }
}
