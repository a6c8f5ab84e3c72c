/**
 * The fronts of a sequencer that are in other processes, each with a WebSocket.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { Clock } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import type { Follower, SequencerService } from "../gateway/fronts/ports.ts";
import { errorText, type Report } from "../report.ts";
import { ConnectedFront, type FrontView } from "./connected_front.ts";
import { CLOSE_CODE } from "./frame_socket.ts";
import { encodeOutcomes, encodeRefusals } from "./link_frames.ts";
import { encodeUpdates, snapshotOf } from "./link_updates.ts";
import {
  type Charge,
  decodeBeat,
  decodeCharges,
  decodeFrame,
  decodeHello,
  decodeNumbered,
  decodeSocketAssign,
  encodeCharges,
  encodeDirectory,
  encodeNumbered,
  encodeWelcome,
  FRONT_KIND,
  LINK_VERSION,
  malformedFrame,
  type SentDirectory,
  SEQUENCER_KIND,
} from "./socket_frames.ts";
import { encodeSnapshot } from "./socket_snapshot.ts";

/** Bytes of requests without an outcome; a front sends fewer (`socket_link.ts`). */
const MAX_OPEN_BYTES = 2 ** 23;
/** A front that says nothing for so long is disconnected. */
const SILENT_MS = 5_000;
/** A front that says nothing for so long is replaced by one of its name. */
const REPLACED_MS = 1_000;
const REVIEW_MS = 1_000;
const OUTCOMES_LENGTH = 2 ** 16;
const REFUSALS_PER_FRAME = 100;
const MAX_FRONTS = 64;
const CHARGES_PER_FRAME = 4_096;

export interface SocketFrontsContext {
  readonly service: SequencerService;
  /** JSON that a front needs before it joins. */
  readonly settings: string;
  readonly clock: Clock;
  /** Milliseconds that never go back. */
  readonly elapsedMs: () => number;
  readonly report: Report;
  /** The directories of issuers of tokens; absent if none are accepted. */
  readonly directories?: {
    readonly current: readonly SentDirectory[];
    onAccepted(listener: (directory: SentDirectory) => void, signal: AbortSignal): void;
  };
  /** The budgets that hold over all fronts. */
  readonly budgets?: {
    readonly count: number;
    /** Called with what another front took from them. */
    charged(charges: readonly Charge[]): void;
  };
}

export class SocketFronts {
  readonly #context: SocketFrontsContext;
  readonly #fronts = new Set<ConnectedFront>();
  readonly #answered = new Set<ConnectedFront>();
  readonly #ended = new AbortController();
  /** Ends the updates; absent while no front has joined. */
  #following: AbortController | undefined;

  constructor(context: SocketFrontsContext) {
    this.#context = context;
    context.directories?.onAccepted((directory) => {
      const frame = encodeDirectory(directory);
      for (const { isJoined, socket } of this.#fronts) if (isJoined) socket.send(frame);
    }, this.#ended.signal);
    void this.#review();
  }

  /** Fronts that have said their names, in the order of these. */
  get fronts(): readonly FrontView[] {
    const nowMs = this.#context.elapsedMs();
    return [...this.#fronts].flatMap(({ name, beat, lastMs, open, socket }) =>
      name === undefined
        ? []
        : [{ name, beat, open, silentMs: nowMs - lastMs, buffered: socket.buffered }]
    ).sort((a, b) => a.name < b.name ? -1 : 1);
  }

  /** Serves a front that has authenticated itself. */
  connect(socket: WebSocket): void {
    const front = new ConnectedFront(socket, this.#context.elapsedMs(), {
      received: (front, frames) => {
        front.lastMs = this.#context.elapsedMs();
        for (const frame of frames) this.#receive(front, frame);
      },
      closed: (front, reason) => this.#closed(front, reason),
    });
    this.#fronts.add(front);
    if (this.#ended.signal.aborted) {
      front.socket.close(CLOSE_CODE.ended, "The gateway is shutting down");
    } else if (this.#fronts.size > MAX_FRONTS) {
      front.socket.close(CLOSE_CODE.ended, `The gateway has ${MAX_FRONTS} fronts already`);
    }
  }

  /** Sends what was taken from budgets here to all fronts that have joined. */
  charge(charges: readonly Charge[], except?: ConnectedFront): void {
    for (let at = 0; at < charges.length; at += CHARGES_PER_FRAME) {
      const part = charges.slice(at, at + CHARGES_PER_FRAME);
      const frame = encodeCharges(SEQUENCER_KIND.charges, part);
      for (const front of this.#fronts) {
        if (front.isJoined && front !== except) front.socket.send(frame);
      }
    }
  }

  /** Requests that have no outcome by now get none here. */
  close(): void {
    this.#flush();
    this.#ended.abort();
    this.#following?.abort();
    for (const { socket } of [...this.#fronts]) {
      socket.close(CLOSE_CODE.ended, "The gateway is shutting down");
    }
  }

  #receive(front: ConnectedFront, frame: Bytes): void {
    const kind = frame[0];
    if (front.name === undefined && kind !== FRONT_KIND.hello) {
      throw malformedFrame("it does not begin with a hello");
    }
    switch (kind) {
      case FRONT_KIND.hello:
        return this.#greet(front, frame);
      case FRONT_KIND.join:
        decodeFrame(frame, () => {});
        return this.#join(front);
      case FRONT_KIND.assign:
        return this.#assign(front, frame);
      case FRONT_KIND.sync:
        return this.#sync(front, decodeNumbered(frame));
      case FRONT_KIND.beat:
        front.beat = decodeBeat(frame);
        return front.socket.send(Uint8Array.of(SEQUENCER_KIND.beat));
      case FRONT_KIND.charges: {
        const charges = decodeCharges(frame, this.#context.budgets?.count ?? 0);
        this.#context.budgets?.charged(charges);
        return this.charge(charges, front);
      }
      default:
        throw malformedFrame(`there is no kind ${kind} of a front`);
    }
  }

  #greet(front: ConnectedFront, frame: Bytes): void {
    const { lowest, highest, name } = decodeHello(frame);
    if (front.name !== undefined) throw malformedFrame("a second hello");
    if (LINK_VERSION < lowest || LINK_VERSION > highest) {
      return front.socket.close(
        CLOSE_CODE.version,
        `the gateway speaks version ${LINK_VERSION} of the link, the front ${lowest} to ${highest}`,
      );
    }
    const other = [...this.#fronts].find((other) => other.name === name);
    if (other !== undefined) {
      // Two that replaced each other would serve nobody.
      const isAlive = this.#context.elapsedMs() - other.lastMs < REPLACED_MS;
      const { socket } = isAlive ? front : other;
      socket.close(CLOSE_CODE.ended, "another front has this name");
      if (isAlive) return;
    }
    front.name = name;
    front.socket.send(encodeWelcome(LINK_VERSION, this.#context.settings));
    this.#context.report(`Front ${name} has connected`, { level: "info" });
  }

  #join(front: ConnectedFront): void {
    if (front.isJoined) throw malformedFrame("a second join");
    const { spent, ...snapshot } = snapshotOf(this.#context.service);
    front.socket.send(encodeSnapshot({ ...snapshot, redeemsTokens: spent !== undefined }));
    for (const directory of this.#context.directories?.current ?? []) {
      front.socket.send(encodeDirectory(directory));
    }
    front.isJoined = true;
    if (this.#following !== undefined) return;
    this.#following = new AbortController();
    const follower: Follower = {
      ...encodeUpdates((update) => this.#update(update)),
      joined: () => {},
      // Such fronts have their own.
      indexChanged: () => {},
    };
    this.#context.service.follow(follower, this.#following.signal);
  }

  /** A front that asks because it found nothing must not believe a gateway that has lost its lease. */
  #sync(front: ConnectedFront, id: number): void {
    try {
      this.#context.service.checkActive();
    } catch (error) {
      return front.socket.close(CLOSE_CODE.ended, errorText(error));
    }
    front.socket.send(encodeNumbered(SEQUENCER_KIND.synced, id));
  }

  #assign(front: ConnectedFront, frame: Bytes): void {
    const { id, request } = decodeSocketAssign(frame);
    front.open++;
    front.openBytes += frame.length;
    if (front.openBytes > MAX_OPEN_BYTES) throw malformedFrame("too many requests are open");
    const ended = () => {
      front.open--;
      front.openBytes -= frame.length;
      if (front.socket.isClosed) return false;
      this.#answer(front);
      return true;
    };
    this.#context.service.assign(
      request,
      (sequences, firstNew = 0) => {
        if (ended()) front.outcomes.push({ id, sequences, firstNew });
      },
      (error) => {
        const code = error instanceof CountersignError ? error.code : "internal";
        if (ended()) front.refusals.push({ id, code, message: errorText(error) });
      },
    );
  }

  #update(frame: Bytes): void {
    for (const { isJoined, socket } of this.#fronts) if (isJoined) socket.send(frame);
  }

  /** At the end of the task, so that the outcomes of a commit are one frame. */
  #answer(front: ConnectedFront): void {
    if (this.#answered.size === 0) queueMicrotask(() => this.#flush());
    this.#answered.add(front);
  }

  #flush(): void {
    for (const { socket, outcomes, refusals } of this.#answered) {
      for (const frame of encodeOutcomes(0, outcomes.splice(0), OUTCOMES_LENGTH)) {
        socket.send(frame);
      }
      while (refusals.length > 0) {
        socket.send(encodeRefusals(0, refusals.splice(0, REFUSALS_PER_FRAME)));
      }
    }
    this.#answered.clear();
  }

  #closed(front: ConnectedFront, reason: string): void {
    this.#fronts.delete(front);
    this.#answered.delete(front);
    if (front.name !== undefined && !this.#ended.signal.aborted) {
      this.#context.report(`Front ${front.name} has gone: ${reason}`, { level: "warning" });
    }
    if ([...this.#fronts].some(({ isJoined }) => isJoined)) return;
    this.#following?.abort();
    this.#following = undefined;
  }

  /** Disconnects fronts that are silent: a lost machine closes nothing. */
  async #review(): Promise<void> {
    const { clock, elapsedMs } = this.#context;
    const { signal } = this.#ended;
    while (!signal.aborted) {
      await clock.sleep(REVIEW_MS, signal);
      for (const { socket, lastMs } of [...this.#fronts]) {
        if (elapsedMs() - lastMs > SILENT_MS) socket.close(CLOSE_CODE.ended, "it was silent");
      }
    }
  }
}
