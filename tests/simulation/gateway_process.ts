/**
 * One process of a gateway, which can be killed between any two of its operations. After that,
 * operations are never answered and sleeps never end. Writes in progress may or may not reach the
 * disk.
 *
 * @module
 */

import type { Clock } from "../../src/base/clock.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { CountersignError, hasCode } from "../../src/base/errors.ts";
import { Gateway } from "../../src/gateway/gateway.ts";
import { HeldLease, LEASE_MS } from "../../src/gateway/held_lease.ts";
import type { WitnessClient } from "../../src/gateway/ports.ts";
import type { BatchPolicy } from "../../src/gateway/sequencing/batching.ts";
import { RoundTreeMemo } from "../../src/proof/merkle/round_tree.ts";
import type { MemoryLog } from "../gateway/memory_log.ts";
import { MemoryLogStore, type OperationKind } from "../gateway/memory_store.ts";
import { SimulationFault } from "./fault.ts";
import { type DatabaseModel, databaseOf, LeaseModel, postgresFault } from "./postgres_model.ts";
import { SimulatedRelays } from "./relays.ts";
import type { ServingThread } from "./serving_thread.ts";
import { SimulatedFront } from "./simulated_front.ts";
import type { Happening } from "./timeline.ts";
import type { World } from "./world.ts";

export type ProcessState = "starting" | "running" | "failed" | "stopping" | "stopped" | "dead";

/** Maximum time to stop, with any disk. */
const STOP_LIMIT_MS = 60_000;
/** Longer than the pause between two tries of a write. If there was no other try, the write was found stored. */
const RETRY_PAUSE_MS = 5_000;
/** How often a standby asks for the lease. */
const ASK_MS = 100;
/** How late a commit of a process that died may be durable, so that others have taken the lease. */
const LATE_MS = 3 * LEASE_MS;
/** Maximum time until a front that ended is replaced. */
const REPLACE_MS = 40;

export class GatewayProcess implements ServingThread {
  readonly name: string;
  readonly log: MemoryLog;
  readonly store: MemoryLogStore;
  readonly #world: World;
  state: ProcessState = "starting";
  /** Set after the start. */
  gateway: Gateway | undefined;
  /** Called after each publication that a thread has seen. */
  onPublished: (thread: ServingThread) => void = () => {};
  /** Unanswered requests of clients at this thread; none with fronts. */
  asked = 0;
  /** How many fronts it has; 0 if its only thread answers clients. */
  readonly frontCount: number;
  readonly fronts: SimulatedFront[] = [];
  /** How many fronts were started. */
  frontsStarted = 0;
  /** Number of reported changes of its health. */
  healthReports = 0;
  /** The latest report is that the store rejects writes, or does not answer. */
  #hasOutage = false;
  /** Ids of the witnesses that have cosigned one of its heads. */
  readonly cosigners = new Set<string>();
  /** Time of the latest failed write. */
  #failedAtMs = -Infinity;
  /** Time of the first failed write since the last successful one. */
  #failingSinceMs: number | undefined;
  #operations = 0;
  #lastOperation = Infinity;
  #sleeping = 0;
  readonly #death = Promise.withResolvers<void>();
  /** Absent if the log is in Deno KV. */
  readonly #database: DatabaseModel | undefined;
  #lease: HeldLease | undefined;
  readonly #leaving = new AbortController();
  /** Resolves when the lease is given back, or lost. */
  #kept: Promise<void> | undefined;
  /** Aborted when the process is killed. */
  readonly #own = new Set<Happening>();
  /** Operations in progress on the disk. */
  readonly #onTheWay = new Set<Happening>();

  constructor(world: World, name: string, log: MemoryLog) {
    this.#world = world;
    this.name = name;
    this.log = log;
    this.frontCount = world.random.pick([0, 1, 3]);
    this.#database = world.engine === "postgres" ? databaseOf(log, world.timeline) : undefined;
    this.store = new MemoryLogStore(log, {
      reach: (operation, _, holdsFence) => this.#reach(operation, holdsFence),
      answer: (operation) => this.answered(`${operation} answered`, world.elements.diskDelayMs()),
    });
    // A process that stops does not wait for a store that does not answer in time.
    this.store.mayAbandon = () => this.#hasOutage;
    this.store.fault = (operation) => {
      const found = world.elements.storeFault(operation);
      const fault = this.#database === undefined ? found : postgresFault(found);
      if (operation !== "read") this.#wrote(fault === undefined);
      return fault;
    };
  }

  /** True until it is killed. */
  get isAlive(): boolean {
    return this.state !== "dead" && this.state !== "stopped";
  }

  /** True if it believes to have the lease of a log in a database. */
  get isActive(): boolean {
    return this.isAlive && this.#lease?.isLive === true;
  }

  /** True if it holds the fence and can serve. */
  get isInCharge(): boolean {
    return this.state === "running" && this.store.holdsFence;
  }

  get process(): this {
    return this;
  }

  get service(): Gateway {
    return this.gateway!;
  }

  /** The threads that clients can reach. */
  get threads(): ServingThread[] {
    if (this.state !== "running" && this.state !== "failed") return [];
    return this.frontCount === 0 ? [this] : this.fronts.filter((front) => front.isServing);
  }

  /** A client waits for an answer. */
  get isAsked(): boolean {
    return this.asked > 0 || this.fronts.some(({ asked }) => asked > 0);
  }

  get health(): string {
    const { health = (found: string) => found } = this.#world.sabotage;
    return this.gateway === undefined ? this.state : health(this.gateway.status.resource().status);
  }

  /** Time since the latest failed write. */
  get writeFailedMsAgo(): number {
    return this.#world.timeline.elapsedMs - this.#failedAtMs;
  }

  /** Time from the first to the last of the latest writes, which all failed; 0 if the last one succeeded. */
  get writesFailedForMs(): number {
    if (this.#failingSinceMs === undefined) return 0;
    return Math.max(1, this.#failedAtMs - this.#failingSinceMs);
  }

  /** Starts the process. Never rejects: unexpected errors become faults of the world. */
  start(clients: readonly WitnessClient[], policy: BatchPolicy): void {
    if (this.#database === undefined) return this.#startGateway(clients, policy);
    this.#takeLease(this.#database).then(
      () => this.#startGateway(clients, policy),
      (error) => this.#world.fail(error),
    );
  }

  /** Stands by until it has the lease, and keeps it. */
  async #takeLease(database: DatabaseModel): Promise<void> {
    const { timeline, trace, sabotage } = this.#world;
    const store = new LeaseModel(database, (what, act) => this.#run(what, act));
    if (sabotage.isLeaseBelieved) {
      const { renew } = store;
      store.renew = (epoch) => renew.call(store, epoch).then(() => true, () => true);
    }
    this.store.mayTakeFence = () => store.isHeld;
    const clock = this.#clock();
    const report = (message: string) => trace.note(`${this.name} reports ${message}`);
    const context = { store, clock, report, elapsedMs: () => timeline.elapsedMs };
    while (this.#lease === undefined) {
      try {
        const taken = await HeldLease.take(context, { name: this.name });
        if (taken instanceof HeldLease) this.#lease = taken;
      } catch (error) {
        if (!hasCode(error, "storage_failed")) throw error;
      }
      if (this.#lease === undefined) await clock.sleep(ASK_MS);
    }
    trace.note(`${this.name} has the lease`);
    const changed = () => this.gateway?.activeChanged();
    this.#kept = this.#lease.run(changed, this.#leaving.signal)
      .catch((error) => this.#fail(error));
  }

  /** Runs a statement beside those of the store. */
  async #run<T>(what: string, act: () => T): Promise<T> {
    if (!this.begin()) return await forEver();
    const { elements } = this.#world;
    const fault = elements.storeFault("fence");
    await this.#happen(`${this.name} ${what}`, elements.diskDelayMs(), this.#onTheWay);
    const lost = new CountersignError("storage_failed", "Connection lost");
    if (fault === "fail_not_stored") throw lost;
    const answer = act();
    await this.answered(what, elements.diskDelayMs());
    if (fault !== undefined) throw lost;
    return answer;
  }

  #startGateway(clients: readonly WitnessClient[], policy: BatchPolicy): void {
    const { network, logSigner, sabotage, crypto, trace } = this.#world;
    const memo = new RoundTreeMemo(portableKernels);
    const verifier = sabotage.crypto ?? crypto;
    const relays = new SimulatedRelays(this.#world);
    Gateway.start({
      network,
      store: sabotage.store?.(this.store) ?? this.store,
      witnesses: sabotage.witnesses?.(clients) ?? clients,
      logSigner,
      kernels: portableKernels,
      verify: verifier.ed25519,
      bls: verifier.bls,
      buildTree: (round) => memo.build(round),
      clock: this.#clock(),
      beacons: sabotage.beacons?.(relays) ?? relays,
      policy,
      // Longer than in a process, since simulated clients rarely submit again at once.
      returnMs: 1_000,
      spendsTokens: true,
      isActive: () => this.#lease?.isLive ?? true,
      onFatal: (error) => this.#fail(error),
      report: (message) => {
        this.healthReports++;
        this.#hasOutage = message.startsWith("Cannot store ");
        trace.note(`${this.name} reports ${message}`);
      },
    }).then((gateway) => {
      this.gateway = gateway;
      if (this.state === "starting") this.state = "running";
      trace.note(`${this.name} runs with ${this.frontCount} fronts`);
      const { signal } = new AbortController();
      if (this.frontCount === 0) gateway.log.onPublished(() => this.onPublished(this), signal);
      else for (let i = 0; i < this.frontCount; i++) this.#startFront();
    }, (error) => {
      this.#fail(error);
      // Nothing is left to stop.
      this.kill();
    });
  }

  /** Ends a front and replaces it later. */
  endFront(front: SimulatedFront): void {
    front.end();
    this.fronts.splice(this.fronts.indexOf(front), 1);
    const { random, timeline } = this.#world;
    timeline.in(random.below(REPLACE_MS), `${this.name} replaces a front`, () => {
      if (this.state === "running" || this.state === "failed") this.#startFront();
    });
  }

  #startFront(): void {
    const front = new SimulatedFront(this.#world, this, `${this.name}.${++this.frontsStarted}`);
    this.fronts.push(front);
    front.start().catch((error) => {
      if (!/^failed, /.test(error.message)) this.#world.fail(error);
      if (front.isAlive) this.endFront(front);
    });
  }

  #endFronts(): void {
    for (const front of this.fronts.splice(0)) front.end();
  }

  /** Kills the process in the `count`-th operation from now; 0 kills at once. */
  killAfter(count: number): void {
    if (count === 0) return this.kill();
    this.#lastOperation = this.#operations + count;
  }

  /** Cancels {@linkcode killAfter}. */
  spare(): void {
    this.#lastOperation = Infinity;
  }

  kill(): void {
    if (!this.isAlive) return;
    this.state = "dead";
    this.#death.resolve();
    this.#world.trace.note(`${this.name} dies`);
    this.#endFronts();
    for (const happening of this.#own) happening.cancel();
    for (const happening of this.#onTheWay) {
      if (this.#world.random.chance(0.5)) happening.cancel();
    }
  }

  /** Stops the process like the program does: pending requests are answered first. */
  async stop(): Promise<void> {
    if (this.state === "starting") return this.kill();
    if (this.state !== "running" && this.state !== "failed") return;
    this.state = "stopping";
    const { timeline, trace } = this.#world;
    const deadline = timeline.in(STOP_LIMIT_MS, `${this.name} should be stopped`, () => {
      if (!this.isAlive) return;
      this.#world.fail(new SimulationFault("liveness", `${this.name} does not stop`));
    });
    this.gateway!.refuseNew();
    while (this.isAsked && this.isAlive) await timeline.after(10, `${this.name} waits to stop`);
    // A kill during the stop means that the stop never finishes.
    const stopped = this.gateway!.stop().then(() => {
      this.#leaving.abort();
      return this.#kept;
    });
    await Promise.race([stopped, this.#death.promise]);
    deadline.cancel();
    if (!this.isAlive) return;
    this.#endFronts();
    this.state = "stopped";
    trace.note(`${this.name} stopped`);
    if (this.#sleeping > 0) {
      this.#world.fail(new SimulationFault("unexpected", `a sleep in ${this.name} that stopped`));
    }
  }

  /** Counts an operation; false if the process is dead and must not begin it. */
  begin(): boolean {
    if (!this.isAlive) return false;
    if (++this.#operations < this.#lastOperation) return true;
    this.kill();
    return this.#world.random.chance(0.5);
  }

  /** Resolves after `ms` milliseconds; never if the process is dead by then. */
  answered(what: string, ms: number): Promise<void> {
    if (!this.isAlive) return forEver();
    return this.#happen(`${this.name} ${what}`, ms, this.#own);
  }

  async #reach(
    operation: OperationKind,
    holdsFence: () => boolean,
  ): Promise<boolean | void> {
    if (!this.begin()) return await forEver();
    const { elements, random, timeline } = this.#world;
    const name = `${this.name} ${operation}`;
    await this.#happen(name, elements.diskDelayMs(), this.#onTheWay);
    if (this.#database === undefined || operation === "read") return;
    if (operation !== "fence") {
      const wasHeld = holdsFence();
      const unlock = this.#database.share();
      await this.#happen(`${name} durable`, elements.diskDelayMs(), new Set());
      // The server goes on without a client that has died.
      if (!this.isAlive) await this.#happen(`${name} late`, random.below(LATE_MS), new Set());
      // Once it is stored.
      timeline.in(1, `${name} unlocked`, unlock);
      if (wasHeld && !holdsFence()) {
        const found = `${name} is stored after another process took the fence`;
        this.#world.fail(new SimulationFault("order", found));
      }
      return wasHeld;
    }
    if (!this.#world.sabotage.isFenceHasty) await this.#database.unshared();
  }

  #happen(what: string, ms: number, among: Set<Happening>): Promise<void> {
    return new Promise((resolve) => {
      const happening = this.#world.timeline.in(ms, what, () => {
        among.delete(happening);
        resolve();
      });
      among.add(happening);
    });
  }

  #wrote(isStored: boolean): void {
    if (isStored) this.#failingSinceMs = undefined;
    else {
      const { elapsedMs } = this.#world.timeline;
      if (elapsedMs - this.#failedAtMs > RETRY_PAUSE_MS) this.#failingSinceMs = undefined;
      this.#failedAtMs = elapsedMs;
      this.#failingSinceMs ??= elapsedMs;
    }
  }

  #clock(): Clock {
    const { clock } = this.#world;
    return {
      nowMs: () => clock.nowMs(),
      elapsedMs: () => clock.elapsedMs(),
      sleep: async (ms, signal) => {
        this.#sleeping++;
        await clock.sleep(ms, signal);
        this.#sleeping--;
        if (!this.isAlive && this.state !== "stopped") await forEver();
      },
    };
  }

  /** Faults that end a process: those of the store, and the loss of the fence. */
  #fail(error: unknown): void {
    if (!this.isAlive) return;
    const { code, message } = error as { code?: string; message: string };
    this.#world.trace.note(`${this.name} fails: ${code} ${message}`);
    if (this.state === "running") this.state = "failed";
    const isStorage = code === "storage_failed" || /^failed, /.test(message);
    // A process that lost the fence reads rows while another writes them, and may see a partial
    // write.
    const isOverrun = !this.store.holdsFence && (code === "fence_lost" || code === "store_corrupt");
    if (isStorage || isOverrun || hasCode(error, "fence_lost")) return;
    this.#world.fail(error);
  }
}

function forEver<T>(): Promise<T> {
  return new Promise(() => {});
}
