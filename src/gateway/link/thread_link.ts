/**
 * The link of a front to a sequencer in another thread.
 *
 * @module
 */

import { type MessagePort as NodePort, receiveMessageOnPort } from "node:worker_threads";
import { setImmediate as soon } from "node:timers";
import { setImmediate } from "node:timers/promises";
import type { Bytes } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { Assigned, AssignRequest, Follower, SequencerLink } from "../fronts/ports.ts";
import { refusalError } from "../health_view.ts";
import { Bell } from "../../base/threads/bell.ts";
import { BroadcastReader } from "../../base/threads/broadcast_ring.ts";
import { RequestWriter } from "../../base/threads/request_ring.ts";
import { decodeOutcomes, decodeRefusals, encodeAssign, FRAME_KIND } from "./link_frames.ts";
import { decodeUpdate } from "./link_updates.ts";
import { type FrontEnd, LINK_FLAG, type LinkMessage } from "./thread_link_ends.ts";

/** A request without an outcome. */
interface PendingAssign {
  /** To send it again if outcomes were lost. */
  readonly frame: Bytes;
  readonly resolve: (assigned: Assigned | undefined) => void;
  readonly reject: (error: CountersignError) => void;
  /** The request was sent again: the first one may have had the sequences assigned. */
  isRepeated: boolean;
}

/** Applies updates to `follower` from the first snapshot until {@linkcode ThreadLink.close}. */
export class ThreadLink implements SequencerLink {
  readonly #end: FrontEnd;
  readonly #follower: Follower;
  readonly #requests: RequestWriter;
  readonly #sequencerBell: Bell;
  readonly #bell: Bell;
  readonly #flags: Int32Array<SharedArrayBuffer>;
  /** In the order in which they were made. */
  readonly #pending = new Map<number, PendingAssign>();
  /** Frames for which the ring had no room, oldest first. */
  #unsent: Bytes[] = [];
  #nextId = 0;
  #isRingDue = false;
  /** `undefined` while the front waits for a snapshot. */
  #updates: BroadcastReader | undefined;
  #isClosed = false;
  readonly #joined = Promise.withResolvers<void>();

  constructor(end: FrontEnd, follower: Follower) {
    this.#end = end;
    this.#follower = follower;
    this.#requests = new RequestWriter(end.requests);
    this.#sequencerBell = new Bell(end.sequencerBell);
    this.#bell = new Bell(end.frontBell);
    this.#flags = new Int32Array(end.flags);
    this.#joined.promise.catch(() => {});
    this.#askForSnapshot();
    void this.#run();
  }

  /** Resolves when the follower has joined for the first time. */
  get joined(): Promise<void> {
    return this.#joined.promise;
  }

  assign(request: AssignRequest): Promise<Assigned | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw closedError();
      const id = this.#nextId;
      this.#nextId = (id + 1) >>> 0;
      const frame = encodeAssign(id, request);
      this.#requests.checkLength(frame);
      this.#send(frame);
      this.#pending.set(id, { frame, resolve, reject, isRepeated: false });
    });
  }

  /** Blocks the thread while it waits for a snapshot: the state before it may lack what others answered. */
  catchUp(): void {
    while (!this.#isClosed) {
      this.#applyUpdates();
      if (this.#updates !== undefined) return;
      this.#bell.block(() => this.#hasWork());
      this.#work();
    }
  }

  /** Requests without an outcome fail with `shutting_down`. Closes the port. */
  close(): void {
    this.#fail();
    this.#bell.wake();
    this.#end.port.close();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      this.#work();
      const slept = await this.#bell.sleep(() => this.#isClosed || this.#hasWork());
      if (!slept) await setImmediate();
    }
  }

  #work(): void {
    // Loaded first: the last outcomes are written before it is set.
    const isClosed = this.#isFlagSet(LINK_FLAG.closed);
    if (this.#updates === undefined) this.#receiveSnapshot();
    this.#applyUpdates();
    this.#sendUnsent();
    if (isClosed) this.#fail();
  }

  /** Whether {@linkcode #work} has anything to do. */
  #hasWork(): boolean {
    if (this.#isFlagSet(LINK_FLAG.closed)) return true;
    if (this.#unsent.length > 0 && !this.#isFlagSet(LINK_FLAG.waitsForRoom)) return true;
    return this.#updates === undefined ? this.#receiveSnapshot() : this.#updates.hasMore;
  }

  #isFlagSet(flag: number): boolean {
    return Atomics.load(this.#flags, flag) !== 0;
  }

  #askForSnapshot(): void {
    this.#updates = undefined;
    Atomics.store(this.#flags, LINK_FLAG.joins, 1);
    this.#sequencerBell.ring();
  }

  /** False if no snapshot has come. */
  #receiveSnapshot(): boolean {
    for (;;) {
      const message = this.#receive();
      if (message === undefined) return false;
      // Indexes that were sent before the snapshot are in it.
      if (!("snapshot" in message)) continue;
      applied(() => this.#follower.joined(message.snapshot));
      this.#updates = new BroadcastReader(this.#end.updates, message.position);
      this.#joined.resolve();
      return true;
    }
  }

  #receive(): LinkMessage | undefined {
    // The runtime takes ports of both kinds; its types do not.
    return receiveMessageOnPort(this.#end.port as unknown as NodePort)?.message;
  }

  #applyUpdates(): void {
    for (;;) {
      const frame = this.#updates?.read();
      if (frame === undefined) return;
      if (frame === "lapped") return this.#joinAgain();
      applied(() => this.#apply(frame));
    }
  }

  #apply(frame: Bytes): void {
    switch (frame[0]) {
      case FRAME_KIND.outcomes:
        for (const { id, sequences, firstNew } of decodeOutcomes(this.#end.front, frame)) {
          const pending = this.#take(id);
          pending?.resolve(
            sequences && { sequences, firstNew: pending.isRepeated ? 0 : firstNew },
          );
        }
        break;
      case FRAME_KIND.refusals:
        for (const { id, code, message } of decodeRefusals(this.#end.front, frame)) {
          this.#take(id)?.reject(refusalError(code, message));
        }
        break;
      case FRAME_KIND.index: {
        const message = this.#receive();
        if (message === undefined || !("index" in message)) {
          throw new CountersignError("internal", "An index of the sequencer is missing");
        }
        this.#follower.indexChanged(message.name, message.index);
        break;
      }
      default:
        decodeUpdate(frame, this.#follower);
    }
  }

  /** `undefined` for the second outcome of a request that was sent twice. */
  #take(id: number): PendingAssign | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  /** Updates were lost, and perhaps outcomes: requests without an outcome are sent again. */
  #joinAgain(): void {
    // First, so that the snapshot is older than the outcomes of the requests that follow.
    this.#askForSnapshot();
    this.#unsent = Array.from(this.#pending.values(), (pending) => {
      pending.isRepeated = true;
      return pending.frame;
    });
    this.#sendUnsent();
  }

  #send(frame: Bytes): void {
    if (this.#unsent.length > 0 || !this.#requests.tryWrite(frame)) {
      this.#unsent.push(frame);
      if (this.#unsent.length === 1) this.#sendUnsent();
    } else this.#ringSoon();
  }

  /** Rings once for all requests of a turn of the event loop: waking a thread takes two system calls. */
  #ringSoon(): void {
    if (this.#isRingDue) return;
    this.#isRingDue = true;
    soon(() => {
      this.#isRingDue = false;
      this.#sequencerBell.ring();
    });
  }

  #sendUnsent(): void {
    let sent = 0;
    const write = () => {
      while (sent < this.#unsent.length && this.#requests.tryWrite(this.#unsent[sent]!)) sent++;
      return sent === this.#unsent.length;
    };
    if (!write()) {
      Atomics.store(this.#flags, LINK_FLAG.waitsForRoom, 1);
      // The sequencer may have made room before it could see the flag.
      write();
    }
    if (sent > 0) {
      this.#unsent.splice(0, sent);
      this.#sequencerBell.ring();
    }
  }

  #fail(): void {
    this.#isClosed = true;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    this.#unsent = [];
    for (const { reject } of pending) reject(closedError());
    this.#joined.reject(closedError());
  }
}

/**
 * Ends the thread if `apply` throws, even if a caller catches the error: a front must not answer after it
 * has applied only a part of an update.
 */
function applied(apply: () => void): void {
  try {
    apply();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
    throw error;
  }
}

function closedError(): CountersignError {
  return new CountersignError("shutting_down", "The gateway is shutting down");
}
