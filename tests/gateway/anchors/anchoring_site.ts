/**
 * Anchoring with a log, a store, a fake clock and the reports it makes.
 *
 * @module
 */

import { anchoredDigest } from "../../../src/gateway/anchors/answers.ts";
import { Anchoring } from "../../../src/gateway/anchors/anchoring.ts";
import type { ConfiguredAnchor } from "../../../src/gateway/anchors/ports.ts";
import { hexOf } from "../../../src/base/bytes.ts";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import type { AnchorRecord } from "../../../src/proof/format/records.ts";
import type { TreeHead } from "../../../src/proof/format/tree_head.ts";
import { FakeClock } from "../../fake_clock.ts";
import { FakeLog } from "./fake_service.ts";
import { MemoryAnchorStore } from "./memory_anchor_store.ts";

/** One store and log for all runs. */
export class AnchoringSite implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly log = new FakeLog(this.clock);
  readonly store = new MemoryAnchorStore();
  readonly added: AnchorRecord[] = [];
  readonly reports: string[] = [];
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  /** Starts to anchor with `anchors`. */
  start(...anchors: readonly ConfiguredAnchor[]): Anchoring {
    const anchoring = new Anchoring({
      anchors,
      log: this.log,
      store: this.store,
      kernels,
      clock: this.clock,
      random: () => 0.5,
      anchorAdded: (record) => void this.added.push(record),
      report: (message) => void this.reports.push(message),
    });
    this.#stop = new AbortController();
    this.#running = anchoring.run(this.#stop.signal);
    // `stop()` reports a rejection.
    this.#running.catch(() => {});
    return anchoring;
  }

  /** Stops the run. Rejects if the run failed. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Stops the run and ignores its failure. */
  async kill(): Promise<void> {
    this.#stop.abort();
    await this.#running.catch(() => {});
  }

  /** Resolves when all work is done that needs no time to pass. */
  async settle(): Promise<void> {
    for (let i = 0; i < 5; i++) await this.clock.advance(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

/** What a service is asked to anchor of `head`, in hex. */
export function digestHex(head: TreeHead): string {
  return hexOf(anchoredDigest(kernels, head));
}
