/**
 * The link of a front to a sequencer in another process. It uses one connection after another: requests
 * without an outcome are sent again over the next one, which is idempotent by digest.
 *
 * @module
 */

import { setImmediate as soon } from "node:timers";
import type { Bytes } from "../bytes.ts";
import type { Clock } from "../clock.ts";
import { concat } from "../bytes.ts";
import type {
  Assigned,
  AssignRequest,
  Follower,
  Health,
  SequencerLink,
  Snapshot,
} from "../gateway/fronts/ports.ts";
import { refusalError } from "../gateway/health_view.ts";
import type { FrontConnection } from "./front_connection.ts";
import { CLOSE_CODE } from "./frame_socket.ts";
import { encodeAssign, FRAME_KIND } from "./link_frames.ts";
import { applied, HeldWork, isPassing, linkClosed, linkLost, UNLINKED } from "./lost_link.ts";
import {
  decodeSocketOutcomes,
  decodeSocketRefusals,
  decodeSocketUpdate,
} from "./socket_updates.ts";
import {
  type Charge,
  decodeCharges,
  decodeDirectory,
  decodeFrame,
  decodeNumbered,
  encodeBeat,
  encodeCharges,
  encodeNumbered,
  FRONT_KIND,
  type FrontBeat,
  malformedFrame,
  type SentDirectory,
  SEQUENCER_KIND,
} from "./socket_frames.ts";
import { type PendingAssign, PendingAssigns } from "./pending_assigns.ts";
import { decodeSnapshot } from "./socket_snapshot.ts";

const BEAT_MS = 250;
/** A connection without a word for so many beats is lost. A thread that could not run counts one, not its time. */
const SILENT_BEATS = 8;
/**
 * A front may have read a commit whose answer the gateway still waits for. A gateway that has fewer digests than were
 * stored for longer has an old copy.
 */
const BEHIND_MS = 10_000;
/** A little more than the longest wait that clients can request. */
const MAX_HOLD_MS = 35_000;

export interface SocketLinkContext {
  readonly follower: Follower;
  /** The front's own indexes. */
  readonly indexes: () => Pick<Snapshot, "index" | "spent">;
  /** Brings the indexes up to date, after a request whose `sealedRuns` was not. */
  readonly stale?: () => Promise<void>;
  /** Digests that the front has read from the store. */
  readonly stored?: () => number;
  readonly clock: Clock;
  /** Milliseconds that never go back. */
  readonly elapsedMs: () => number;
  /** State that is sent to the sequencer several times a second. */
  readonly beat: () => FrontBeat;
  /** Called with the directory of an issuer of tokens; throws a `CountersignError` if it is refused. */
  readonly useDirectory?: (directory: SentDirectory) => void;
  readonly budgets?: {
    readonly count: number;
    charged(charges: readonly Charge[]): void;
  };
}

export class SocketLink implements SequencerLink {
  readonly #context: SocketLinkContext;
  readonly #pending = new PendingAssigns();
  readonly #syncs = new Map<number, PromiseWithResolvers<void>>();
  /** A sync that is not sent yet. */
  #nextSync: PromiseWithResolvers<void> | undefined;
  readonly #held: HeldWork;
  #connection: FrontConnection | undefined;
  /** The front has joined over this connection. */
  #isJoined = false;
  #nextId = 0;
  #silentBeats = 0;
  /** Since when each gateway has had fewer digests than were stored. */
  #behindMs: number | undefined;
  #isClosed = false;

  constructor(context: SocketLinkContext) {
    this.#context = context;
    this.#held = new HeldWork(context.elapsedMs);
  }

  /** Whether the state is that of a sequencer which takes digests. */
  get isLinked(): boolean {
    return this.#isJoined;
  }

  /** Requests without an outcome. */
  get open(): number {
    return this.#pending.size;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  assign(request: AssignRequest): Promise<Assigned | undefined> {
    if (this.#isClosed) return Promise.reject(linkClosed());
    return new Promise((resolve, reject) => {
      const id = this.#nextId;
      this.#nextId = (id + 1) >>> 0;
      const frame = concat(Uint8Array.of(FRONT_KIND.assign), encodeAssign(id, request));
      const madeMs = this.#context.elapsedMs();
      this.#pending.add(id, { frame, madeMs, resolve, reject });
      this.#sendMore();
    });
  }

  /** Updates are applied when they come. */
  catchUp(): void {}

  /** Resolves once all updates are applied that the sequencer had published; `standby` without a link. */
  sync(): Promise<void> {
    if (!this.#isJoined) return Promise.reject(linkLost());
    if (this.#nextSync === undefined) {
      const sync = this.#nextSync = Promise.withResolvers<void>();
      sync.promise.catch(() => {});
      soon(() => {
        this.#nextSync = undefined;
        if (!this.#isJoined) return sync.reject(linkLost());
        const id = this.#nextId;
        this.#nextId = (id + 1) >>> 0;
        this.#syncs.set(id, sync);
        this.#connection!.socket.send(encodeNumbered(FRONT_KIND.sync, id));
      });
    }
    return this.#nextSync.promise;
  }

  /** Sends what clients took from budgets; false without a link. */
  charge(charges: readonly Charge[]): boolean {
    if (!this.#isJoined) return false;
    this.#connection!.socket.send(encodeCharges(FRONT_KIND.charges, charges));
    return true;
  }

  /** {@linkcode HeldWork.hold} while there may be no link. */
  held<T>(work: Promise<T>, seconds: number): Promise<T> {
    return this.#held.hold(work, seconds);
  }

  /** Begins without a link, with the state that `stored` shows. */
  begin(stored: Omit<Snapshot, "health" | "index" | "spent">): void {
    const { follower, indexes } = this.#context;
    applied(() => follower.joined({ ...stored, health: UNLINKED, ...indexes() }));
  }

  /** Joins over `connection` and uses it until it is lost. Resolves with the reason. */
  async use(connection: FrontConnection, signal: AbortSignal): Promise<string> {
    const { clock, beat } = this.#context;
    this.#connection = connection;
    this.#silentBeats = 0;
    connection.onFrames((frames) => {
      this.#silentBeats = 0;
      for (const frame of frames) this.#receive(frame);
    });
    const { socket, closed } = connection;
    socket.send(Uint8Array.of(FRONT_KIND.join));
    const ended = new AbortController();
    const end = () => ended.abort();
    signal.addEventListener("abort", end);
    void closed.then(end);
    while (!ended.signal.aborted) {
      socket.send(encodeBeat(beat()));
      await clock.sleep(BEAT_MS, ended.signal);
      if (++this.#silentBeats > SILENT_BEATS) socket.close(CLOSE_CODE.ended, "it is silent");
    }
    signal.removeEventListener("abort", end);
    socket.close(CLOSE_CODE.ended, "The front is shutting down");
    this.#lost();
    return await closed;
  }

  /** Ends what clients have waited for long enough. Call several times a second without a link. */
  review(): void {
    if (this.#isJoined) return;
    this.#held.review();
    const firstMs = this.#context.elapsedMs() - MAX_HOLD_MS;
    for (const { reject } of this.#pending.takeAll((madeMs) => madeMs < firstMs)) {
      reject(linkLost());
    }
  }

  /** Requests without an outcome fail. */
  close(): void {
    this.#isClosed = true;
    this.#lost();
    for (const { reject } of this.#pending.takeAll(() => true)) reject(linkClosed());
  }

  #receive(frame: Bytes): void {
    const { follower, budgets } = this.#context;
    switch (frame[0]) {
      case SEQUENCER_KIND.snapshot:
        return this.#join(frame);
      case SEQUENCER_KIND.synced: {
        const id = decodeNumbered(frame);
        this.#syncs.get(id)?.resolve();
        this.#syncs.delete(id);
        return;
      }
      case SEQUENCER_KIND.beat:
        return decodeFrame(frame, () => {});
      case SEQUENCER_KIND.directory:
        return this.#context.useDirectory?.(decodeDirectory(frame));
      case SEQUENCER_KIND.charges:
        return budgets?.charged(decodeCharges(frame, budgets.count));
      case FRAME_KIND.outcomes: {
        for (const { id, sequences, firstNew } of decodeSocketOutcomes(frame)) {
          const pending = this.#pending.take(id);
          if (pending === undefined) continue;
          if (sequences === undefined) this.#stale(pending);
          else pending.resolve({ sequences, firstNew: pending.isRepeated ? 0 : firstNew });
        }
        return this.#sendMore();
      }
      case FRAME_KIND.refusals: {
        for (const { id, code, message } of decodeSocketRefusals(frame)) {
          // The next gateway, or this one, takes them later.
          if (isPassing(code)) return this.#leave(code);
          this.#pending.take(id)?.reject(refusalError(code, message));
        }
        return this.#sendMore();
      }
      default: {
        const [method, ...args] = decodeSocketUpdate(frame);
        if (!this.#isJoined) throw malformedFrame("an update precedes the snapshot");
        if (method === "healthChanged" && isPassing((args[0] as Health).status)) {
          return this.#leave((args[0] as Health).status);
        }
        applied(() => Reflect.apply(follower[method], follower, args));
      }
    }
  }

  #join(frame: Bytes): void {
    const { redeemsTokens: _, ...snapshot } = decodeSnapshot(frame);
    if (isPassing(snapshot.health.status)) return this.#leave(snapshot.health.status);
    const { follower, indexes, elapsedMs, stored = () => 0 } = this.#context;
    if (snapshot.durable >= stored()) this.#behindMs = undefined;
    else {
      this.#behindMs ??= elapsedMs();
      if (elapsedMs() - this.#behindMs < BEHIND_MS) return this.#leave("behind its store");
    }
    applied(() => follower.joined({ ...snapshot, ...indexes() }));
    this.#isJoined = true;
    this.#pending.repeat();
    this.#sendMore();
  }

  #stale({ resolve, reject }: PendingAssign): void {
    const { stale = () => Promise.resolve() } = this.#context;
    stale().then(() => resolve(undefined), reject);
  }

  #leave(status: string): void {
    this.#connection?.socket.close(CLOSE_CODE.ended, `the gateway is ${status}`);
  }

  #sendMore(): void {
    if (this.#isJoined) this.#pending.send((frame) => this.#connection!.socket.send(frame));
  }

  #lost(): void {
    const wasJoined = this.#isJoined;
    this.#isJoined = false;
    this.#connection = undefined;
    for (const { reject } of this.#syncs.values()) reject(linkLost());
    this.#syncs.clear();
    if (wasJoined) applied(() => this.#context.follower.healthChanged(UNLINKED));
    this.review();
  }
}
