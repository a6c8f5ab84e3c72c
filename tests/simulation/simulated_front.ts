/**
 * One front of a simulated process. It sees updates and outcomes late, loses those that it has not seen
 * when it is lapped, and can end at any time. Then the process replaces it, and its clients see a closed
 * connection.
 *
 * @module
 */

import type { Clock } from "../../src/base/clock.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { Front } from "../../src/gateway/fronts/front.ts";
import type { Follower, Health } from "../../src/gateway/fronts/ports.ts";
import { LocalLink } from "../gateway/local_link.ts";
import { MemoryLogStore } from "../gateway/memory_store.ts";
import type { GatewayProcess } from "./gateway_process.ts";
import type { ServedGateway, ServingThread } from "./serving_thread.ts";
import type { Happening } from "./timeline.ts";
import type { World } from "./world.ts";

/** Maximum delays of messages on the link, in milliseconds. A busy front sees them when it reads. */
export const LAGS = [1, 1, 5, 100, 5_000] as const;

/** Turns of the microtask queue from the last check of an answer until its client has it, at most. */
const ANSWER_TURNS = 4;

export class SimulatedFront implements ServingThread {
  readonly name: string;
  readonly process: GatewayProcess;
  readonly #world: World;
  readonly #link: LocalLink;
  readonly #own = new Set<Happening>();
  #front: ServedGateway | undefined;
  asked = 0;
  isAlive = true;
  /** One of {@linkcode LAGS}. */
  lagMs: number;
  mustRefuseUnsigned = false;

  constructor(world: World, process: GatewayProcess, name: string) {
    const { random, timeline } = world;
    this.#world = world;
    this.process = process;
    this.name = name;
    this.lagMs = random.pick(LAGS);
    const delayMs = () => random.below(this.lagMs);
    // Timers of a link end with it, and have to wake what waits for them.
    const clock: Clock = {
      nowMs: () => timeline.elapsedMs,
      elapsedMs: () => timeline.elapsedMs,
      sleep: (...args) => this.#sleep(...args),
    };
    const service = process.gateway!.sequencer;
    this.#link = new LocalLink(service, { clock, requestMs: delayMs, updateMs: delayMs });
  }

  get isServing(): boolean {
    return this.isAlive && this.#front !== undefined;
  }

  get service(): ServedGateway {
    return this.#front!;
  }

  /** Rejects if the store cannot be read. */
  async start(): Promise<void> {
    const { network, sabotage, crypto, trace, elements, clock } = this.#world;
    const { ed25519: verify, bls } = sabotage.crypto ?? crypto;
    const store = new MemoryLogStore(this.process.log, {
      reach: (operation) => this.answered(operation, elements.diskDelayMs()),
      answer: (operation) => this.answered(`${operation} answered`, elements.diskDelayMs()),
    });
    store.fault = (operation) => elements.storeFault(operation);
    const front = await Front.start({
      network,
      store,
      kernels: portableKernels,
      verify,
      bls,
      clock: {
        nowMs: () => clock.nowMs(),
        elapsedMs: () => clock.elapsedMs(),
        sleep: (...args) => this.#sleep(...args),
      },
      report: (message) => trace.note(`${this.name} reports ${message}`),
    }, (follower) => {
      this.#link.follow(this.#watched(sabotage.follower?.(follower) ?? follower));
      return sabotage.link?.(this.#link) ?? this.#link;
    });
    if (!this.isAlive) return;
    this.#front = sabotage.front?.(front) ?? front;
    trace.note(`${this.name} serves`);
    const { signal } = new AbortController();
    front.log.onPublished(() => this.isAlive && this.process.onPublished(this), signal);
  }

  /** It loses the updates and outcomes that it has not seen. */
  lap(): void {
    this.#world.trace.note(`${this.name} is lapped`);
    this.#link.lap();
  }

  end(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#world.trace.note(`${this.name} ends`);
    for (const happening of this.#own) happening.cancel();
    this.#link.end();
  }

  answered(what: string, ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (!this.isAlive) return;
      const happening = this.#world.timeline.in(ms, `${this.name} ${what}`, () => {
        this.#own.delete(happening);
        resolve();
      });
      this.#own.add(happening);
    });
  }

  /** Never ends after the front. */
  async #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await this.#world.clock.sleep(ms, signal);
    if (!this.isAlive) await new Promise(() => {});
  }

  /** Notes the health that the front has seen. */
  #watched(follower: Follower): Follower {
    const note = async ({ unacknowledged }: Health) => {
      for (let turn = 0; turn < ANSWER_TURNS; turn++) await undefined;
      this.mustRefuseUnsigned = unacknowledged !== "none";
    };
    return withUpdates(follower, {
      joined: (snapshot) => {
        void note(snapshot.health);
        follower.joined(snapshot);
      },
      healthChanged: (health) => {
        void note(health);
        follower.healthChanged(health);
      },
    });
  }
}

/** `follower` with some of its methods replaced. */
export function withUpdates(follower: Follower, changed: Partial<Follower>): Follower {
  return new Proxy(follower, {
    get: (target, name) => {
      const method = changed[name as keyof Follower] ?? target[name as keyof Follower];
      return method.bind(target);
    },
  });
}
