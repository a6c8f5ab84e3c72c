/**
 * {@linkcode WitnessState} in memory, stricter than any store: it yields before it answers, so that
 * calls interleave; it hands out copies; it fails on demand before or after it stores; and it notes
 * every replacement that no witness may ask for.
 *
 * @module
 */

import assert from "node:assert/strict";
import { equalBytes } from "../../src/bytes.ts";
import type { StateVersion, WitnessedHead, WitnessState } from "../../src/witness/ports.ts";

/** What the next replacement does instead of answering. */
export type ReplaceFault = "fail_not_stored" | "fail_but_stored";

type Row = WitnessedHead & { readonly version: StateVersion };

export class MemoryWitnessState implements WitnessState {
  readonly #rows = new Map<string, Row>();
  #versions = 0;
  readonly #violations: string[] = [];
  /** Taken by the next replacement that would succeed. */
  nextFault: ReplaceFault | undefined;
  /** The next read rejects. */
  failNextLoad = false;
  readonly calls = { load: 0, replace: 0 };

  async load(origin: string): Promise<Row | undefined> {
    this.calls.load++;
    await Promise.resolve();
    if (this.failNextLoad) {
      this.failNextLoad = false;
      throw new Error("the disk is gone");
    }
    return structuredClone(this.#rows.get(origin));
  }

  async replace(
    origin: string,
    expected: StateVersion | undefined,
    next: WitnessedHead,
  ): Promise<StateVersion | undefined> {
    this.calls.replace++;
    const copy = structuredClone(next);
    await Promise.resolve();
    const row = this.#rows.get(origin);
    if (row?.version !== expected) return undefined;
    const fault = this.nextFault;
    this.nextFault = undefined;
    if (fault === "fail_not_stored") throw new Error("failed, not stored");
    this.#judge(row, copy);
    const version = `v${++this.#versions}`;
    this.#rows.set(origin, { ...copy, version });
    if (fault === "fail_but_stored") throw new Error("failed, but stored");
    return version;
  }

  /** Fails when a tree ever shrank, or had two roots at one size. */
  assertSound(): void {
    assert.deepEqual(this.#violations, []);
  }

  #judge(row: Row | undefined, next: WitnessedHead): void {
    if (row === undefined) return;
    if (next.size < row.size) this.#violations.push(`shrank from ${row.size} to ${next.size}`);
    if (next.size === row.size && !equalBytes(next.root, row.root)) {
      this.#violations.push(`two roots at ${next.size}`);
    }
  }
}
