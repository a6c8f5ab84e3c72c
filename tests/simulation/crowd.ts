/**
 * Clients of the serving process: they submit, repeat submissions, wait for answers, and read every
 * resource.
 *
 * @module
 */

import { hasCode } from "../../src/errors.ts";
import type { ErrorCode } from "../../src/errors.ts";
import type { Admission } from "../../src/gateway/ports.ts";
import { ClientView } from "./client_view.ts";
import { require, SimulationFault } from "./fault.ts";
import type { GatewayProcess } from "./gateway_process.ts";
import { HealthOfSubmission } from "./health_check.ts";
import type { World } from "./world.ts";

/** Codes that a client may be refused with. The last is for a store that fails during a read. */
const REFUSALS: readonly ErrorCode[] = [
  "overloaded",
  "shutting_down",
  "storage_failed",
  "store_rolled_back",
  "witnesses_unavailable",
];

export class Crowd {
  readonly #world: World;
  readonly view: ClientView;
  /** Submitted digests in hex, acknowledged or not. */
  readonly #submitted: string[] = [];

  constructor(world: World, view: ClientView) {
    this.#world = world;
    this.view = view;
  }

  /** Submits `count` new digests, some of them with a few old ones. */
  submit(process: GatewayProcess, count: number): void {
    const { random } = this.#world;
    const hashes = Array.from({ length: count }, () => random.bytes(32).toHex());
    this.#submitted.push(...hashes);
    if (random.chance(0.2)) hashes.push(random.pick(this.#submitted), hashes[0]!);
    const tokens = this.#world.tokens.draw(hashes.length);
    this.#send(process, hashes, tokens);
    if (tokens === undefined || !this.#world.tokens.haveRival) return;
    const others = hashes.map(() => random.bytes(32).toHex());
    this.#submitted.push(...others);
    this.#send(process, others, tokens);
  }

  /** Submits old digests again. Each keeps its sequence, or is accepted now. */
  repeat(process: GatewayProcess): void {
    const { random } = this.#world;
    if (this.#submitted.length === 0) return;
    const count = random.between(1, 5);
    const hashes = Array.from({ length: count }, () => random.pick(this.#submitted));
    this.#send(process, hashes, this.#world.tokens.draw(count));
  }

  /** Reads one resource. */
  look(process: GatewayProcess): void {
    const { random } = this.#world;
    const { view } = this;
    const what = random.weighted({ job: 5, bundle: 2, heads: 3, consistency: 2 });
    const known = [...view.acknowledged];
    this.#ask(process, `looks at ${what}`, async () => {
      if (what === "heads") return await view.checkHeads(process.gateway!);
      if (what === "consistency") return await this.#compareHeads(process);
      if (known.length === 0) return;
      const [hash, sequence] = random.pick(known);
      if (what === "job") return await view.look(process, hash);
      if (process.isInCharge) await view.checkBundle(process, sequence);
    });
  }

  /** Reads the latest head as soon as `process` publishes it. */
  follow(process: GatewayProcess): void {
    this.#ask(process, "follows heads", () => this.view.checkHeads(process.gateway!));
  }

  /** Reads everything. */
  async lookAtAll(process: GatewayProcess): Promise<void> {
    const { view } = this;
    await view.checkHeads(process.gateway!);
    for (const hash of view.acknowledged.keys()) await view.look(process, hash);
    for (const hash of this.#submitted) {
      if (!view.acknowledged.has(hash)) await view.look(process, hash);
    }
    const latest = Math.max(...view.heads.keys());
    for (const size of view.heads.keys()) {
      await view.checkConsistency(process.gateway!, size, latest);
    }
  }

  async #compareHeads(process: GatewayProcess): Promise<void> {
    const { random } = this.#world;
    const sizes = [...this.view.heads.keys()];
    if (sizes.length === 0 || !process.isInCharge) return;
    const [first, second] = [random.pick(sizes), random.pick(sizes)].sort((a, b) => a - b);
    await this.view.checkConsistency(process.gateway!, first!, second!);
  }

  #send(
    process: GatewayProcess,
    hashes: readonly string[],
    tokens: readonly string[] | undefined,
  ): void {
    const { random, tokens: all } = this.#world;
    const seconds = random.chance(0.3) ? random.between(1, 20) : undefined;
    all.offer(hashes, tokens, (hash) => this.view.acknowledged.has(hash));
    const admission = tokens && all.admission(tokens, process);
    const what = `sends ${hashes.length}${tokens === undefined ? "" : " with tokens"}`;
    this.#ask(process, what, () => this.#submit(process, hashes, { seconds, admission }), tokens);
  }

  async #submit(
    process: GatewayProcess,
    hashes: readonly string[],
    { seconds, admission }: {
      readonly seconds: number | undefined;
      readonly admission: Admission | undefined;
    },
  ): Promise<void> {
    const health = new HealthOfSubmission(process);
    try {
      await this.#submitTo(process, hashes, { seconds, admission }, health);
    } catch (error) {
      health.refused(error);
      throw error;
    }
  }

  async #submitTo(
    process: GatewayProcess,
    hashes: readonly string[],
    { seconds, admission }: {
      readonly seconds: number | undefined;
      readonly admission: Admission | undefined;
    },
    health: HealthOfSubmission,
  ): Promise<void> {
    if (hashes.length === 1) {
      const hash = hashes[0]!;
      const seen = this.view.seen(hash);
      const snapshot = await process.gateway!.jobs.submit(hash, seconds, admission);
      health.accepted();
      this.view.acknowledge(hash);
      return await this.view.checkSnapshot(process, { hash, seen }, snapshot);
    }
    const digests = Uint8Array.fromHex(hashes.join(""));
    await process.gateway!.jobs.submitAll(digests, seconds, admission);
    health.accepted();
    for (const hash of hashes) this.view.acknowledge(hash);
  }

  /** One request of a client, which is answered, refused, or lost with its process. */
  #ask(
    process: GatewayProcess,
    what: string,
    question: () => Promise<void>,
    tokens: readonly string[] = [],
  ): void {
    const { trace } = this.#world;
    process.asked++;
    question().then(
      () => trace.note(`a client of ${process.name} ${what}`),
      (error) => {
        trace.note(`a client of ${process.name} ${what}: ${error.code ?? ""} ${error.message}`);
        if (error instanceof SimulationFault) return this.#world.fail(error);
        if (hasCode(error, "token_spent")) {
          // A process that lost the fence may have begun to redeem tokens that it cannot store.
          const mayBe = this.#world.tokens.areContested(tokens) || !process.isInCharge;
          return this.#world.check(() => require(mayBe, "spent", "what nobody else had is spent"));
        }
        const isRefusal = REFUSALS.some((code) => hasCode(error, code));
        // A read that failed on its disk.
        if (!isRefusal && !/^failed, /.test(error.message)) this.#world.fail(error);
      },
    ).finally(() => process.asked--);
  }
}
