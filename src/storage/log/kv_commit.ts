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

  async takeFence(): Promise<void> {
    this.#pendingWrites++;
    try {
      await this.#fence.take();
    } finally {
      this.#writeEnded();
    }
  }

  checkFence(): Promise<void> {
    return this.#fence.check();
  }

  /** Commits the operation of `build` with a check of the fence; `fence_lost` when another holds it. */
  async commit(build: (operation: StoreCommit) => StoreCommit): Promise<CommitOutcome> {
    const operation = build(this.#fence.guard(this.handles.writes.atomic()));
    let isStored;
    this.#pendingWrites++;
    try {
      isStored = (await operation.commit()).ok;
    } catch (cause) {
      throw storeFault("write", cause);
    } finally {
      this.#writeEnded();
    }
    if (isStored) return "stored";
    await this.#fence.check();
    return "conflict";
  }

  #writeEnded(): void {
    this.#pendingWrites--;
    if (!this.#closesLater || this.#pendingWrites > 0) return;
    this.#closesLater = false;
    this.handles.writes.close();
  }
}
