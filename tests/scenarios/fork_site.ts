/**
 * A network whose gateway has a twin: a copy of its store, as a snapshot of its disk takes it in one
 * moment, under a second gateway with the same witnesses.
 *
 * @module
 */

import { join } from "node:path";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { IS_LONG } from "../long_runs.ts";
import { checkAccepted, checkHeads, checkWitnesses } from "./crash_checks.ts";
import { Deployment, eventually, GATEWAY_READY } from "./deployment.ts";
import { checkSigned } from "./fork_checks.ts";
import { Load } from "./load.ts";
import { Server } from "./program.ts";
import { SeenHeads } from "./seen_heads.ts";
import { readSigned } from "./witness_journals.ts";
import { WitnessRecorder } from "./witness_recorder.ts";

const GATEWAY_ARGS = ["--batch-max-age-ms", "50"];
const THINK_MS = IS_LONG ? 200 : 600;
const COPY_DATA = "copy-data";
const COPY_CONFIG = join("net", "copy.json");
const ENOUGH_ACCEPTED = 50;

/** What a network is made of. */
export interface ForkedNetwork {
  readonly seed: string;
  readonly scheme: SignatureScheme;
  readonly witnesses: number;
  readonly threshold: number;
  /** Of the original, and of the copy. */
  readonly fronts: number;
}

/** Everything that it started ends when it is disposed of. */
export class ForkSite implements AsyncDisposable {
  readonly deployment: Deployment;
  readonly threshold: number;
  /** Between the original and its witnesses, and between the copy and them. */
  readonly recorder: WitnessRecorder;
  readonly copyRecorder = new WitnessRecorder();
  /** Hashes that the original answered with 2xx. */
  readonly accepted = new Set<string>();
  readonly #seed: string;
  readonly #frontArgs: readonly string[];
  readonly #seen: SeenHeads;
  readonly #loads: Load[] = [];
  readonly #witnessUrls: URL[] = [];
  #copy: { readonly server: Server; readonly url: string } | undefined;

  private constructor(
    deployment: Deployment,
    recorder: WitnessRecorder,
    { seed, threshold, fronts }: ForkedNetwork,
  ) {
    this.#frontArgs = ["--fronts", String(fronts)];
    this.deployment = deployment;
    this.recorder = recorder;
    this.threshold = threshold;
    this.#seed = seed;
    this.#seen = new SeenHeads(() => deployment.address);
  }

  /** A network that runs, with some hashes accepted under load. */
  static async start(network: ForkedNetwork): Promise<ForkSite> {
    const { scheme, witnesses, threshold } = network;
    const deployment = await Deployment.create(
      scheme,
      "--witnesses",
      String(witnesses),
      "--threshold",
      String(threshold),
    );
    const recorder = await deployment.recordWitnesses();
    const site = new ForkSite(deployment, recorder, network);
    try {
      await site.#configureCopy();
      await Promise.all(recorder.records.map((_, index) => site.startWitness(index)));
      await deployment.startGateway(...GATEWAY_ARGS, ...site.#frontArgs);
      site.load();
      await site.moreAccepted(ENOUGH_ACCEPTED);
      return site;
    } catch (error) {
      await site[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Of the copy, which runs. */
  get copyUrl(): string {
    return this.#copy!.url;
  }

  /** Clients of the original, until {@linkcode ForkSite.quiet}. */
  load(): void {
    const seed = `${this.#seed} ${this.#loads.length}`;
    const { deployment, accepted } = this;
    this.#loads.push(new Load(() => deployment.address, accepted, { seed, thinkMs: THINK_MS }));
  }

  async quiet(): Promise<void> {
    await Promise.all(this.#loads.map((load) => load.stop()));
  }

  /** Ends the load, and resolves when everything accepted is published. */
  async settle(): Promise<void> {
    await this.quiet();
    const { violations } = await checkAccepted(this.deployment.address, this.accepted);
    if (violations.length > 0) throw new Error(violations[0]);
  }

  /** Resolves when the original has accepted `count` hashes more. */
  async moreAccepted(count: number): Promise<void> {
    const enough = this.accepted.size + count;
    await eventually("the original accepts", () => when(this.accepted.size >= enough));
  }

  /** Copies the store as the disk has it in one moment: the process stands still meanwhile. */
  async snapshot(): Promise<void> {
    const { gateway, dataFolder, folder } = this.deployment;
    const to = join(folder, COPY_DATA);
    await Deno.mkdir(to);
    gateway.signal("SIGSTOP");
    try {
      for await (const { name, isFile } of Deno.readDir(dataFolder)) {
        // Shared memory is made anew by whoever opens the file first.
        if (!isFile || name.endsWith("-shm")) continue;
        await Deno.copyFile(join(dataFolder, name), join(to, name));
      }
    } finally {
      gateway.signal("SIGCONT");
    }
  }

  async startCopy(): Promise<void> {
    const { server, match } = await Server.start(
      [
        "serve",
        "--config",
        COPY_CONFIG,
        "--data",
        COPY_DATA,
        "--port",
        "0",
        "--event-sockets-port",
        "0",
        "--moved",
        ...this.#frontArgs,
      ],
      GATEWAY_READY,
      { cwd: this.deployment.folder },
    );
    this.#copy = { server, url: match[1]! };
  }

  async killCopy(): Promise<void> {
    await this.#copy?.server.kill();
    this.#copy = undefined;
  }

  async startWitness(index: number): Promise<void> {
    await this.startForOriginal(index);
    this.reconnect(index);
  }

  /** Starts a witness that the copy does not reach. */
  async startForOriginal(index: number): Promise<void> {
    this.#witnessUrls[index] = await this.deployment.startWitness(index);
  }

  /** Both gateways reach the witness again. */
  reconnect(index: number): void {
    const url = this.witnessUrl(index);
    this.recorder.connect(index, url);
    this.copyRecorder.connect(index, url);
  }

  /** Of a witness that runs, without a recorder. */
  witnessUrl(index: number): URL {
    return this.#witnessUrls[index]!;
  }

  /** Stops a witness as its operator does, and answers its exit code. */
  async stopWitness(index: number): Promise<number> {
    const code = await this.deployment.witness(index).stop();
    await this.killWitness(index);
    return code;
  }

  async killWitness(index: number): Promise<void> {
    await this.deployment.killWitness(index);
    this.copyRecorder.disconnect(index);
  }

  /**
   * Ends the load, and answers the violations of what must hold however a store was forked, in words.
   * The witnesses are dead afterwards.
   */
  async check(): Promise<string[]> {
    await this.quiet();
    await this.#seen.stop();
    const { deployment, recorder, copyRecorder, accepted, threshold } = this;
    const { address, folder } = deployment;
    const { violations, places } = await checkAccepted(address, accepted);
    const known = { seen: this.#seen.bySize, recorder };
    violations.push(...this.#seen.contradictions);
    violations.push(...await checkHeads(address, await deployment.network(), known));
    violations.push(...checkWitnesses(recorder, places));
    for (const index of recorder.records.keys()) await this.killWitness(index);
    const journals = await Promise.all(recorder.records.map((_, i) => readSigned(folder, i)));
    violations.push(...checkSigned(threshold, journals, [recorder, copyRecorder]));
    return violations;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.quiet();
    await this.#seen.stop();
    await this.killCopy();
    for (const index of this.copyRecorder.records.keys()) this.copyRecorder.disconnect(index);
    await this.deployment[Symbol.asyncDispose]();
    await this.copyRecorder.close();
  }

  /** The configuration of the copy: the same witnesses, behind recorders of its own. */
  async #configureCopy(): Promise<void> {
    const { deployment, copyRecorder } = this;
    const network = JSON.parse(await deployment.readFile(join("net", "network.json")));
    for (const witness of network.witnesses) witness.url = copyRecorder.open(witness.id);
    await deployment.writeFile(COPY_CONFIG, JSON.stringify(network));
    await Deno.chmod(join(deployment.folder, COPY_CONFIG), 0o600);
  }
}

/** `true` once the gateway at `url` accepts hashes and signs them; `undefined` before. */
export async function isOk(url: string): Promise<true | undefined> {
  return when(JSON.parse(await healthOf(url)).status === "ok");
}

/** The body of `GET /health` of the gateway at `url`. */
export async function healthOf(url: string): Promise<string> {
  return await (await fetch(new URL("/health", url))).text();
}

export function when(holds: boolean): Promise<true | undefined> {
  return Promise.resolve(holds ? true : undefined);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
