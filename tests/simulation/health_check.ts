/**
 * Checks the reported health of a gateway in both directions against the state of witnesses, disks
 * and clients.
 *
 * @module
 */

import { hasCode } from "../../src/base/errors.ts";
import { require } from "./fault.ts";
import type { GatewayProcess } from "./gateway_process.ts";
import type { Site } from "./site.ts";
import type { WitnessHost } from "./witness_host.ts";
import type { World } from "./world.ts";

/** Health states in which a gateway accepts no digests. */
const ACCEPTING_NOTHING = ["store_rolled_back", "witnesses_unavailable", "storage_failed"];
/** The lease may end, and be renewed, between two looks. */
const STANDBY = "standby";

/** How long writes may fail before health reports it: the retries, each on a slow disk. */
const STORAGE_LIMIT_MS = 30_000;
/** How long a read-only gateway may take to detect that writes succeed: a pause and a slow disk. */
const RETRY_LIMIT_MS = 10_000;

/** Evidence about a gateway's health from a client's submission. */
export class HealthOfSubmission {
  readonly #process: GatewayProcess;
  readonly #before: string;
  readonly #changes: number;
  readonly #world: World;
  readonly #sentMs: number;

  constructor(world: World, process: GatewayProcess) {
    this.#world = world;
    this.#sentMs = world.timeline.elapsedMs;
    this.#process = process;
    this.#before = process.health;
    this.#changes = process.healthReports;
  }

  /** The digests were acknowledged. */
  accepted(): void {
    const before = this.#before;
    const isWrong = [...ACCEPTING_NOTHING, STANDBY].includes(before) && !this.#hasChanged;
    require(!isWrong, "health", `a gateway accepts digests while its health is ${before}`);
  }

  /** The digests were refused with `error`. */
  refused(error: unknown): void {
    const code = ACCEPTING_NOTHING.find((name) => hasCode(error, name as "storage_failed"));
    if (code === undefined || this.#before !== "ok" || this.#hasChanged) return;
    // A failed commit is refused before the gateway knows whether the next one fails too.
    if (code === "storage_failed" && this.#process.writesFailedForMs > 0) return;
    // A front may learn of the refusal after the next commit.
    const sentMsAgo = this.#world.timeline.elapsedMs - this.#sentMs;
    const isLate = this.#process.frontCount > 0 && this.#process.writeFailedMsAgo <= sentMsAgo;
    if (code === "storage_failed" && isLate) return;
    require(false, "health", `a gateway refuses digests with ${code} while its health is ok`);
  }

  get #hasChanged(): boolean {
    const { health, healthReports, isAlive } = this.#process;
    return !isAlive || health !== this.#before || healthReports !== this.#changes;
  }
}

/** Checks the health that `process` of `site` reports now. */
export function checkHealth(
  world: World,
  hosts: readonly WitnessHost[],
  site: Site,
  process: GatewayProcess,
): void {
  // A process that lost the fence is an old copy, and need not know it.
  if (!process.isInCharge) return;
  const { health } = process;
  const { witnesses, threshold } = world.network;
  const mayBeMissing = witnesses.length - threshold;
  if (health === "store_rolled_back") {
    const contradicting = hosts.filter((host) =>
      host.hasLiedOfSize || !host.isHonest || host.size > site.monitor.size ||
      host.contradicts(site.monitor)
    );
    require(
      contradicting.length > mayBeMissing,
      "health",
      "a log is taken for an old copy, though too few witnesses contradict it",
    );
  }
  if (health === "storage_failed") {
    require(
      process.writeFailedMsAgo <= RETRY_LIMIT_MS,
      "health",
      "a gateway says that its store fails, which works",
    );
  }
  if (health !== "ok") return;
  require(
    process.cosigners.size >= threshold,
    "health",
    `a gateway is ok though ${process.cosigners.size} witnesses have agreed with its store`,
  );
  require(
    process.writesFailedForMs <= STORAGE_LIMIT_MS,
    "health",
    `a gateway is ok though no write succeeds since ${process.writesFailedForMs} ms`,
  );
}
