/**
 * A gateway over Deno KV on disk, and fronts that follow it over links in one process, each with its own
 * read-only store.
 *
 * @module
 */

import { systemClock } from "../../src/base/clock.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { Front, type FrontParts } from "../../src/gateway/fronts/front.ts";
import { Epochs } from "../../src/gateway/succession/epochs.ts";
import { StoreFollower } from "../../src/gateway/fronts/store_follower.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { RecordCheck } from "../../src/gateway/record_check.ts";
import type { KvLogStore } from "../../src/storage/log/kv_log_store.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { openReadOnlyLog } from "../../src/storage/log/read_only_log.ts";
import type { Ed25519Verify } from "../../src/proof/crypto/ed25519_rule.ts";
import type { SequencerService } from "../../src/gateway/fronts/gateway_sequencer.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { nativeCrypto } from "../schemes.ts";
import { type RunningGateway, TestNetwork } from "./fixture.ts";
import { type LinkSchedule, LocalLink } from "./local_link.ts";

export interface LinkedFront {
  readonly front: Front;
  readonly link: LocalLink;
  /** Closes the front, its link and its store. */
  end(): void;
}

/** Starts a front of the gateway whose store is at `path`. */
export async function joinFront(
  { network }: TestNetwork,
  sequencer: SequencerService,
  path: string,
  options: {
    readonly schedule?: LinkSchedule | undefined;
    readonly verify?: Ed25519Verify;
  } = {},
): Promise<LinkedFront> {
  const store = openReadOnlyLog(path);
  const link = new LocalLink(sequencer, options.schedule);
  const front = await Front.start({
    network,
    store,
    kernels: portableKernels,
    clock: systemClock,
    verify: options.verify ?? nativeCrypto.ed25519,
    bls: nativeCrypto.bls,
    report: () => {},
  }, (follower) => {
    link.follow(follower);
    return link;
  });
  const end = () => {
    front.close();
    link.end();
    store.close();
  };
  return { front, link, end };
}

/** Delivers nothing until the front catches up. */
const LATE: LinkSchedule = {
  clock: { nowMs: () => 0, elapsedMs: () => 0, sleep: () => new Promise(() => {}) },
  requestMs: () => 0,
  updateMs: () => 1,
};

export class FrontSite {
  readonly network: TestNetwork;
  readonly running: RunningGateway;
  readonly #folder: string;
  readonly #joined: { end(): unknown }[] = [];

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
  async join({ isLate = false } = {}): Promise<LinkedFront> {
    const { gateway: { sequencer }, network } = this;
    const schedule = isLate ? LATE : undefined;
    const joined = await joinFront(network, sequencer, this.#path, { schedule });
    this.#joined.push(joined);
    return joined;
  }

  /** Starts a front that reads the store alone, of a gateway that it does not reach. */
  async standBy(change: (store: KvLogStore) => void = () => {}): Promise<Front> {
    const { network } = this;
    const store = await openKvLogStore(this.#path, "network");
    change(store);
    const parts: FrontParts = {
      network: network.network,
      store,
      kernels: portableKernels,
      clock: systemClock,
      verify: nativeCrypto.ed25519,
      bls: nativeCrypto.bls,
      report: () => {},
    };
    const epochs = new Epochs(parts.network);
    const follower = await StoreFollower.open({
      ...parts,
      store,
      epochs,
      check: new RecordCheck({ ...parts, epochs }),
      presentChain: () => Promise.resolve(epochs.chain),
    });
    const stop = new AbortController();
    let following: Promise<void> | undefined;
    const front = await Front.start(parts, (state) => {
      following = follower.follow(state, stop.signal);
      return follower;
    });
    this.#joined.push({
      async end() {
        stop.abort();
        front.close();
        await following;
        store.close();
      },
    });
    return front;
  }

  get #path(): string {
    return `${this.#folder}/log.kv`;
  }

  async #close(): Promise<void> {
    for (const joined of this.#joined) await joined.end();
    await this.gateway.stop();
    await Deno.remove(this.#folder, { recursive: true });
  }
}
