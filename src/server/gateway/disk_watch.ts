/**
 * Watches the disk of the data folder, or the database of the store. An idle gateway writes nothing and would
 * miss a fault.
 *
 * @module
 */

import type { Clock } from "../../base/clock.ts";
import type { StatusSource } from "../../gateway/status_source.ts";
import { Condition, errorText, type Report } from "../../base/report.ts";
import type { DiskSpace } from "../../storage/disk_probe.ts";
import type { PostgresReplica } from "../../storage/postgres/postgres_replicas.ts";
import type { StoreProbe } from "./gateway_stores.ts";

const WATCH_MS = 10_000;
/** A disk is nearly full when its free space is below both limits. */
const LOW_BYTES = 2 ** 30;
const LOW_SHARE = 0.1;

export interface DiskWatchContext {
  readonly probe: StoreProbe;
  /** Checks the disk when a request comes between two periodic checks. */
  readonly onDemand: Pick<StoreProbe, "check">;
  readonly gateway: { readonly status: Pick<StatusSource, "health"> };
  readonly clock: Clock;
  readonly report: Report;
}

export class DiskWatch {
  readonly #context: DiskWatchContext;
  readonly #full: Condition;
  readonly #unwritable: Condition;
  #space: DiskSpace | undefined;
  #replicas: readonly PostgresReplica[] | undefined;

  constructor(context: DiskWatchContext) {
    this.#context = context;
    this.#full = new Condition(context);
    this.#unwritable = new Condition(context);
  }

  /** The watched part: "disk" or "database". */
  get subject(): string {
    return this.#context.probe.subject;
  }

  /** Advice for the operator when it fails. */
  get advice(): string {
    return this.#context.probe.advice;
  }

  /** Free bytes of the disk; `undefined` if unknown. */
  get freeBytes(): number | undefined {
    return this.#space?.free;
  }

  /** The servers that follow the database; `undefined` if unknown. */
  get replicas(): readonly PostgresReplica[] | undefined {
    return this.#replicas;
  }

  /** Why the operator should free space; `undefined` while there is enough. */
  get lowSpace(): string | undefined {
    if (this.#space === undefined) return undefined;
    const { free, total } = this.#space;
    if (free >= Math.min(LOW_BYTES, LOW_SHARE * total)) return undefined;
    return `The disk of the data folder is nearly full: ${Math.floor(free / 2 ** 20)} MiB of ` +
      `${
        Math.floor(total / 2 ** 20)
      } MiB are free. Free space, or move the folder to a larger disk`;
  }

  /** Resolves if a file was written within the last seconds; `storage_failed` otherwise. */
  check(): Promise<void> {
    return this.#context.onDemand.check();
  }

  /** Watches until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#look();
      await this.#context.clock.sleep(WATCH_MS, signal);
    }
  }

  async #look(): Promise<void> {
    const { probe, gateway } = this.#context;
    this.#space = await probe.space();
    this.#replicas = await probe.replicas();
    const { lowSpace } = this;
    if (lowSpace === undefined) this.#full.ended("The disk of the data folder has space again");
    else this.#full.holds(lowSpace);
    try {
      await probe.check();
      this.#unwritable.ended(`The ${probe.subject} accepts writes again`);
    } catch (error) {
      // The gateway already reports its own failed writes.
      if (gateway.status.health === "storage_failed") return;
      this.#unwritable.holds(
        `${
          errorText(error)
        }. /ready is 503 until the ${probe.subject} accepts writes: ${probe.advice}`,
        { level: "error", code: "storage_failed" },
      );
    }
  }
}
