/**
 * The operator: starts gateways, restarts them when they end, and sometimes restores an old copy of
 * the store by mistake, which must be detected.
 *
 * @module
 */

import { hasCode } from "../../src/base/errors.ts";
import type { BatchPolicy } from "../../src/gateway/sequencing/batching.ts";
import { require } from "./fault.ts";
import { Fork } from "./fork.ts";
import { GatewayProcess } from "./gateway_process.ts";
import type { ServingThread } from "./serving_thread.ts";
import type { Site } from "./site.ts";
import { WitnessHost } from "./witness_host.ts";
import { LONGEST_DELAY_MS } from "./weather.ts";
import type { World } from "./world.ts";

/** Maximum time to detect an old copy once all witnesses answer. */
const DETECTION_LIMIT_MS = 60_000;

export class Operator {
  readonly #world: World;
  readonly #log: Site;
  readonly hosts: readonly WitnessHost[];
  readonly #policy: BatchPolicy;
  /** Saved copies of the log. */
  readonly #backups: Site[] = [];
  /** The site whose store gateways use now. */
  site: Site;
  /** The second gateway, over a copy of the store. */
  fork: Fork | undefined;
  started = 0;
  forks = 0;
  rollbacks = 0;
  /** Rounds that the store lost. */
  lostRounds = 0;
  /** Deeds done to fronts. */
  frontsEnded = 0;
  laps = 0;
  #isChanging = false;
  #returning: Promise<void> | undefined;

  constructor(world: World, log: Site) {
    const { random, network } = world;
    this.#world = world;
    this.#log = log;
    this.site = log;
    this.hosts = network.witnesses.map((_, place) => new WitnessHost(world, place));
    this.#policy = {
      maxAgeMs: random.pick([5, 50, 500, 2_000]),
      maxLeaves: random.pick([4, 12, 40, 300]),
    };
  }

  /** Starts a process, even if another one holds the fence. */
  start(): void {
    const process = new GatewayProcess(this.#world, `g${++this.started}`, this.site.log);
    const { crowd } = this.site;
    process.onPublished = (thread) => crowd.follow(thread);
    this.site.processes.push(process);
    this.#world.trace.note(`${process.name} starts`);
    process.start(this.hosts.map((host) => host.clientOf(process)), this.#policy);
  }

  /** Starts a process and keeps the others running. */
  takeOver(): void {
    if (!this.#isChanging && this.site.alive.length < 3) this.start();
  }

  /** Stops failed processes, and starts one if none is left. */
  tend(): void {
    if (this.#isChanging) return;
    for (const process of this.site.processes) {
      if (process.state === "failed") void process.stop();
    }
    const isServed = this.site.alive.some(({ state }) =>
      state === "starting" || state === "running"
    );
    if (!isServed) this.start();
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.site.alive.map((process) => process.stop()));
  }

  backUp(): void {
    if (this.site === this.#log) this.#backups.push(this.#log.backUp());
  }

  /**
   * Ends all gateways, and loses the latest rounds that no head covers, as the promotion of a database replica may.
   * Only if so many witnesses are honest that they remember what a quorum signed.
   */
  loseRounds(): void {
    const { random, trace, tolerated } = this.#world;
    if (this.site !== this.#log || this.#isChanging || this.fork !== undefined) return;
    if (this.hosts.filter((host) => !host.isHonest).length > tolerated) return;
    const { log, monitor, crowd, alive } = this.#log;
    const tail = [...log.rounds.keys()].filter((first) => first >= monitor.size);
    if (tail.length === 0) return;
    for (const process of alive) process.kill();
    log.era++;
    const lost = tail.slice(random.below(tail.length));
    for (const first of lost) {
      log.rounds.delete(first);
      monitor.lose(first);
    }
    crowd.view.lose(monitor.confirmedEnd);
    this.lostRounds += lost.length;
    trace.note(`the store loses the rounds ${lost.join()}`);
  }

  /**
   * Starts a second gateway over a copy of the store, or lets clients submit to it. Everything in
   * both stores is published, because an unpublished round would be signed twice with different
   * leaves.
   */
  forkLog(): void {
    if (this.fork !== undefined) return this.fork.act();
    if (this.site !== this.#log || this.#isChanging || !this.#log.isFinished) return;
    this.#world.trace.note("the store is forked");
    this.forks++;
    this.fork = new Fork(this.#world, this.hosts, this.#log.backUp(), this.#policy);
  }

  /**
   * Stops the fork and releases the sequences that witnesses signed for it, as in
   * docs/operating.md. A fork that is behind the log must detect that first.
   */
  async endFork(): Promise<void> {
    const { fork } = this;
    if (fork === undefined) return;
    const { timeline } = this.#world;
    const endMs = timeline.elapsedMs + DETECTION_LIMIT_MS;
    if (fork.process.isInCharge && this.#isBehind(fork.site)) fork.heal();
    while (fork.process.isInCharge && this.#isBehind(fork.site)) {
      if (fork.process.health === "store_rolled_back") break;
      require(timeline.elapsedMs < endMs, "health", "a fork that is behind does not say so");
      // A fork with nothing to sign sends no requests. A front may refuse digests while it lags.
      if (fork.site.isFinished) fork.site.crowd.submit(await this.#threadOf(fork.process), 1);
      await timeline.after(50, "the fork awaited");
    }
    fork.process.kill();
    await timeline.after(LONGEST_DELAY_MS, "the fork's last question awaited");
    for (const host of this.hosts) {
      if (host.contradicts(this.#log.monitor)) await host.release(this.#log.monitor.publishedSize);
    }
  }

  /** Ends all faults: liars become honest. Witnesses with an old state keep it. */
  calm(): void {
    const { elements, clock } = this.#world;
    elements.disk = elements.network = "calm";
    elements.isFull = false;
    clock.offsetMs = 0;
    for (const host of this.hosts) {
      host.clock.offsetMs = 0;
      host.reach = "up";
      host.isDiskFull = false;
      if (host.temper !== "equivocating") host.temper = "honest";
    }
    for (const process of this.site.alive) {
      process.spare();
      if (process.state === "running" && !process.isInCharge) void process.stop();
    }
    this.#tendForEver();
  }

  /** Restores an old copy, if there is one that must be detected. */
  async rollBack(): Promise<void> {
    if (this.site !== this.#log || this.#isChanging) return;
    // Operators release what witnesses signed beyond their heads after it, also what the log has lost.
    if (this.#log.monitor.hasLosses) return;
    const copy = this.#backups.shift();
    if (copy === undefined || !this.#isBehind(copy)) return;
    await this.#change(copy);
  }

  /** Returns to the log after the old copy was detected. */
  returnToLog(): Promise<void> {
    this.#returning ??= this.#return().finally(() => this.#returning = undefined);
    return this.#returning;
  }

  async #return(): Promise<void> {
    while (this.#isChanging) await this.#world.timeline.after(10, "change awaited");
    if (this.site === this.#log) return;
    const { elements } = this.#world;
    elements.disk = elements.network = "calm";
    elements.isFull = false;
    for (const host of this.hosts) {
      host.reach = "up";
      host.isDiskFull = false;
      host.clock.offsetMs = this.#world.clock.offsetMs;
      if (host.temper !== "equivocating") host.temper = "honest";
    }
    await this.#awaitDetection();
    await this.#change(this.#log);
  }

  /** True if so many honest witnesses are ahead of the copy that it cannot reach the threshold. */
  #isBehind(copy: Site): boolean {
    const { network } = this.#world;
    const ahead = this.hosts.filter((host) => host.isHonest && host.size > copy.monitor.size);
    return ahead.length > network.witnesses.length - network.threshold;
  }

  async #change(site: Site): Promise<void> {
    this.#isChanging = true;
    const { random, timeline, trace } = this.#world;
    if (random.chance(0.5)) this.site.alive.forEach((process) => process.kill());
    else await this.stopAll();
    while (this.site.alive.length > 0) {
      await this.stopAll();
      await timeline.after(10, "the last process awaited");
    }
    if (this.site.isOldCopy) {
      // Witnesses remember the digests that they signed for the old copy. They refuse the log's
      // digests for those sequences until their operators release them.
      await timeline.after(LONGEST_DELAY_MS, "the last question awaited");
      for (const host of this.hosts) await host.release();
    }
    this.site = site;
    trace.note(site.isOldCopy ? "an old copy is in the log's place" : "the log is back");
    this.#isChanging = false;
    this.start();
  }

  async #awaitDetection(): Promise<void> {
    const { timeline } = this.#world;
    const endMs = timeline.elapsedMs + DETECTION_LIMIT_MS;
    while (this.site.inCharge?.health !== "store_rolled_back") {
      require(timeline.elapsedMs < endMs, "rollback", "an old copy is not found");
      this.tend();
      await timeline.after(50, "detection awaited");
    }
    const { service } = await this.#threadOf(this.site.inCharge);
    const refused = await service.jobs.submit("00".repeat(32), undefined).catch((error) => error);
    require(hasCode(refused, "store_rolled_back"), "rollback", "an old copy accepts digests");
    this.site.check();
    this.rollbacks++;
  }

  /** A thread of a running process. */
  async #threadOf(process: GatewayProcess): Promise<ServingThread> {
    const { random, timeline } = this.#world;
    while (process.threads.length === 0) await timeline.after(10, "a front awaited");
    return random.pick(process.threads);
  }

  #tendForEver(): void {
    const { alive, inCharge } = this.site;
    const isStarting = alive.some(({ state }) => state === "starting");
    // A process detects the loss of the fence only when it writes.
    if (inCharge === undefined && !isStarting) alive.forEach((process) => void process.stop());
    this.tend();
    this.#world.timeline.in(200, "operator looks", () => this.#tendForEver());
  }
}
