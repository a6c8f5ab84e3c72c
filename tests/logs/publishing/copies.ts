/**
 * Copies for tests: in memory, and one that fails at a chosen call.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Bytes, equalBytes } from "../../../src/base/bytes.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { loadCompiledKernels } from "../../../src/proof/crypto/compiled_kernels.ts";
import { TILE_WIDTH, tilePath, tileWidth } from "../../../src/proof/merkle/tile.ts";
import { logKeyRule } from "../../../src/logs/publishing/checkpoint_rule.ts";
import { LogCopy } from "../../../src/logs/publishing/log_copy.ts";
import {
  type CopyTarget,
  sourceOf,
  type StoredCheckpoint,
} from "../../../src/logs/publishing/ports.ts";
import { VerifiedTree } from "../../../src/logs/publishing/verified_tree.ts";
import { nativeCrypto } from "../../schemes.ts";
import type { SyntheticLog } from "./synthetic_log.ts";

const kernels = await loadCompiledKernels();

export class MemoryCopy implements CopyTarget {
  readonly name = "memory";
  readonly files = new Map<string, Bytes>();
  text: string | undefined;

  checkpoint(): Promise<StoredCheckpoint | undefined> {
    const { text } = this;
    return Promise.resolve(text === undefined ? undefined : { text, version: text });
  }

  replaceCheckpoint(expected: StoredCheckpoint | undefined, text: string): Promise<boolean> {
    if (this.text !== expected?.version) return Promise.resolve(this.text === text);
    this.text = text;
    return Promise.resolve(true);
  }

  read(path: string): Promise<Bytes | undefined> {
    return Promise.resolve(this.files.get(path)?.slice());
  }

  putNew(path: string, bytes: Bytes): Promise<boolean> {
    if (this.files.has(path)) return Promise.resolve(false);
    this.files.set(path, bytes.slice());
    return Promise.resolve(true);
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  removePartials(path: string): Promise<void> {
    for (const file of this.files.keys()) {
      if (file.startsWith(`${path}.p/`)) this.files.delete(file);
    }
    return Promise.resolve();
  }
}

export class Killed extends Error {}

/** Ends at call number `at`: before it takes effect, or after. No later call takes effect. */
export class KilledCopy implements CopyTarget {
  readonly name: string;
  readonly #copy: CopyTarget;
  readonly #at: number;
  readonly #isAfter: boolean;
  #calls = 0;

  constructor(copy: CopyTarget, at: number, isAfter: boolean) {
    this.name = copy.name;
    this.#copy = copy;
    this.#at = at;
    this.#isAfter = isAfter;
  }

  get wasKilled(): boolean {
    return this.#calls >= this.#at;
  }

  checkpoint = () => this.#call(() => this.#copy.checkpoint());
  replaceCheckpoint = (...args: Parameters<CopyTarget["replaceCheckpoint"]>) =>
    this.#call(() => this.#copy.replaceCheckpoint(...args));
  read = (path: string) => this.#call(() => this.#copy.read(path));
  putNew = (path: string, bytes: Bytes) => this.#call(() => this.#copy.putNew(path, bytes));
  sync = () => this.#call(() => this.#copy.sync());
  removePartials = (path: string) => this.#call(() => this.#copy.removePartials(path));

  async #call<T>(run: () => Promise<T>): Promise<T> {
    this.#calls++;
    if (this.#calls > this.#at || (this.#calls === this.#at && !this.#isAfter)) throw new Killed();
    const result = await run();
    if (this.#calls >= this.#at) throw new Killed();
    return result;
  }
}

/** A publisher of `log`, verified by its key. */
export function publisherOf(log: SyntheticLog, target: CopyTarget, lanes = 1): LogCopy {
  return new LogCopy({
    source: log,
    target,
    lanes,
    kernels,
    clock: systemClock,
    rule: logKeyRule(nativeCrypto, log.vkey),
  });
}

/** Requires that the copy has a checkpoint of `log`, and all that it covers. Returns its size. */
export async function requireComplete(log: SyntheticLog, copy: CopyTarget): Promise<number> {
  const stored = await copy.checkpoint();
  if (stored === undefined) return 0;
  const { size, root } = await logKeyRule(nativeCrypto, log.vkey).accept(stored.text);
  assert.ok(equalBytes(root, log.root(size)));
  const tree = await VerifiedTree.open({ kernels, source: sourceOf(copy) }, {
    size,
    root,
  });
  for (let index = 0; tileWidth(0, index, size) > 0; index++) {
    await tree.entries(index);
    for (const level of [0, "entries"] as const) {
      assert.ok(await copy.read(tilePath(level, index, tileWidth(0, index, size))));
    }
  }
  for (let level = 0; size >= TILE_WIDTH ** level; level++) {
    for (let index = 0; tileWidth(level, index, size) > 0; index++) {
      await tree.nodes(level, index, tileWidth(level, index, size));
    }
  }
  return size;
}
