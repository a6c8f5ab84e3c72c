/**
 * Runs a gateway in several threads: one sequencer, which writes and listens for operators alone, and fronts,
 * which listen for clients and write nothing. A front that ends is replaced. The gateway ends if the sequencer does, or if a
 * thread hangs.
 *
 * @module
 */

import { aborted, type Clock, systemClock } from "../../base/clock.ts";
import { requireFreePort } from "../../http/listen.ts";
import { newLinkMemory } from "../../gateway/link/thread_link_ends.ts";
import { CallPort } from "./call_port.ts";
import { HANDED_OVER_MS } from "../roles/role_options.ts";
import { startRole } from "../roles/started_role.ts";
import { Fronts, type FrontsContext } from "./fronts.ts";
import type { CliIo } from "../io.ts";
import { keepOnly } from "../roles/role_permissions.ts";
import type { SupervisorStart } from "../roles/role_messages.ts";
import { openLog } from "../service_log.ts";
import type { FrontPorts, SequencerControl, SupervisorCalls } from "./thread_calls.ts";
import { startingPermissions } from "../roles/thread_permissions.ts";
import { CountersignError } from "../../base/errors.ts";
import { HeartbeatMonitor, newHeartbeat } from "../../base/threads/heartbeat.ts";

/** The modules of workers that take the orders of roles. */
export interface ThreadModules {
  readonly sequencer: URL;
  readonly front: URL;
}

/**
 * Serves until `signal` aborts, or a fatal error. Returns the exit code. Of its permissions, the thread
 * keeps those that it needs to start another front. On an event `hand_over`, a gateway started with `standby`
 * gives the lease up and becomes a standby.
 */
export async function superviseGateway(
  { options, fronts: count, permissions }: Omit<SupervisorStart, "role">,
  modules: ThreadModules,
  io: CliIo,
  signal: AbortSignal,
  orders = new EventTarget(),
): Promise<number> {
  const report = openLog(options, io).report("gateway");
  const fatal = new AbortController();
  const { port1: control, port2 } = new MessageChannel();
  using watch = new ThreadWatch();
  const heartbeat = watch.sequencer();
  using role = startRole(
    { role: "sequencer", options, fronts: count, control: port2, heartbeat },
    permissions.sequencer,
    { module: modules.sequencer, transfer: [port2] },
  );
  keepOnly(permissions.supervisor, startingPermissions(permissions));
  const sequencer = new CallPort<SequencerControl>(
    control,
    { failed: () => fatal.abort() } satisfies SupervisorCalls,
  );
  let fronts: Fronts | undefined;
  const startFront: FrontsContext["start"] = (control, name) => {
    const role = startRole(
      { role: "front", options, control, heartbeat: watch.front(name) },
      permissions.front,
      { module: modules.front, name, transfer: [control] },
    );
    const ended = () => watch.frontEnded(name);
    role.ended.then(ended, ended);
    return role;
  };
  /** Returns true once the lease is given up. */
  async function serveOnce(): Promise<boolean> {
    const link = newLinkMemory();
    // They load while the sequencer starts or stands by.
    fronts = new Fronts(count, { sequencer, link, report, start: startFront });
    const started = await Promise.race([sequencer.call("start", link), aborted(signal)]);
    if (started === undefined) return false;
    const { limits, eventSockets } = started;
    const ports: FrontPorts = started.ports ?? {
      port: requireFreePort(options.host, options.port),
      eventSocketsPort: eventSockets && requireFreePort(eventSockets.host, eventSockets.port),
    };
    const urls = await fronts.open({ limits, ports });
    const handOver = new AbortController();
    const handedOver = () => handOver.abort();
    if (options.standby) orders.addEventListener("hand_over", handedOver, { once: true });
    // One write, so that a reader of a pipe gets all lines at once.
    io.out(await sequencer.call("banner", urls));
    const ending = aborted(AbortSignal.any([signal, fatal.signal, handOver.signal]));
    await Promise.race([ending, fronts.failed]);
    orders.removeEventListener("hand_over", handedOver);
    report(handOver.signal.aborted ? "Handing over the log" : "Stopping", { level: "info" });
    // Ends held answers first: the fronts wait for requests in flight.
    await sequencer.call("refuseNew", undefined);
    await fronts.stop();
    return handOver.signal.aborted && !signal.aborted && !fatal.signal.aborted;
  }
  let isEnding = false;
  async function serve(): Promise<number> {
    try {
      while (await serveOnce()) {
        fronts?.[Symbol.dispose]();
        await sequencer.call("end", undefined);
        await systemClock.sleep(HANDED_OVER_MS, signal);
      }
    } finally {
      isEnding = true;
      role.stop();
      await role.ended;
    }
    return fatal.signal.aborted ? 1 : 0;
  }
  const serving = serve();
  try {
    // The sequencer answers no call any more once it has ended.
    return await Promise.race([
      serving,
      watch.hung,
      role.ended.then((code) => isEnding ? serving : code),
    ]);
  } finally {
    fronts?.[Symbol.dispose]();
    sequencer.close();
  }
}

const CHECK_MS = 1_000;
/**
 * A thread without a heartbeat in so many checks hangs. Checks are counted, not time: if the process was
 * suspended, or the machine, the thread that checks has not run either.
 */
const MAX_MISSED = 10;

/**
 * Watches the threads of one gateway until it is disposed. A thread that hangs ends the gateway: the
 * runtime cannot end a thread that is in a loop, and the connections that the system hands to its
 * listener would never be answered.
 */
export class ThreadWatch implements Disposable {
  /** Rejects with `internal` when a thread hangs. */
  readonly hung: Promise<never>;
  readonly #clock: Clock;
  readonly #hung = Promise.withResolvers<never>();
  #sequencer: HeartbeatMonitor | undefined;
  readonly #fronts = new Map<string, HeartbeatMonitor>();
  readonly #stopping = new AbortController();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.hung = this.#hung.promise;
    this.hung.catch(() => {});
    void this.#run();
  }

  /** Memory for the heartbeat of the sequencer. */
  sequencer(): SharedArrayBuffer {
    const heartbeat = newHeartbeat();
    this.#sequencer = new HeartbeatMonitor(heartbeat);
    return heartbeat;
  }

  /** Memory for the heartbeat of the named front, which replaces an earlier one of this name. */
  front(name: string): SharedArrayBuffer {
    const heartbeat = newHeartbeat();
    this.#fronts.set(name, new HeartbeatMonitor(heartbeat));
    return heartbeat;
  }

  /** The named front has ended. */
  frontEnded(name: string): void {
    this.#fronts.delete(name);
  }

  [Symbol.dispose](): void {
    this.#stopping.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      await this.#clock.sleep(CHECK_MS, signal);
      if (signal.aborted) return;
      this.#check();
    }
  }

  #check(): void {
    // A front may be waiting for the sequencer.
    if (this.#sequencer !== undefined && this.#missed("The sequencer", this.#sequencer) > 0) return;
    for (const [name, front] of this.#fronts) this.#missed(name, front);
  }

  #missed(name: string, thread: HeartbeatMonitor): number {
    const missed = thread.check();
    if (missed >= MAX_MISSED) {
      const seconds = MAX_MISSED * CHECK_MS / 1_000;
      const text = `${name} has not responded for ${seconds} s. Start the gateway again`;
      this.#hung.reject(new CountersignError("internal", text));
    }
    return missed;
  }
}
