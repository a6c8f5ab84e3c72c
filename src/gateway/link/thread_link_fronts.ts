/**
 * The fronts of a sequencer, which are in other threads.
 *
 * @module
 */

import { setImmediate } from "node:timers/promises";
import { CountersignError } from "../../base/errors.ts";
import type { SequencerService } from "../fronts/gateway_sequencer.ts";
import type { Follower } from "../fronts/ports.ts";
import type { Bytes } from "../../base/bytes.ts";
import { errorText } from "../../base/report.ts";
import { Bell } from "../../base/threads/bell.ts";
import { BroadcastWriter } from "../../base/threads/broadcast_ring.ts";
import { RequestReader } from "../../base/threads/request_ring.ts";
import {
  decodeAssign,
  encodeOutcomes,
  encodeRefusals,
  FRAME_KIND,
  type Outcome,
  type Refusal,
} from "./link_frames.ts";
import { encodeUpdates } from "./link_updates.ts";
import {
  LINK_FLAG,
  type LinkMemory,
  type LinkMessage,
  type SequencerEnd,
} from "./thread_link_ends.ts";

/** Bytes of requests that one front may have read before it is the turn of the next. */
const TURN_BYTES = 2 ** 15;
/** Outcomes are divided into frames of about this length. */
const OUTCOMES_LENGTH = 2 ** 16;
const REFUSALS_PER_FRAME = 100;

/** A front, as the sequencer has it. */
class LinkedFront {
  readonly front: number;
  readonly requests: RequestReader;
  readonly bell: Bell;
  readonly port: MessagePort;
  readonly #flags: Int32Array<SharedArrayBuffer>;
  /** Not yet written. */
  outcomes: Outcome[] = [];
  refusals: Refusal[] = [];
  isRemoved = false;

  constructor(end: SequencerEnd) {
    this.front = end.front;
    this.requests = new RequestReader(end.requests);
    this.bell = new Bell(end.frontBell);
    this.port = end.port;
    this.#flags = new Int32Array(end.flags);
  }

  get joins(): boolean {
    return Atomics.load(this.#flags, LINK_FLAG.joins) !== 0;
  }

  /** True if the front asks for a snapshot; false until it asks again. */
  takeJoin(): boolean {
    return this.joins && Atomics.exchange(this.#flags, LINK_FLAG.joins, 0) !== 0;
  }

  /** Wakes the front if it waits for room in its ring. */
  madeRoom(): void {
    if (Atomics.load(this.#flags, LINK_FLAG.waitsForRoom) === 0) return;
    Atomics.store(this.#flags, LINK_FLAG.waitsForRoom, 0);
    this.bell.wake();
  }

  send(message: LinkMessage): void {
    this.port.postMessage(message);
  }

  close(): void {
    Atomics.store(this.#flags, LINK_FLAG.closed, 1);
    this.isRemoved = true;
    this.bell.wake();
    this.port.close();
  }
}

/** Serves a sequencer to fronts, which may be added and removed at any time. */
export class LinkedFronts {
  readonly #service: SequencerService;
  readonly #updates: BroadcastWriter;
  readonly #bell: Bell;
  readonly #fronts = new Map<number, LinkedFront>();
  readonly #ended = new AbortController();
  /** Fronts with outcomes to write. */
  readonly #answered = new Set<LinkedFront>();
  /** Updates were written, and no front was rung since. */
  #hasUpdates = false;
  #isFlushDue = false;

  /** Follows `service` until {@linkcode LinkedFronts.close}. `memory` has no other writer. */
  constructor(service: SequencerService, memory: LinkMemory) {
    this.#service = service;
    this.#updates = new BroadcastWriter(memory.updates);
    this.#bell = new Bell(memory.sequencerBell);
    const follower: Follower = {
      ...encodeUpdates((frame) => this.#update(frame)),
      joined: () => {},
      indexChanged: (name, index) => {
        // Before the frame: a front that reads the frame takes the message at once.
        for (const front of this.#fronts.values()) front.send({ name, index });
        this.#update(Uint8Array.of(FRAME_KIND.index));
      },
    };
    service.follow(follower, this.#ended.signal);
    void this.#run();
  }

  /** The front may have been running before. */
  add(end: SequencerEnd): void {
    this.#fronts.set(end.front, new LinkedFront(end));
    this.#bell.wake();
  }

  /** Drops the front's unread requests and its later outcomes. */
  remove(front: number): void {
    const removed = this.#fronts.get(front);
    if (removed === undefined) return;
    this.#fronts.delete(front);
    this.#answered.delete(removed);
    removed.close();
  }

  /** Requests that have no outcome by now fail with `shutting_down` at their fronts. */
  close(): void {
    this.#flush();
    this.#ended.abort();
    for (const front of [...this.#fronts.keys()]) this.remove(front);
    this.#bell.wake();
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      for (const front of this.#fronts.values()) this.#serve(front);
      const slept = await this.#bell.sleep(() => this.#hasWork());
      if (!slept) await setImmediate();
    }
  }

  #hasWork(): boolean {
    if (this.#ended.signal.aborted) return true;
    return this.#fronts.values().some(({ requests, joins }) => requests.hasMore || joins);
  }

  /** Passes requests of a front to the sequencer, for one turn. */
  #serve(front: LinkedFront): void {
    for (let bytes = 0; bytes < TURN_BYTES;) {
      const frame = front.requests.read();
      // A snapshot precedes the outcomes of requests that the front made after it asked for it.
      if (front.takeJoin()) this.#join(front);
      if (frame === undefined) break;
      bytes += frame.length;
      this.#assign(front, frame);
    }
    front.madeRoom();
  }

  #join(front: LinkedFront): void {
    front.send({ snapshot: this.#service.snapshot(), position: this.#updates.position });
    front.bell.wake();
  }

  #assign(front: LinkedFront, frame: Bytes): void {
    const { id, request } = decodeAssign(frame);
    this.#service.assign(
      request,
      (sequences, firstNew = 0) => {
        if (front.isRemoved) return;
        front.outcomes.push({ id, sequences, firstNew });
        this.#answer(front);
      },
      (error) => {
        if (front.isRemoved) return;
        const code = error instanceof CountersignError ? error.code : "internal";
        front.refusals.push({ id, code, message: errorText(error) });
        this.#answer(front);
      },
    );
  }

  #update(frame: Bytes): void {
    this.#updates.write(frame);
    this.#hasUpdates = true;
    this.#flushSoon();
  }

  #answer(front: LinkedFront): void {
    this.#answered.add(front);
    this.#flushSoon();
  }

  /** At the end of the task, so that the outcomes of a commit are one frame and ring once. */
  #flushSoon(): void {
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    this.#isFlushDue = false;
    const maxLength = Math.min(OUTCOMES_LENGTH, this.#updates.capacity / 4);
    for (const front of this.#answered) {
      for (const frame of encodeOutcomes(front.front, front.outcomes, maxLength)) {
        this.#updates.write(frame);
      }
      for (let i = 0; i < front.refusals.length; i += REFUSALS_PER_FRAME) {
        const refusals = front.refusals.slice(i, i + REFUSALS_PER_FRAME);
        this.#updates.write(encodeRefusals(front.front, refusals));
      }
      front.outcomes = [];
      front.refusals = [];
    }
    const rung = this.#hasUpdates ? this.#fronts.values() : this.#answered;
    for (const { bell } of rung) bell.ring();
    this.#answered.clear();
    this.#hasUpdates = false;
  }
}
