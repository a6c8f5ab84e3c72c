/**
 * Fenced commits.
 *
 * @module
 */

import type { CommitOutcome } from "../../gateway/ports.ts";
import type { StoreCommit, StoreEngine, StoreFence, StoreReads } from "../store_engine.ts";
import { storeFault } from "../store_fault.ts";

/** The handles of one store. Writes wait for disk syncs; reads on another handle do not. */
export interface KvHandles {
  readonly writes: StoreEngine;
  readonly reads: StoreReads;
}

/** A store with its fence, and the commits under it. */
export class FencedKv {
  readonly handles: KvHandles;
  readonly #fence: StoreFence;
  #pendingWrites = 0;
  #closesLater = false;

  constructor(handles: KvHandles, fence: StoreFence) {
    this.handles = handles;
    this.#fence = fence;
  }

  /**
   * Closes the handles. If a write is in progress, its handle is closed after it: closing it now would
   * block this thread until the write has finished.
   */
  close(): void {
    const { reads, writes } = this.handles;
    if (reads !== writes) reads.close();
    if (this.#pendingWrites === 0) writes.close();
    else this.#closesLater = true;
  }

  get reads(): StoreReads {
    return this.handles.reads;
  }

  takeFence(): Promise<void> {
    return this.#counted(this.#fence.take());
  }

  checkFence(): Promise<void> {
    return this.#fence.check();
  }

  /** Commits the operation of `build` with a check of the fence; `fence_lost` when another holds it. */
  async commit(build: (operation: StoreCommit) => StoreCommit): Promise<CommitOutcome> {
    const operation = this.#fence.guard(this.handles.writes.atomic());
    const result = await this.#counted(build(operation).commit()).catch((cause) => {
      throw storeFault("write", cause);
    });
    if (result.ok) return "stored";
    await this.#fence.check();
    return "conflict";
  }

  async #counted<T>(write: Promise<T>): Promise<T> {
    this.#pendingWrites++;
    try {
      return await write;
    } finally {
      this.#pendingWrites--;
      if (this.#closesLater && this.#pendingWrites === 0) {
        this.#closesLater = false;
        this.handles.writes.close();
      }
    }
  }
}
