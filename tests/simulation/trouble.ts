/**
 * A period of client traffic and random faults.
 *
 * @module
 */

import type { Operator } from "./operator.ts";
import { PASSING_TEMPERS } from "./temper.ts";
import { checkHealth } from "./health_check.ts";
import { LAGS } from "./simulated_front.ts";
import type { Weather } from "./weather.ts";
import type { World } from "./world.ts";

const WEATHERS: readonly Weather[] = ["calm", "calm", "rough", "rough", "storm"];
const REACHES = ["up", "up", "up", "down", "silent"] as const;

/** Maximum time that a disk is full. A gateway gives up after some seconds. */
const FULL_MS = [500, 3_000, 3_000, 40_000] as const;

/** Relative frequency of each action. */
const WEIGHTS = {
  submit: 12,
  repeat: 4,
  look: 12,
  kill: 2,
  restart: 1,
  endFront: 2,
  lap: 3,
  lag: 2,
  takeover: 2,
  disk: 2,
  network: 2,
  reach: 3,
  forget: 2,
  temper: 3,
  turn: 0.3,
  restore: 0.5,
  backUp: 2,
  jump: 1.5,
  rollBack: 1.5,
  fork: 1.5,
  lose: 2,
  fill: 1,
  rest: 0.7,
} as const;

type Deed = keyof typeof WEIGHTS;

export class Trouble {
  readonly #world: World;
  readonly #operator: Operator;
  /** Maximum number of witnesses that may permanently break the rules of tree heads. */
  readonly #dishonest: number;
  readonly #rollsBack: boolean;
  readonly #deeds: Readonly<Record<Deed, () => void>>;
  #left: number;

  constructor(world: World, operator: Operator) {
    const { random, network } = world;
    this.#world = world;
    this.#operator = operator;
    this.#left = random.between(20, 110);
    // Detection of an old copy is certain only with so few dishonest witnesses.
    this.#rollsBack = random.chance(0.5);
    this.#dishonest = this.#rollsBack ? world.tolerated : network.witnesses.length;
    this.#deeds = {
      ...this.#clientDeeds(),
      ...this.#gatewayDeeds(),
      ...this.#frontDeeds(),
      ...this.#witnessDeeds(),
      disk: () => world.elements.disk = random.pick(WEATHERS),
      network: () => world.elements.network = random.pick(WEATHERS),
    };
  }

  get isOver(): boolean {
    return this.#left === 0;
  }

  begin(): void {
    const { random, timeline } = this.#world;
    const rests = random.chance(0.03) ? 900_000 : 12_000;
    const act = () => {
      this.#left--;
      const deed = random.weighted(WEIGHTS);
      this.#world.trace.note(`deed ${deed}`);
      this.#deeds[deed]();
      this.#world.check(() => this.#check());
      if (random.chance(0.7)) this.#operator.tend();
      const ms = deed === "rest" ? random.below(rests) : random.below(random.pick([3, 60, 600]));
      if (this.#left > 0) timeline.in(ms, "deed due", act);
    };
    timeline.in(random.below(50), "first deed", act);
  }

  #clientDeeds() {
    const { random } = this.#world;
    const isHeavy = random.chance(0.1);
    const reached = () => {
      const { serving } = this.#operator.site;
      return serving.length === 0 ? undefined : random.pick(serving);
    };
    const crowd = () => this.#operator.site.crowd;
    return {
      submit: () => {
        const thread = reached();
        const count = random.pick([1, 1, 2, 5, 11]);
        if (thread !== undefined) crowd().submit(thread, isHeavy ? 20 * count : count);
      },
      repeat: () => {
        const thread = reached();
        if (thread !== undefined) crowd().repeat(thread);
      },
      look: () => {
        const thread = reached();
        if (thread !== undefined) crowd().look(thread);
      },
    };
  }

  #gatewayDeeds() {
    const { random, clock } = this.#world;
    const operator = this.#operator;
    return {
      kill: () => {
        const { alive } = operator.site;
        if (alive.length > 0) random.pick(alive).killAfter(random.below(40));
      },
      restart: () => void operator.stopAll(),
      takeover: () => operator.takeOver(),
      backUp: () => operator.backUp(),
      jump: () => {
        const machine = random.pick([clock, ...operator.hosts.map((host) => host.clock)]);
        const ms = random.pick([3_000, 8_000, 90_000, 86_400_000]);
        machine.offsetMs = random.chance(0.3) ? 0 : random.between(-ms, ms);
      },
      rollBack: () => {
        if (!this.#rollsBack) return;
        const done = operator.site.isOldCopy ? operator.returnToLog() : operator.rollBack();
        done.catch((error) => this.#world.fail(error));
      },
      fork: () => operator.forkLog(),
      lose: () => operator.loseRounds(),
      rest: () => {},
    };
  }

  #frontDeeds() {
    const { random } = this.#world;
    const operator = this.#operator;
    const pickFront = () => {
      const fronts = operator.site.processes.flatMap(({ fronts }) => fronts);
      return fronts.length === 0 ? undefined : random.pick(fronts);
    };
    return {
      endFront: () => {
        const front = pickFront();
        if (front === undefined) return;
        operator.frontsEnded++;
        front.process.endFront(front);
      },
      lap: () => {
        const front = pickFront();
        if (front === undefined) return;
        operator.laps++;
        front.lap();
      },
      lag: () => {
        const front = pickFront();
        if (front !== undefined) front.lagMs = random.pick(LAGS);
      },
    };
  }

  #witnessDeeds() {
    const { random } = this.#world;
    const { hosts } = this.#operator;
    // Not while an old copy must be detected: it was restored because of the witnesses that are
    // honest now. What a store lost only honest witnesses remember.
    const most = () => this.#operator.lostRounds > 0 ? this.#world.tolerated : this.#dishonest;
    const mayTurn = () =>
      !this.#operator.site.isOldCopy &&
      hosts.filter((host) => !host.isHonest).length < most();
    return {
      reach: () => random.pick(hosts).reach = random.pick(REACHES),
      forget: () => random.pick(hosts).restart(),
      temper: () => {
        const host = random.pick(hosts);
        if (host.temper === "equivocating") return;
        host.temper = random.chance(0.5) ? "honest" : random.pick(PASSING_TEMPERS);
      },
      fill: () => {
        const { elements, timeline } = this.#world;
        const host = random.pick([undefined, ...hosts]);
        const fill = (isFull: boolean) => {
          if (host === undefined) elements.isFull = isFull;
          else host.isDiskFull = isFull;
        };
        fill(true);
        const ms = random.below(random.pick(FULL_MS));
        timeline.in(ms, "a disk has room again", () => fill(false));
      },
      turn: () => {
        if (mayTurn()) random.pick(hosts).turn();
      },
      restore: () => {
        const host = random.pick(hosts);
        if (random.chance(0.5)) host.backUp();
        else if (mayTurn()) host.restore();
      },
    };
  }

  /** The expensive invariants, which read everything. */
  #check(): void {
    const { site, fork, hosts } = this.#operator;
    site.check();
    fork?.site.check();
    for (const watched of fork === undefined ? [site] : [site, fork.site]) {
      for (const process of watched.processes) checkHealth(this.#world, hosts, watched, process);
    }
  }
}
