/**
 * A sequencer that does as a test says.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Bytes } from "../../src/base/bytes.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import type { SequencerService } from "../../src/gateway/fronts/gateway_sequencer.ts";
import {
  type AssignRequest,
  type Follower,
  NO_ANCHORS_STATE,
  type SigningLoad,
  type Snapshot,
} from "../../src/gateway/fronts/ports.ts";

export const NO_LOAD: SigningLoad = { formed: 0, backlog: 0, answerMs: 0, isHeld: false };

/** An assign, to be ended by the test with one call of `done` or `failed`. */
export interface ScriptedAssign {
  readonly request: AssignRequest;
  readonly done: (sequences: readonly number[] | undefined, firstNew?: number) => void;
  readonly failed: (error: unknown) => void;
}

/** What a front's follower was called with. */
export type Received = readonly [method: keyof Follower, ...args: unknown[]];

/** A request of one digest. */
export function requestOf(number: number): AssignRequest {
  return { digests: digestOf(number), sealedRuns: 0 };
}

export function digestOf(number: number): Bytes {
  const digest = new Uint8Array(32);
  new DataView(digest.buffer).setUint32(0, number);
  return digest;
}

/** The number of each digest. */
export function numbersOf({ digests }: AssignRequest): number[] {
  const view = new DataView(digests.buffer, digests.byteOffset);
  return Array.from({ length: digests.length / 32 }, (_, i) => view.getUint32(32 * i));
}

/** Requests that no script answers wait in `assigns`. */
export class ScriptedSequencer implements SequencerService {
  /** Waiting requests, in the order in which they came. */
  readonly assigns: ScriptedAssign[] = [];
  /** Answers requests at once, if set. */
  script: ((assign: ScriptedAssign) => void) | undefined;
  readonly #followers = new Set<Follower>();
  #durable = 0;
  #arrived = Promise.withResolvers<void>();

  assign(
    request: AssignRequest,
    done: ScriptedAssign["done"],
    failed: ScriptedAssign["failed"],
  ): void {
    const assign = { request, done, failed };
    if (this.script !== undefined) return this.script(assign);
    this.assigns.push(assign);
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers();
  }

  follow(follower: Follower, signal: AbortSignal): void {
    follower.joined(this.snapshot());
    this.#followers.add(follower);
    signal.addEventListener("abort", () => this.#followers.delete(follower), { once: true });
  }

  /** The state that a follower joins now. */
  snapshot(): Snapshot {
    return {
      durable: this.#durable,
      confirmed: { end: 3, beyond: [{ first: 5, end: 2 ** 40 }] },
      tree: { head: { size: 3, root: digestOf(1) }, edges: [digestOf(2), new Uint8Array(0)] },
      latest: undefined,
      checkpoint: undefined,
      health: { status: "ok", isSigning: true, unacknowledged: "none" },
      load: NO_LOAD,
      failing: [],
      status: { witnesses: [], pending: 0 },
      anchors: NO_ANCHORS_STATE,
      epochs: { network: threeEpochs().epochs[0].configuration, links: [] },
      index: {
        key: new Uint8Array(8).fill(9),
        filters: [],
        runs: [{ base: 0, memory: new SharedArrayBuffer(16) }],
      },
    };
  }

  /** Digests below `end` are on disk. */
  accept(end: number, load: SigningLoad = NO_LOAD): void {
    this.#durable = end;
    this.publish((follower) => follower.accepted(end, load));
  }

  publish(update: (follower: Follower) => void): void {
    for (const follower of this.#followers) update(follower);
  }

  /** Number of followers. */
  get following(): number {
    return this.#followers.size;
  }

  /** Takes `count` waiting requests, once so many have come. */
  async take(count: number): Promise<ScriptedAssign[]> {
    while (this.assigns.length < count) await this.#arrived.promise;
    assert.equal(this.assigns.length, count);
    return this.assigns.splice(0);
  }
}
