/**
 * One log with its processes, monitors and clients.
 *
 * @module
 */

import type { LogChange, MemoryLog } from "../gateway/memory_log.ts";
import { ClientView } from "./client_view.ts";
import { Crowd } from "./crowd.ts";
import { SimulationFault } from "./fault.ts";
import type { GatewayProcess } from "./gateway_process.ts";
import { LogMonitor } from "./log_monitor.ts";
import type { ServingThread } from "./serving_thread.ts";
import type { World } from "./world.ts";

export class Site {
  /** True if honest witnesses are ahead of the log; then its tree must never grow. */
  readonly isOldCopy: boolean;
  readonly log: MemoryLog;
  readonly monitor: LogMonitor;
  readonly crowd: Crowd;
  readonly #world: World;
  /** Every process ever started over the log, the latest last. */
  readonly processes: GatewayProcess[] = [];

  constructor(
    world: World,
    log: MemoryLog,
    known?: { readonly monitor: LogMonitor; readonly view: ClientView },
  ) {
    this.#world = world;
    this.log = log;
    this.isOldCopy = known !== undefined;
    this.monitor = known?.monitor ?? new LogMonitor(world.network, world.tokens);
    this.crowd = new Crowd(world, known?.view ?? new ClientView(world, this.monitor));
    this.log.watch = (change) => this.take(change);
  }

  /** A copy of the log and its monitors, to be restored later. */
  backUp(): Site {
    const monitor = this.monitor.copy();
    const view = this.crowd.view.copy(monitor);
    return new Site(this.#world, this.log.copy(), { monitor, view });
  }

  take(change: LogChange): void {
    this.#world.trace.note(describe(change));
    this.#world.check(() => this.monitor.take(change));
    if (!this.isOldCopy || change.kind === "rows") return;
    this.#world.fail(new SimulationFault("rollback", "the tree of an old copy moves"));
  }

  get alive(): GatewayProcess[] {
    return this.processes.filter((process) => process.isAlive);
  }

  /** The threads that clients can reach. */
  get serving(): ServingThread[] {
    return this.processes.flatMap(({ threads }) => threads);
  }

  get inCharge(): GatewayProcess | undefined {
    return this.processes.findLast((process) => process.isInCharge);
  }

  /** True if everything accepted is published. */
  get isFinished(): boolean {
    return this.monitor.publishedSize === this.monitor.accepted.length;
  }

  /** Requires written records to be unchanged and the rules of the store to hold. */
  check(): void {
    const [violation] = this.log.violations;
    if (violation !== undefined) throw new SimulationFault("rules", violation);
    this.monitor.checkUnchanged(this.log);
    this.crowd.view.checkKept();
  }
}

function describe(change: LogChange): string {
  if (change.kind === "sth" || change.kind === "signatures") {
    return `stored ${change.kind} ${change.record.size} ${change.record.timestamp}`;
  }
  if (change.kind === "head") {
    const { size, root } = change.change.head;
    return `stored head ${size} ${root.toHex()}`;
  }
  const rows = change.rows.map((row) => `${row.first}+${row.digests.length / 32}`);
  const rounds = change.rounds.map(({ first, size }) => `${first}+${size}`);
  const spent = change.spent.map(({ first, offsets }) => `${first}+${offsets.length}`);
  return `stored rows ${rows.join()} rounds ${rounds.join()} spent ${spent.join()}`;
}
