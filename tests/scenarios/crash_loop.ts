/**
 * A network under load, whose processes are killed with kill -9 and started again, and what has to
 * hold afterwards. kill -9 is no loss of power: what the operating system took, it keeps.
 *
 * @module
 */

import { join } from "node:path";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { PostgresStore } from "../../src/storage/postgres/postgres_store.ts";
import { openStoreKv } from "../../src/storage/store_kv.ts";
import { accessTo } from "../system/postgres_access.ts";
import type { PostgresServer } from "../system/postgres_server.ts";
import { checkAccepted, checkHeads, checkWitnesses } from "./crash_checks.ts";
import { loseOne, type LostHash } from "./crash_control.ts";
import type { Crash } from "./crash_plan.ts";
import { Deployment, eventually } from "./deployment.ts";
import { FRONT_COUNTS } from "./front_counts.ts";
import { Load } from "./load.ts";
import { SeenHeads } from "./seen_heads.ts";
import type { WitnessRecorder } from "./witness_recorder.ts";

/** Batches closed as fast as witnesses answer, so that a kill falls into one of them. */
const GATEWAY_ARGS = ["--batch-max-age-ms", "20"];
const WITNESSES = [0, 1, 2];
/** Without a cosigning in this time a kill does not wait for one any longer. */
const COSIGNING_WAIT_MS = 60_000;
/** A disk that others write to can take most of a minute for one sync. */
const ACCEPTED_WAIT_MS = 300_000;

/** How much happened. */
export interface CrashCounts {
  gatewayKills: number;
  witnessKills: number;
  databaseKills: number;
  /** Of those, before the process was ready. */
  startKills: number;
  /** Witnesses killed while they were asked to cosign. */
  cosigningKills: number;
  /** The fewest hashes that were accepted between two crashes. */
  leastAccepted: number;
  /** Requests in flight at a crash, summed up over all of them. */
  inFlight: number;
}

export interface CrashLoopOptions {
  readonly seed: string;
  readonly thinkMs: number;
  /** How many fronts the gateway has, in turn at each start; {@linkcode FRONT_COUNTS} when absent. */
  readonly fronts?: readonly number[];
  /** Changes the network before it runs. */
  readonly prepare?: (deployment: Deployment) => Promise<void>;
  /** Has the log; by default the data folder does. */
  readonly postgres?: PostgresServer;
}

export class CrashLoop implements AsyncDisposable {
  readonly deployment: Deployment;
  readonly recorder: WitnessRecorder;
  readonly accepted = new Set<string>();
  readonly counts: CrashCounts = {
    gatewayKills: 0,
    witnessKills: 0,
    databaseKills: 0,
    startKills: 0,
    cosigningKills: 0,
    leastAccepted: Infinity,
    inFlight: 0,
  };
  /** The store was put back from a copy since the gateway ran last. */
  isMoved = false;
  readonly #postgres: PostgresServer | undefined;
  readonly #load: Load;
  readonly #fronts: readonly number[];
  /** Completed starts of the gateway. */
  #starts = 0;
  readonly #seen: SeenHeads;
  #acceptedBefore = 0;

  private constructor(
    deployment: Deployment,
    recorder: WitnessRecorder,
    options: CrashLoopOptions,
  ) {
    this.#fronts = options.fronts ?? FRONT_COUNTS;
    this.#postgres = options.postgres;
    this.deployment = deployment;
    this.recorder = recorder;
    const address = () => deployment.address;
    this.#load = new Load(address, this.accepted, options);
    this.#seen = new SeenHeads(address);
  }

  /** A network of three witnesses that runs, under load. */
  static async start(
    scheme: SignatureScheme,
    options: CrashLoopOptions,
  ): Promise<CrashLoop> {
    const deployment = await Deployment.create(scheme);
    try {
      await options.prepare?.(deployment);
      if (options.postgres !== undefined) await storeLogIn(options.postgres, deployment);
      const recorder = await deployment.recordWitnesses();
      await Promise.all(WITNESSES.map((index) => deployment.startWitness(index)));
      const loop = new CrashLoop(deployment, recorder, options);
      await loop.#startGateway();
      return loop;
    } catch (error) {
      await deployment[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Heads that the client saw. */
  get headsSeen(): number {
    return this.#seen.bySize.size;
  }

  /** One crash after `least` more were accepted; all of the network runs again afterwards. */
  async crash(crash: Crash, least: number, between = async () => {}): Promise<void> {
    await this.#accept(least);
    const { atCosigningOf, delayMs, againAfterMs } = crash;
    if (atCosigningOf !== undefined) await this.#cosigningOf(atCosigningOf);
    await (atCosigningOf === undefined ? pause(delayMs) : spin(delayMs));
    const accepted = this.accepted.size - this.#acceptedBefore;
    this.counts.leastAccepted = Math.min(this.counts.leastAccepted, accepted);
    this.counts.inFlight += this.#load.inFlight;
    this.#acceptedBefore = this.accepted.size;
    await this.#kill(crash);
    await between();
    await pause(crash.downMs);
    if (againAfterMs !== undefined) await this.#interrupt(crash, againAfterMs);
    await Promise.all([
      ...(crash.database ? [this.#postgres!.start()] : []),
      ...crash.witnesses.map((index) =>
        this.deployment.startWitness(index, [], ...this.#movedArgs)
      ),
      ...(crash.gateway ? [this.#startGateway()] : []),
    ]);
  }

  async #startGateway(): Promise<void> {
    await this.deployment.startGateway(...this.#args, ...this.#movedArgs);
    this.#starts++;
    this.isMoved = false;
  }

  get #movedArgs(): readonly string[] {
    return this.isMoved ? ["--moved"] : [];
  }

  /** Of the next start of the gateway. */
  get #args(): readonly string[] {
    return [...GATEWAY_ARGS, "--fronts", String(this.#fronts[this.#starts % this.#fronts.length])];
  }

  /** Stops the load. */
  async quiet(): Promise<void> {
    await this.#load.stop();
    await this.#seen.stop();
  }

  /** Loses one hash of the store, which no process has open. */
  async loseOne(): Promise<LostHash> {
    const { deployment } = this;
    if (this.#postgres === undefined) {
      const store = await openStoreKv(join(deployment.dataFolder, "store.kv"));
      return await loseOne(store).finally(() => store.close());
    }
    const access = accessTo(this.#postgres, this.#postgres.database);
    const store = await PostgresStore.open({ access, report: () => {} });
    return await loseOne(store.engine("log")).finally(() => store.close());
  }

  /** Stops the load, and answers the violations of what has to hold, in words, by what was checked. */
  async *check(): AsyncGenerator<{ readonly what: string; readonly violations: string[] }> {
    await this.quiet();
    const { deployment, recorder } = this;
    const { address } = deployment;
    const { violations, places } = await checkAccepted(address, this.accepted);
    yield { what: "accepted hashes", violations };
    const seen = this.#seen.bySize;
    const heads = await checkHeads(address, await deployment.network(), { seen, recorder });
    yield { what: "tree heads", violations: [...this.#seen.contradictions, ...heads] };
    yield { what: "witnesses", violations: checkWitnesses(recorder, places) };
    yield { what: "store", violations: await this.checkStore() };
  }

  /** Stops the gateway, and answers what `countersign fsck` says of a store with faults, in lines. */
  async checkStore(): Promise<string[]> {
    const stopped = await this.deployment.stopGateway();
    const ended = stopped === 0 ? [] : [`the gateway ended with ${stopped}`];
    const { code, stdout, stderr } = await this.deployment.countersign(
      "fsck",
      "--config",
      "net/network.json",
    );
    if (code === 0) return ended;
    return [...ended, ...`${stdout}\n${stderr}`.split("\n").filter((line) => line !== "")];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.quiet();
    await this.deployment[Symbol.asyncDispose]();
  }

  async #accept(least: number): Promise<void> {
    const enough = this.#acceptedBefore + least;
    await eventually(
      `${least} accepted`,
      () => Promise.resolve(this.accepted.size >= enough ? true : undefined),
      ACCEPTED_WAIT_MS,
    );
  }

  async #cosigningOf(index: number): Promise<void> {
    const asked = this.recorder.records[index]!.nextCosign();
    let timer;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, COSIGNING_WAIT_MS));
    await Promise.race([asked, late]);
    clearTimeout(timer);
  }

  async #kill({ gateway, database, witnesses }: Crash): Promise<void> {
    for (const index of witnesses) {
      if (this.recorder.records[index]!.inFlight > 0) this.counts.cosigningKills++;
    }
    this.counts.gatewayKills += gateway ? 1 : 0;
    this.counts.witnessKills += witnesses.length;
    this.counts.databaseKills += database ? 1 : 0;
    // All signals go out before the first process has ended.
    await Promise.all([
      ...(database ? [this.#postgres!.stop("SIGKILL")] : []),
      ...(gateway ? [this.deployment.killGateway()] : []),
      ...witnesses.map((index) => this.deployment.killWitness(index)),
    ]);
  }

  async #interrupt({ gateway, database, witnesses }: Crash, ms: number): Promise<void> {
    this.counts.gatewayKills += gateway ? 1 : 0;
    this.counts.witnessKills += witnesses.length;
    this.counts.databaseKills += database ? 1 : 0;
    const ended = database ? this.#interruptDatabase(ms) : undefined;
    const readiness = await Promise.all([
      ...(gateway ? [this.deployment.interruptGateway(ms, ...this.#args)] : []),
      ...witnesses.map((index) => this.deployment.interruptWitness(index, ms)),
    ]);
    this.counts.startKills += readiness.filter((isReady) => !isReady).length;
    await ended;
  }

  async #interruptDatabase(ms: number): Promise<void> {
    await this.#postgres!.start();
    await pause(ms);
    await this.#postgres!.stop("SIGKILL");
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits for parts of a millisecond, which a timer cannot. */
function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Puts the log of a network that was just made into the database of `server`. */
async function storeLogIn(server: PostgresServer, deployment: Deployment): Promise<void> {
  const file = join("net", "network.json");
  const network = JSON.parse(await deployment.readFile(file));
  const store = { store: server.url, store_password_file: "password" };
  await deployment.writeFile(file, JSON.stringify({ ...network, ...store }));
  const password = join(deployment.folder, "net", "password");
  await Deno.writeTextFile(password, server.password, { mode: 0o600 });
}
