/**
 * A gateway over Deno KV on disk, and fronts that follow it over links in one process, each with its own
 * read-only store.
 *
 * @module
 */

import { systemClock } from "../../src/clock.ts";
import { portableKernels } from "../../src/crypto/portable_kernels.ts";
import { Front } from "../../src/gateway/fronts/front.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { openKvLogStore } from "../../src/storage/log/kv_log_store.ts";
import { openReadOnlyLog } from "../../src/storage/log/read_only_log.ts";
import type { SignatureScheme } from "../../src/format/signature_set.ts";
import { nativeCrypto } from "../schemes.ts";
import { type RunningGateway, TestNetwork } from "./fixture.ts";
import { type LinkSchedule, LocalLink } from "./local_link.ts";

export interface LinkedFront {
  readonly front: Front;
  readonly link: LocalLink;
}

/** Delivers nothing until the front catches up. */
const LATE: LinkSchedule = {
  clock: { nowMs: () => 0, sleep: () => new Promise(() => {}) },
  requestMs: () => 0,
  updateMs: () => 1,
};

export class FrontSite {
  readonly network: TestNetwork;
  readonly running: RunningGateway;
  readonly #folder: string;
  readonly #closers: (() => void)[] = [];

  private constructor(folder: string, network: TestNetwork, running: RunningGateway) {
    this.#folder = folder;
    this.network = network;
    this.running = running;
  }

  /** Runs a test with a site that is removed afterwards. */
  static async with(
    options: { readonly scheme?: SignatureScheme; readonly spendsTokens?: boolean },
    run: (site: FrontSite) => Promise<void>,
  ): Promise<void> {
    const folder = await Deno.makeTempDir();
    const network = new TestNetwork(options.scheme);
    const store = await openKvLogStore(`${folder}/log.kv`, "network");
    const running = await network.start(store, options);
    const site = new FrontSite(folder, network, running);
    try {
      await run(site);
    } finally {
      await site.#close();
    }
  }

  get gateway(): Gateway {
    return this.running.gateway;
  }

  /**
   * Starts a front that joins now. With `isLate`, updates and outcomes reach it only when it catches up.
   */
  async join({ fronts = 2, isLate = false } = {}): Promise<LinkedFront> {
    const store = openReadOnlyLog(`${this.#folder}/log.kv`);
    const link = new LocalLink(this.gateway.sequencer, isLate ? LATE : undefined);
    this.#closers.push(() => link.end(), () => store.close());
    const front = await Front.start({
      network: this.network.network,
      store,
      logSigner: this.network.logSigner,
      kernels: portableKernels,
      verify: nativeCrypto.ed25519,
      bls: nativeCrypto.bls,
      clock: systemClock,
      report: () => {},
      fronts,
    }, (follower) => {
      link.follow(follower);
      return link;
    });
    return { front, link };
  }

  async #close(): Promise<void> {
    for (const close of this.#closers) close();
    await this.gateway.stop();
    await Deno.remove(this.#folder, { recursive: true });
  }
}
