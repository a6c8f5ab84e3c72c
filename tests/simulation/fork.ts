/**
 * A second gateway over a copy of the log's store. Once witnesses have agreed with the copy, a
 * partition leaves it fewer witnesses than the threshold. Their signatures over its rounds may stop
 * the original, but the log never continues from the copy.
 *
 * @module
 */

import type { WitnessClient } from "../../src/gateway/ports.ts";
import type { BatchPolicy } from "../../src/gateway/sequencing/batching.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { GatewayProcess } from "./gateway_process.ts";
import type { Site } from "./site.ts";
import type { WitnessHost } from "./witness_host.ts";
import type { World } from "./world.ts";
import { NO_EPOCHS } from "../gateway/wrapped_witness.ts";

export class Fork {
  readonly site: Site;
  readonly process: GatewayProcess;
  readonly #world: World;
  readonly #hosts: readonly WitnessHost[];
  /** The reachable witnesses; all of them if `undefined`. */
  #reached: ReadonlySet<WitnessHost> | undefined;

  constructor(world: World, hosts: readonly WitnessHost[], site: Site, policy: BatchPolicy) {
    this.#world = world;
    this.#hosts = hosts;
    this.site = site;
    this.process = new GatewayProcess(world, "fork", site.log);
    site.processes.push(this.process);
    this.process.start(hosts.map((host) => this.#clientOf(host)), policy);
  }

  /** Begins the partition once witnesses have agreed. From then on, clients submit to the copy. */
  act(): void {
    const { random, network, trace } = this.#world;
    if (this.process.state !== "running") return;
    if (this.#reached === undefined) {
      if (this.process.health !== "ok") return;
      const count = random.below(network.threshold);
      const rest = [...this.#hosts];
      const reached = Array.from(
        { length: count },
        () => rest.splice(random.below(rest.length), 1)[0]!,
      );
      this.#reached = new Set(reached);
      trace.note(`the fork reaches ${reached.map(({ id }) => id).join()}`);
    }
    if (this.process.threads.length === 0) return;
    this.site.crowd.submit(random.pick(this.process.threads), random.pick([1, 2, 5]));
  }

  /** Ends the partition. */
  heal(): void {
    this.#reached = undefined;
  }

  #clientOf(host: WitnessHost): WitnessClient {
    const client = host.clientOf(this.process);
    const ask = <T>(question: () => Promise<T>): Promise<T> => {
      if (this.#reached?.has(host) ?? true) return question();
      return Promise.reject(new CountersignError("witness_unreachable", "Cannot ask: cut off"));
    };
    return {
      id: client.id,
      sign: (...args) => ask(() => client.sign(...args)),
      cosign: (...args) => ask(() => client.cosign(...args)),
      checkHealth: (signal) => ask(() => client.checkHealth(signal)),
      reach: (signal) => ask(() => client.reach(signal)),
      roundsFrom: (...args) => ask(() => client.roundsFrom(...args)),
      epochs: NO_EPOCHS,
    };
  }
}
