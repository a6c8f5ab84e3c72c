/**
 * Fronts in threads beside a sequencer in this one.
 *
 * @module
 */

import { CountersignError } from "../../../src/base/errors.ts";
import type { SequencerService } from "../../../src/gateway/fronts/gateway_sequencer.ts";
import type { Assigned, AssignRequest } from "../../../src/gateway/fronts/ports.ts";
import { LinkedFronts } from "../../../src/gateway/link/thread_link_fronts.ts";
import {
  type LinkMemory,
  newLinkEnds,
  newLinkMemory,
} from "../../../src/gateway/link/thread_link_ends.ts";
import type { LinkHarness, RecordingFront } from "../link_conformance.ts";
import type { Received } from "../scripted_sequencer.ts";
import type { FrontOrder, FrontReply } from "./front_worker.ts";

type Call = FrontOrder extends infer O ? O extends { id: number } ? Omit<O, "id"> : never : never;

/** A thread with a front. */
export class ThreadedFront implements RecordingFront {
  readonly #worker: Worker;
  readonly #onEnd: () => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly joined = Promise.withResolvers<void>();
  /** Resolves with the message of the error that ended the thread. */
  readonly failed: Promise<string>;
  #nextId = 0;

  constructor(worker: Worker, onEnd: () => void) {
    this.#worker = worker;
    this.#onEnd = onEnd;
    this.failed = new Promise((resolve) => {
      worker.onerror = (event) => {
        event.preventDefault();
        resolve(event.message);
      };
    });
    worker.onmessage = ({ data: reply }: MessageEvent<FrontReply>) => {
      if (reply === "joined") return this.joined.resolve();
      const waiting = this.#waiting.get(reply.id)!;
      this.#waiting.delete(reply.id);
      if ("result" in reply) return waiting.resolve(reply.result);
      const { code, message } = reply;
      waiting.reject(code === undefined ? new Error(message) : new CountersignError(code, message));
    };
  }

  assign(request: AssignRequest): Promise<Assigned | undefined> {
    return this.#call({ assign: request });
  }

  catchUp(): Promise<readonly Received[]> {
    return this.#call({ catchUp: true });
  }

  /** Blocks the thread until the function that is returned is called. */
  async block(): Promise<() => Promise<void>> {
    const words = new Int32Array(new SharedArrayBuffer(8));
    const released = this.#call<void>({ blockOn: words.buffer });
    await Atomics.waitAsync(words, 0, 0).value;
    return () => {
      Atomics.store(words, 1, 1);
      Atomics.notify(words, 1);
      return released;
    };
  }

  /** The follower throws in `method` from now on. */
  failIn(method: Received[0]): Promise<void> {
    return this.#call({ failIn: method });
  }

  /** Closes the front's link. */
  close(): Promise<void> {
    return this.#call({ close: true });
  }

  end(): Promise<void> {
    this.#worker.terminate();
    this.#onEnd();
    return Promise.resolve();
  }

  #call<T>(call: Call): Promise<T> {
    const id = this.#nextId++;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#worker.postMessage({ ...call, id });
    return waiting.promise as Promise<T>;
  }
}

export class ThreadedFronts implements LinkHarness, AsyncDisposable {
  readonly #memory: LinkMemory;
  readonly #requestsCapacity: number | undefined;
  readonly linked: LinkedFronts;
  readonly #fronts = new Set<ThreadedFront>();
  #nextFront = 0;

  constructor(
    service: SequencerService,
    { updatesCapacity, requestsCapacity }: {
      readonly updatesCapacity?: number;
      readonly requestsCapacity?: number;
    } = {},
  ) {
    this.#memory = newLinkMemory(updatesCapacity);
    this.#requestsCapacity = requestsCapacity;
    this.linked = new LinkedFronts(service, this.#memory);
  }

  async addFront(): Promise<ThreadedFront> {
    const front = this.#nextFront++;
    const { sequencerEnd, frontEnd } = newLinkEnds(this.#memory, front, this.#requestsCapacity);
    const worker = new Worker(new URL("./front_worker.ts", import.meta.url), { type: "module" });
    const threaded = new ThreadedFront(worker, () => {
      this.linked.remove(front);
      this.#fronts.delete(threaded);
    });
    this.#fronts.add(threaded);
    worker.postMessage({ start: frontEnd } satisfies FrontOrder, [frontEnd.port]);
    this.linked.add(sequencerEnd);
    await threaded.joined.promise;
    return threaded;
  }

  async close(): Promise<void> {
    for (const front of this.#fronts) await front.end();
    this.linked.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
