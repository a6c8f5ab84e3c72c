/**
 * Clients of the serving threads: they submit, repeat submissions, wait for answers, and read every
 * resource.
 *
 * @module
 */

import { hasCode } from "../../src/base/errors.ts";
import type { ErrorCode } from "../../src/base/errors.ts";
import type { Admission } from "../../src/gateway/ports.ts";
import { ClientView } from "./client_view.ts";
import { require, SimulationFault } from "./fault.ts";
import type { ServingThread } from "./serving_thread.ts";
import { HealthOfSubmission } from "./health_check.ts";
import type { World } from "./world.ts";

/** Codes that a client may be refused with. The last is for a store that fails during a read. */
const REFUSALS: readonly ErrorCode[] = [
  "overloaded",
  "shutting_down",
  "standby",
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
  submit(thread: ServingThread, count: number): void {
    const { random } = this.#world;
    const hashes = Array.from({ length: count }, () => random.bytes(32).toHex());
    this.#submitted.push(...hashes);
    if (random.chance(0.2)) hashes.push(random.pick(this.#submitted), hashes[0]!);
    const tokens = this.#world.tokens.draw(hashes.length);
    this.#send(thread, hashes, tokens);
    if (tokens === undefined || !this.#world.tokens.haveRival) return;
    const others = hashes.map(() => random.bytes(32).toHex());
    this.#submitted.push(...others);
    this.#send(thread, others, tokens);
  }

  /** Submits old digests again. Each keeps its sequence, or is accepted now. */
  repeat(thread: ServingThread): void {
    const { random } = this.#world;
    if (this.#submitted.length === 0) return;
    const count = random.between(1, 5);
    const hashes = Array.from({ length: count }, () => random.pick(this.#submitted));
    this.#send(thread, hashes, this.#world.tokens.draw(count));
  }

  /** Reads one resource. */
  look(thread: ServingThread): void {
    const { random } = this.#world;
    const { view } = this;
    const what = random.weighted({ job: 5, bundle: 2, heads: 3, consistency: 2, progress: 3 });
    const known = [...view.acknowledged];
    this.#ask(thread, `looks at ${what}`, async () => {
      if (what === "progress") return view.checkProgress(thread);
      if (what === "heads") return await view.checkHeads(thread);
      if (what === "consistency") return await this.#compareHeads(thread);
      if (known.length === 0) return;
      const [hash, sequence] = random.pick(known);
      if (what === "job") return await view.look(thread, hash);
      if (thread.process.isInCharge) await view.checkBundle(thread, sequence);
    });
  }

  /** Reads the latest head as soon as the thread has seen its publication. */
  follow(thread: ServingThread): void {
    this.#ask(thread, "follows heads", () => this.view.checkHeads(thread));
  }

  /** Reads everything. */
  async lookAtAll(thread: ServingThread): Promise<void> {
    const { view } = this;
    await view.checkHeads(thread);
    for (const hash of view.acknowledged.keys()) await view.look(thread, hash);
    for (const hash of this.#submitted) {
      if (!view.acknowledged.has(hash)) await view.look(thread, hash);
    }
    const latest = Math.max(...view.heads.keys());
    for (const size of [...view.heads.keys()]) {
      await view.checkConsistency(thread, size, latest);
    }
  }

  async #compareHeads(thread: ServingThread): Promise<void> {
    const { random } = this.#world;
    const sizes = [...this.view.heads.keys()];
    if (sizes.length === 0 || !thread.process.isInCharge) return;
    const [first, second] = [random.pick(sizes), random.pick(sizes)].sort((a, b) => a - b);
    await this.view.checkConsistency(thread, first!, second!);
  }

  #send(
    thread: ServingThread,
    hashes: readonly string[],
    tokens: readonly string[] | undefined,
  ): void {
    const { random, tokens: all } = this.#world;
    const seconds = random.chance(0.3) ? random.between(1, 20) : undefined;
    const what = `sends ${hashes.length}${tokens === undefined ? "" : " with tokens"}`;
    const isForAll = random.chance(0.2);
    for (const receiver of isForAll ? thread.process.threads : [thread]) {
      all.offer(hashes, tokens, (hash) => this.view.acknowledged.has(hash));
      const admission = tokens && all.admission(tokens, receiver);
      const question = () => this.#submit(receiver, hashes, { seconds, admission });
      this.#ask(receiver, what, question, tokens);
    }
  }

  async #submit(
    thread: ServingThread,
    hashes: readonly string[],
    { seconds, admission }: {
      readonly seconds: number | undefined;
      readonly admission: Admission | undefined;
    },
  ): Promise<void> {
    const health = new HealthOfSubmission(this.#world, thread.process);
    try {
      await this.#submitTo(thread, hashes, { seconds, admission }, health);
    } catch (error) {
      health.refused(error);
      throw error;
    }
  }

  async #submitTo(
    thread: ServingThread,
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
      const snapshot = await thread.service.jobs.submit(hash, seconds, admission);
      health.accepted();
      this.#acknowledge(thread, [hash], snapshot.terminal);
      return await this.view.checkSnapshot(thread, { hash, seen }, snapshot);
    }
    const digests = Uint8Array.fromHex(hashes.join(""));
    const { waiting } = await thread.service.jobs.submitAll(digests, seconds, admission);
    health.accepted();
    this.#acknowledge(thread, hashes, waiting < 0);
  }

  #acknowledge(thread: ServingThread, hashes: readonly string[], areSigned: boolean): void {
    const mayAcknowledge = areSigned || !thread.mustRefuseUnsigned;
    require(mayAcknowledge, "promises", `${thread.name} acknowledges what will never be signed`);
    for (const hash of hashes) this.view.acknowledge(hash);
  }

  /** One request of a client, which is answered, refused, or lost with its thread. */
  #ask(
    thread: ServingThread,
    what: string,
    question: () => Promise<void>,
    tokens: readonly string[] = [],
  ): void {
    const { trace } = this.#world;
    thread.asked++;
    question().then(
      () => trace.note(`a client of ${thread.name} ${what}`),
      (error) => {
        if (!thread.isAlive) return;
        trace.note(`a client of ${thread.name} ${what}: ${error.code ?? ""} ${error.message}`);
        if (error instanceof SimulationFault) return this.#world.fail(error);
        if (hasCode(error, "token_spent")) {
          // A process that lost the fence may have begun to redeem tokens that it cannot store.
          const mayBe = this.#world.tokens.areContested(tokens) || !thread.process.isInCharge;
          return this.#world.check(() => require(mayBe, "spent", "what nobody else had is spent"));
        }
        const isRefusal = REFUSALS.some((code) => hasCode(error, code));
        // A read that failed on its disk.
        if (!isRefusal && !/^failed, /.test(error.message)) this.#world.fail(error);
      },
    ).finally(() => thread.asked--);
  }
}
