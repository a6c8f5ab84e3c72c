/**
 * The fronts of a gateway, each in its own worker, as the supervisor keeps them running.
 *
 * @module
 */

import { systemClock } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import { releaseFront, type SharedLimits } from "../../http/limit_tables.ts";
import { errorText, type Report } from "../../base/report.ts";
import { type LinkMemory, newLinkEnds } from "../../gateway/link/thread_link_ends.ts";
import { within } from "../background.ts";
import { CallPort } from "./call_port.ts";
import type { StartedRole } from "../roles/started_role.ts";
import type { PortUrls } from "../gateway/gateway_listeners.ts";
import type { FrontControl, FrontPorts, SequencerControl } from "./thread_calls.ts";

/** Fronts that end so often within this time end the gateway. */
const MAX_FAILURES = 5;
const FAILURES_MS = 10_000;
/** The pause after the second failure; it doubles with each further one. */
const FIRST_PAUSE_MS = 100;
/** A front stops within the grace of its listeners. */
const STOP_MS = 4_000;

export interface FrontsContext {
  readonly sequencer: CallPort<SequencerControl>;
  /** Link of these fronts alone. */
  readonly link: LinkMemory;
  readonly report: Report;
  /** Starts the worker of a front; `control` is for calls to it. */
  readonly start: (control: MessagePort, name: string) => StartedRole;
}

/** Parts that all fronts serve. */
export interface SharedParts {
  readonly limits: SharedLimits;
  readonly ports: FrontPorts;
}

interface Front {
  readonly index: number;
  readonly name: string;
  readonly role: StartedRole;
  readonly control: CallPort<FrontControl>;
}

/** Fronts load from the start; disposing them ends their workers at once. */
export class Fronts implements Disposable {
  /** Rejects if fronts keep ending. */
  readonly failed: Promise<never>;
  readonly #context: FrontsContext;
  readonly #fronts: Front[];
  readonly #failed = Promise.withResolvers<never>();
  /** When fronts ended within the last {@linkcode FAILURES_MS}. */
  #failures: number[] = [];
  /** The number of the next link. */
  #nextLink = 0;
  readonly #stopping = new AbortController();

  constructor(count: number, context: FrontsContext) {
    this.#context = context;
    this.failed = this.#failed.promise;
    this.failed.catch(() => {});
    this.#fronts = Array.from({ length: count }, (_, index) => this.#start(index));
  }

  /**
   * Resolves with the URLs of the fronts once all listen, and replaces from then on those that end. Rejects
   * if one cannot listen.
   */
  async open(shared: SharedParts): Promise<PortUrls> {
    const [urls] = await Promise.all(this.#fronts.map((front) => this.#listening(front, shared)));
    for (const front of this.#fronts) {
      void this.#keep(front, shared).catch((error) => this.#failed.reject(error));
    }
    return urls!;
  }

  /** Stops all listeners, with time for requests in flight. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const { role } of this.#fronts) role.stop();
    const ended = Promise.allSettled(this.#fronts.map(({ role }) => role.ended));
    await within(STOP_MS, ended.then(() => {}));
  }

  [Symbol.dispose](): void {
    this.#stopping.abort();
    for (const front of this.#fronts) end(front);
  }

  #start(index: number): Front {
    const { port1, port2 } = new MessageChannel();
    const name = `front-${index + 1}`;
    const role = this.#context.start(port2, name);
    role.ended.catch(() => {});
    return {
      index,
      name,
      role,
      control: new CallPort<FrontControl>(port1, {}),
    };
  }

  async #listening(front: Front, shared: SharedParts): Promise<PortUrls> {
    return await Promise.race([this.#serve(front, shared), endedEarly(front)]);
  }

  async #serve({ index, name, control }: Front, shared: SharedParts): Promise<PortUrls> {
    const { sequencer, link } = this.#context;
    const { sequencerEnd, frontEnd } = newLinkEnds(link, this.#nextLink++);
    const { port1, port2 } = new MessageChannel();
    const ports = [frontEnd.port, port2];
    try {
      const parts = await sequencer.call(
        "connect",
        { name, end: sequencerEnd, calls: port1 },
        [sequencerEnd.port, port1],
      );
      const opening = { ...shared, index, name, parts, end: frontEnd, calls: port2 };
      return await control.call("serve", opening, ports);
    } catch (error) {
      // The front has ended before it received them.
      for (const port of ports) port.close();
      throw error;
    }
  }

  /** Replaces `first` and each of its successors that ends. */
  async #keep(first: Front, shared: SharedParts): Promise<void> {
    const { sequencer, report } = this.#context;
    const { index, name } = first;
    const { signal } = this.#stopping;
    let ended: Promise<unknown> = first.role.ended;
    for (;;) {
      const cause = await ended.then(() => "", (error) => `: ${errorText(error)}`);
      if (signal.aborted) return;
      report(`${name} has ended unexpectedly${cause}; starting another one`, { level: "error" });
      end(this.#fronts[index]!);
      releaseFront(shared.limits, index);
      await sequencer.call("disconnect", name);
      await this.#pause();
      if (signal.aborted) return;
      const front = this.#fronts[index] = this.#start(index);
      ended = this.#listening(front, shared).then(() => {
        report(`${name} listens again`, { level: "info" });
        return front.role.ended;
      });
    }
  }

  /** Waits before the next attempt; `internal` after too many. */
  async #pause(): Promise<void> {
    const now = performance.now();
    this.#failures = [...this.#failures.filter((time) => time > now - FAILURES_MS), now];
    const count = this.#failures.length;
    if (count >= MAX_FAILURES) {
      throw new CountersignError(
        "internal",
        `Stopped: threads failed ${count} times within ${FAILURES_MS / 1000} s. The log says why`,
      );
    }
    if (count > 1) {
      await systemClock.sleep(FIRST_PAUSE_MS * 2 ** (count - 2), this.#stopping.signal);
    }
  }
}

function end({ role, control }: Front): void {
  role[Symbol.dispose]();
  control.close();
}

async function endedEarly({ name, role }: Front): Promise<never> {
  await role.ended;
  throw new CountersignError("internal", `${name} ended before it listened`);
}
