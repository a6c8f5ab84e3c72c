/**
 * Simulates a whole network in one thread, determined by a seed: gateways of one log with their fronts,
 * witnesses, clients, and faults. After a period of faults, all accepted digests must be published.
 *
 * @module
 */

import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { checkLog } from "../gateway/checker.ts";
import { MemoryLog, SMALL_LIMITS } from "../gateway/memory_log.ts";
import { MemoryLogStore } from "../gateway/memory_store.ts";
import { checkSpent } from "../gateway/spending.ts";
import { require, type SimulationFault } from "./fault.ts";
import { Operator } from "./operator.ts";
import { Random } from "../random.ts";
import type { ServingThread } from "./serving_thread.ts";
import { Site } from "./site.ts";
import { Timeline } from "./timeline.ts";
import { Tokens } from "./tokens.ts";
import { Trace } from "./trace.ts";
import { Trouble } from "./trouble.ts";
import { type Engine, type Sabotage, World } from "./world.ts";

export interface SimulationOptions {
  readonly seed: number;
  readonly scheme: SignatureScheme;
  /** Default: `kv`. */
  readonly engine?: Engine;
  /** A deliberate defect. */
  readonly sabotage?: Sabotage;
  /** Receives each line of the trace. */
  readonly print?: (line: string) => void;
}

/** The result of a simulation. */
export interface SimulationResult {
  /** Of the whole trace; the same for the same seed. */
  readonly digest: string;
  readonly fault: SimulationFault | undefined;
  readonly steps: number;
  readonly simulatedMs: number;
  readonly accepted: number;
  /** Digests with a redeemed token. */
  readonly spent: number;
  readonly published: number;
  readonly processes: number;
  /** Fronts that ended alone, and fronts that lost updates. */
  readonly frontsEnded: number;
  readonly laps: number;
  /** How often an old copy was restored, and detected. */
  readonly rollbacks: number;
  /** How often a fork ran. */
  readonly forks: number;
  /** Signed rounds that the store lost. */
  readonly lostRounds: number;
}

/** Longer than any period of faults. */
const TROUBLE_LIMIT_MS = 1e9;
/** Maximum time to publish all accepted digests after the faults. */
export const FINISH_LIMIT_MS = 60_000;
/** Maximum time to start without faults. */
const START_LIMIT_MS = 15_000;
/** Maximum time to read everything, and to detect and remove an old copy. */
const LOOK_LIMIT_MS = 300_000;

/** Independent streams of random numbers. */
const DECISIONS = 1;
const TOKENS = 3;

/** Runs one seed to its end or to the first fault. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const random = new Random(options.seed, DECISIONS);
  const trace = new Trace(options.print);
  const timeline = new Timeline(random, trace);
  const tokens = new Tokens(new Random(options.seed, TOKENS));
  const context = { random, timeline, trace, tokens };
  const world = new World(context, options.scheme, options.sabotage ?? {}, options.engine);
  const escaped = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    world.fail(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", escaped);
  try {
    return await new Simulation(world).run();
  } finally {
    globalThis.removeEventListener("unhandledrejection", escaped);
  }
}

class Simulation {
  readonly #world: World;
  readonly #main: Site;
  readonly #operator: Operator;
  readonly #trouble: Trouble;

  constructor(world: World) {
    this.#world = world;
    const { random } = world;
    this.#main = new Site(world, new MemoryLog(random.pick([SMALL_LIMITS, KV_LOG_LIMITS])));
    this.#operator = new Operator(world, this.#main);
    this.#trouble = new Trouble(world, this.#operator);
  }

  async run(): Promise<SimulationResult> {
    const { timeline, trace } = this.#world;
    try {
      await this.#pass();
    } catch (error) {
      this.#world.fail(error);
    }
    for (const site of this.#sites) {
      for (const process of site.processes) process.kill();
    }
    const { fault } = this.#world;
    return {
      digest: trace.digest,
      fault,
      steps: timeline.steps,
      simulatedMs: timeline.elapsedMs,
      accepted: this.#main.monitor.accepted.length,
      spent: this.#main.monitor.spent,
      published: this.#main.monitor.publishedSize,
      processes: this.#operator.started,
      frontsEnded: this.#operator.frontsEnded,
      laps: this.#operator.laps,
      rollbacks: this.#operator.rollbacks,
      forks: this.#operator.forks,
      lostRounds: this.#operator.lostRounds,
    };
  }

  async #pass(): Promise<void> {
    const { trace } = this.#world;
    this.#operator.start();
    this.#trouble.begin();
    await this.#until(() => this.#trouble.isOver, TROUBLE_LIMIT_MS, "trouble does not end");
    trace.note("faults have ended");
    this.#operator.calm();
    await this.#while(this.#operator.returnToLog());
    await this.#while(this.#operator.endFork());
    await this.#finish();
    await this.#lookBack();
    if (this.#world.random.chance(0.3)) await this.#startAgain();
    const store = new MemoryLogStore(this.#main.log);
    await checkLog(store, this.#world.network);
    const spent = await checkSpent(store);
    require(spent.size === this.#main.monitor.spent, "spent", `${spent.size} of them`);
  }

  /** Requires accepted and new digests to be published in bounded time. */
  async #finish(): Promise<void> {
    this.#operator.tend();
    const serves = () => this.#main.inCharge?.health === "ok" && this.#threads.length > 0;
    await this.#until(serves, FINISH_LIMIT_MS, "no gateway serves");
    this.#main.crowd.submit(this.#world.random.pick(this.#threads), 3);
    // A write that failed before may be reported only now.
    const isFinished = () => this.#main.isFinished && serves() && !this.#main.inCharge!.isAsked;
    await this.#until(isFinished, FINISH_LIMIT_MS, "accepted digests are not published");
    // A write of a killed process may have reached the disk only now.
    this.#main.check();
  }

  async #lookBack(): Promise<void> {
    const runs = () => this.#threads.length > 0;
    await this.#until(runs, START_LIMIT_MS, "a gateway does not start");
    await this.#while(this.#main.crowd.lookAtAll(this.#world.random.pick(this.#threads)));
    await this.#while(this.#operator.stopAll());
    this.#main.check();
  }

  /** Requires another process to recover the same state. */
  async #startAgain(): Promise<void> {
    this.#operator.start();
    await this.#lookBack();
  }

  /** Runs events until `holds`; a fault after `limitMs`. */
  async #until(holds: () => boolean, limitMs: number, otherwise: string): Promise<void> {
    const { timeline } = this.#world;
    const endMs = timeline.elapsedMs + limitMs;
    while (!holds()) {
      require(timeline.elapsedMs <= endMs, "liveness", `${otherwise} after ${limitMs} ms`);
      require(await timeline.step(), "liveness", `${otherwise}, and nothing is to happen`);
      this.#checkStep();
    }
  }

  /** Runs events until `done` settles. */
  async #while(done: Promise<void>): Promise<void> {
    let isDone = false;
    const finished = done.finally(() => isDone = true);
    finished.catch(() => {});
    await this.#until(() => isDone, LOOK_LIMIT_MS, "what was begun does not end");
    await finished;
  }

  /** The threads that serve the log. */
  get #threads(): readonly ServingThread[] {
    return this.#main.inCharge?.threads ?? [];
  }

  get #sites(): Site[] {
    const { site, fork } = this.#operator;
    return [this.#main, site, ...(fork === undefined ? [] : [fork.site])];
  }

  /** The cheap invariants, checked after every event. */
  #checkStep(): void {
    for (const { log: { violations: [violation] } } of this.#sites) {
      require(violation === undefined, "rules", `${violation}`);
    }
    for (const { processes } of this.#sites) {
      const active = processes.filter(({ isActive }) => isActive);
      require(active.length <= 1, "order", `${active.length} processes have the lease`);
    }
    const { fault } = this.#world;
    if (fault !== undefined) throw fault;
  }
}
