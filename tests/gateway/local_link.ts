/**
 * Joins a front and a sequencer in one thread. Requests and answers may take time, as between threads:
 * updates and outcomes reach the front late but in their order, or with the front's next `catchUp`.
 *
 * @module
 */

import type { Clock } from "../../src/base/clock.ts";
import type { SequencerService } from "../../src/gateway/fronts/gateway_sequencer.ts";
import type {
  Assigned,
  AssignRequest,
  Follower,
  SequencerLink,
} from "../../src/gateway/fronts/ports.ts";

/** How long a message takes, in milliseconds; 0 delivers it at once. */
export interface LinkSchedule {
  readonly clock: Clock;
  /** From the front to the sequencer. */
  readonly requestMs: () => number;
  /** From the sequencer to the front. */
  readonly updateMs: () => number;
}

/** An assign without an outcome. */
interface OpenAssign {
  readonly request: AssignRequest;
  readonly resolve: (assigned: Assigned | undefined) => void;
  readonly reject: (error: unknown) => void;
  /** The first request may have had the sequences assigned. */
  isRepeated: boolean;
}

/** The link of one front. */
export class LocalLink implements SequencerLink {
  readonly #service: SequencerService;
  readonly #schedule: LinkSchedule | undefined;
  readonly #open = new Set<OpenAssign>();
  #follower: Follower | undefined;
  /** Ends the link. */
  #end = new AbortController();
  /** Resolves when the requests so far have reached the sequencer; absent if all have. */
  #sending: Promise<void> | undefined;
  /** Updates and outcomes that the front has not seen, in order. */
  #unseen: (() => void)[] = [];
  /** Of the first one in `#unseen`. */
  #seen = 0;

  /** Without a schedule, every message is delivered at once. */
  constructor(service: SequencerService, schedule?: LinkSchedule) {
    this.#service = service;
    this.#schedule = schedule;
  }

  /** Calls `follower.joined` before it returns. */
  follow(follower: Follower): void {
    this.#follower = follower;
    this.#service.follow(this.#delayed(follower), this.#end.signal);
    this.catchUp();
  }

  assign({ digests, spends, sealedRuns, trace }: AssignRequest): Promise<Assigned | undefined> {
    const request = {
      digests: digests.slice(),
      ...(spends && { spends: { positions: [...spends.positions], ids: spends.ids.slice() } }),
      sealedRuns,
      ...(trace && { trace }),
    };
    return new Promise((resolve, reject) => {
      const assign = { request, resolve, reject, isRepeated: false };
      this.#open.add(assign);
      this.#send(assign);
    });
  }

  catchUp(): void {
    this.#see(this.#seen + this.#unseen.length);
  }

  /** The front lost the updates that it has not seen: it joins again, and repeats its requests. */
  lap(): void {
    this.#seen += this.#unseen.length;
    this.#unseen = [];
    this.#leave();
    this.#service.follow(this.#delayed(this.#follower!), this.#end.signal);
    this.catchUp();
    for (const assign of this.#open) {
      assign.isRepeated = true;
      this.#send(assign);
    }
  }

  /** The front has ended: it sees nothing more, and its requests get no answer. */
  end(): void {
    this.#leave();
    this.#unseen = [];
    this.#open.clear();
  }

  #leave(): void {
    this.#end.abort();
    this.#end = new AbortController();
  }

  #send(assign: OpenAssign): void {
    const { clock, requestMs } = this.#schedule ?? {};
    const ms = requestMs?.() ?? 0;
    if (clock === undefined || ms === 0 && this.#sending === undefined) return this.#ask(assign);
    const travelling = [this.#sending, clock.sleep(ms, this.#end.signal)];
    const sending = Promise.all(travelling).then(() => {
      if (this.#sending === sending) this.#sending = undefined;
      this.#ask(assign);
    });
    this.#sending = sending;
  }

  #ask(assign: OpenAssign): void {
    if (!this.#open.has(assign)) return;
    // A repeated request has two outcomes.
    const answer = (act: () => void) =>
      this.#deliver(() => {
        if (this.#open.delete(assign)) act();
      });
    this.#service.assign(
      assign.request,
      (sequences, firstNew = 0) =>
        answer(() =>
          assign.resolve(sequences && { sequences, firstNew: assign.isRepeated ? 0 : firstNew })
        ),
      (error) => answer(() => assign.reject(error)),
    );
  }

  #deliver(see: () => void): void {
    const { clock, updateMs } = this.#schedule ?? {};
    const ms = updateMs?.() ?? 0;
    this.#unseen.push(see);
    const number = this.#seen + this.#unseen.length;
    if (clock === undefined || ms === 0) this.#see(number);
    else void clock.sleep(ms, this.#end.signal).then(() => this.#see(number));
  }

  /** The front sees all updates and outcomes up to the one with `number`. */
  #see(number: number): void {
    while (this.#seen < number && this.#unseen.length > 0) {
      this.#seen++;
      this.#unseen.shift()!();
    }
  }

  #delayed(follower: Follower): Follower {
    const { signal } = this.#end;
    const deliver = (see: () => void) => {
      if (!signal.aborted) this.#deliver(see);
    };
    return {
      joined: (...update) => deliver(() => follower.joined(...update)),
      accepted: (...update) => deliver(() => follower.accepted(...update)),
      confirmed: (...update) => deliver(() => follower.confirmed(...update)),
      treeGrown: (...update) => deliver(() => follower.treeGrown(...update)),
      headCosigned: (...update) => deliver(() => follower.headCosigned(...update)),
      healthChanged: (...update) => deliver(() => follower.healthChanged(...update)),
      failingChanged: (...update) => deliver(() => follower.failingChanged(...update)),
      statusChanged: (...update) => deliver(() => follower.statusChanged(...update)),
      anchorsChanged: (...update) => deliver(() => follower.anchorsChanged(...update)),
      epochEnded: (...update) => deliver(() => follower.epochEnded(...update)),
      indexChanged: (...update) => deliver(() => follower.indexChanged(...update)),
    };
  }
}
