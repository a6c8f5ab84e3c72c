/**
 * Gateways over one log in PostgreSQL, one of which is active, under load: each has a folder of its own,
 * and they share the witnesses. Whoever is killed or stopped starts again as a standby.
 *
 * @module
 */

import { join } from "node:path";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { checkAccepted, checkHeads, checkWitnesses } from "../scenarios/crash_checks.ts";
import { Deployment, eventually, GATEWAY_READY } from "../scenarios/deployment.ts";
import { Load } from "../scenarios/load.ts";
import { run, Server } from "../scenarios/program.ts";
import { SeenHeads } from "../scenarios/seen_heads.ts";
import type { WitnessRecorder } from "../scenarios/witness_recorder.ts";
import { freePorts } from "../free_ports.ts";
import { CuttingProxy } from "./cutting_proxy.ts";
import { PgBouncer } from "./pgbouncer.ts";
import { PostgresServer } from "./postgres_server.ts";

const STANDBY_READY = /^Countersign standby of \S+ on (http:\/\/\S+)$/m;
/** Some dozen hashes a second: most of a test is waiting, and the last check reads all of them. */
const THINK_MS = 2_000;
/** Clients that think for a long time also have batches close, and heads looked at, more rarely. */
const batchAgeMs = (thinkMs: number) => Math.max(50, thinkMs / 8);
const lookPeriodMs = (thinkMs: number) => Math.max(40, thinkMs / 8);
const GATEWAYS = [0, 1] as const;
/** What a gateway says when it ends because its lease did. */
export const LEASE_LOST = /another (gateway|process) has taken/;

/** Each gateway reaches the database through its own proxy. */
export function configOf(index: number): string {
  return join("net", `network-${index}.json`);
}

/** Hashes, and the longest time between two of them. */
class AcceptedHashes extends Set<string> {
  #lastMs = performance.now();
  #gapMs = 0;

  override add(hash: string): this {
    const nowMs = performance.now();
    this.#gapMs = Math.max(this.#gapMs, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    return super.add(hash);
  }

  /** Milliseconds of the longest gap since the last call. */
  takeGap(): number {
    const gapMs = this.#gapMs;
    this.#gapMs = 0;
    return gapMs;
  }
}

export interface FailoverOptions {
  /** Puts a pooler before the database, with these further lines of its configuration. */
  readonly pooled?: readonly string[];
  /** How many threads of each gateway answer clients; by default its one thread does. */
  readonly fronts?: number;
  /** Changes the network before any of it runs; the gateways have operator listeners on these ports. */
  readonly prepare?: (deployment: Deployment, operatorPorts: readonly number[]) => Promise<void>;
  /** Most milliseconds from an answer to a client's next request. */
  readonly thinkMs?: number;
  /** How many witnesses sign; by default three, two of which have to. */
  readonly witnesses?: number;
  /** More members of the `network.json` of each gateway. */
  readonly members?: (
    network: { readonly log_vkey: string },
    index: number,
  ) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;
}

/** Everything that it started ends when it is disposed of. */
export class FailoverSite implements AsyncDisposable {
  readonly postgres: PostgresServer;
  readonly pooler: PgBouncer | undefined;
  /** Between each gateway and the database, or its pooler. */
  readonly proxies: readonly CuttingProxy[];
  readonly deployment: Deployment;
  readonly recorder: WitnessRecorder;
  readonly #operatorPort: number;
  readonly #fronts: number;
  readonly #thinkMs: number;
  /** Hashes that were answered with 2xx. */
  readonly accepted = new AcceptedHashes();
  readonly #ports: readonly number[];
  readonly #servers: (Server | undefined)[] = [];
  /** All that ever ran, with the gateway that each is. */
  readonly #started: { readonly index: number; readonly server: Server }[] = [];
  /** How much each gateway had written when it handed over. */
  readonly #handedOver: number[] = [];
  #load: Load;
  readonly #seen: SeenHeads;
  /** Which gateway the next connection of a client tries. */
  #tried = 0;

  private constructor(
    { postgres, pooler, proxies, deployment, recorder }: Pick<
      FailoverSite,
      "postgres" | "pooler" | "proxies" | "deployment" | "recorder"
    >,
    operatorPort: number,
    { fronts, thinkMs }: { readonly fronts: number; readonly thinkMs: number },
  ) {
    this.#fronts = fronts;
    this.#operatorPort = operatorPort;
    this.postgres = postgres;
    this.pooler = pooler;
    this.proxies = proxies;
    this.deployment = deployment;
    this.recorder = recorder;
    const first = freePorts(GATEWAYS.length);
    this.#ports = GATEWAYS.map((index) => first + index);
    this.#thinkMs = thinkMs;
    this.#load = this.#startLoad();
    // A standby is behind: only the heads of the active gateway never go back.
    this.#seen = new SeenHeads(() => {
      const active = this.#saidActive;
      if (active === undefined) throw new Error("No gateway is active");
      return this.address(active);
    }, lookPeriodMs(thinkMs));
  }

  #startLoad(): Load {
    const address = () => this.address(this.#tried++ % GATEWAYS.length);
    const seed = `${this.deployment.folder} ${this.accepted.size}`;
    return new Load(address, this.accepted, { seed, thinkMs: this.#thinkMs });
  }

  static async start(
    scheme: SignatureScheme,
    options: FailoverOptions = {},
  ): Promise<FailoverSite> {
    const { pooled, fronts = 0, thinkMs = THINK_MS, witnesses = 3, prepare, members } = options;
    const postgres = await PostgresServer.start();
    const pooler = pooled && await PgBouncer.start(postgres, pooled);
    const deployment = await Deployment.create(scheme, "--witnesses", String(witnesses));
    const recorder = await deployment.recordWitnesses();
    const operatorPort = freePorts(GATEWAYS.length);
    await prepare?.(deployment, GATEWAYS.map((index) => operatorPort + index));
    const network = JSON.parse(await deployment.readFile(join("net", "network.json")));
    await Deno.writeTextFile(join(deployment.folder, "net", "password"), postgres.password, {
      mode: 0o600,
    });
    const proxies = GATEWAYS.map(() => new CuttingProxy((pooler ?? postgres).port));
    for (const [index, { port }] of proxies.entries()) {
      const url = new URL(postgres.url);
      url.port = String(port);
      const store = { store: url.href, store_password_file: "password" };
      const file = join(deployment.folder, configOf(index));
      const text = JSON.stringify({
        ...network,
        ...await members?.(network, index),
        ...store,
        operator: { host: "127.0.0.1", port: operatorPort + index },
      });
      await Deno.writeTextFile(file, text, { mode: 0o600 });
    }
    const started = Array.from({ length: witnesses }, (_, i) => deployment.startWitness(i));
    await Promise.all(started);
    const parts = { postgres, pooler, proxies, deployment, recorder };
    const site = new FailoverSite(parts, operatorPort, { fronts, thinkMs });
    for (const index of GATEWAYS) await site.startGateway(index);
    return site;
  }

  address(index: number): Deno.NetAddr {
    return { transport: "tcp", hostname: "127.0.0.1", port: this.#ports[index]! };
  }

  /** The gateway that said last that it is active. */
  get #saidActive(): number | undefined {
    const index = this.#servers.findIndex((server, index) =>
      server !== undefined && GATEWAY_READY.test(server.stdout.slice(this.#handedOver[index]))
    );
    return index < 0 ? undefined : index;
  }

  /** The active gateway, once there is one. */
  active(): Promise<number> {
    return eventually("a gateway is active", async () => {
      for (const index of GATEWAYS) {
        if (await this.#isRunning(index)) {
          const { status, json } = await this.ask(index, "/health");
          if (status !== 503 || json.status !== "standby") return index;
        } else await this.#revive(index);
      }
      return undefined;
    });
  }

  /** The operator listener of a gateway. */
  operatorPort(index: number): number {
    return this.#operatorPort + index;
  }

  server(index: number): Server {
    return this.#servers[index]!;
  }

  /** Starts a gateway that stands by if the other one is active. */
  async startGateway(index: number): Promise<void> {
    const { server } = await Server.start(
      [
        "serve",
        "--config",
        configOf(index),
        "--data",
        `data-${index}`,
        "--port",
        String(this.#ports[index]),
        "--event-sockets-port",
        "0",
        "--standby",
        "--fronts",
        String(this.#fronts),
        "--public-url",
        `http://active-${index}.example/`,
        "--batch-max-age-ms",
        String(batchAgeMs(this.#thinkMs)),
        "--log-format",
        "pretty",
        "--log-level",
        "info",
      ],
      new RegExp(`${GATEWAY_READY.source}|${STANDBY_READY.source}`, "m"),
      { cwd: this.deployment.folder },
    );
    this.#servers[index] = server;
    this.#started.push({ index, server });
    this.#handedOver[index] = 0;
  }

  /** What gateways have logged since `timeMs`, in order. */
  logSince(timeMs: number): string[] {
    const first = new Date(timeMs).toISOString();
    return this.#started.flatMap(({ index, server }) =>
      server.stderr.split("\n").filter((line) => /^[0-9]{4}-/.test(line) && line >= first)
        .map((line) => `${line} (gateway ${index})`)
    ).toSorted();
  }

  /** How often a gateway has become active. */
  get activations(): number {
    const said = new RegExp(GATEWAY_READY, "gm");
    return this.#started.reduce(
      (sum, { server }) => sum + (server.stdout.match(said)?.length ?? 0),
      0,
    );
  }

  /** Has the active gateway hand over, and become the standby of the other one. */
  async handOver(): Promise<void> {
    const index = await this.active();
    const server = this.server(index);
    this.#handedOver[index] = server.stdout.length;
    server.signal("SIGUSR1");
    await this.#standsBy(index);
    await this.active();
  }

  /** Resolves when the gateway is active. */
  async isActive(index: number): Promise<void> {
    await eventually("the other gateway takes over", async () => {
      const { json } = await this.ask(index, "/health");
      return json.status === "ok" || undefined;
    });
  }

  /** Stops the active gateway while its standby cannot read the log, then lets it read. */
  async takeOverWithoutReads(): Promise<void> {
    const active = await this.active();
    const standby = 1 - active;
    this.proxies[standby]!.cut("SELECT value FROM countersign.log");
    await this.stopGateway(active);
    await eventually("the standby gives up", () => {
      const hasGivenUp = this.server(standby).stderr.includes("Cannot take over the log");
      return Promise.resolve(hasGivenUp || undefined);
    });
    this.proxies[standby]!.cut();
    await this.isActive(standby);
    await this.startGateway(active);
  }

  /** Resolves when the gateway is a standby. */
  async #standsBy(index: number): Promise<void> {
    try {
      await eventually(`gateway ${index} stands by`, async () => {
        const { status, json } = await this.ask(index, "/health");
        return status === 503 && json.status === "standby" || undefined;
      });
    } catch (cause) {
      throw new Error(`Gateway ${index} does not stand by: ${this.server(index).stderr}`, {
        cause,
      });
    }
  }

  /**
   * Starts a gateway again, as a service manager does, that has ended because its lease did. On a machine with
   * too much to do this happens at any time.
   */
  async #revive(index: number): Promise<void> {
    const server = this.#servers[index];
    if (server === undefined || await this.#isRunning(index)) return;
    if (LEASE_LOST.test(server.stderr) && server === this.#servers[index]) {
      await this.startGateway(index);
    }
  }

  async killGateway(index: number): Promise<void> {
    const server = this.#servers[index];
    this.#servers[index] = undefined;
    await server?.kill();
  }

  /** The gateway has ended by itself. */
  forget(index: number): void {
    this.#servers[index] = undefined;
  }

  /** Stops the gateway by a signal; its exit code. */
  async stopGateway(index: number): Promise<number> {
    const code = await this.#servers[index]!.stop();
    this.#servers[index] = undefined;
    return code;
  }

  /** A request to a gateway, again while the gateway closes its port: status and JSON. */
  async ask(index: number, path: string, init?: RequestInit) {
    const { hostname, port } = this.address(index);
    return await eventually(`${path} is answered`, async () => {
      try {
        const response = await fetch(`http://${hostname}:${port}${path}`, init);
        return { status: response.status, json: await response.json() };
      } catch {
        await this.#revive(index);
        return undefined;
      }
    });
  }

  /** Submits `hash` to a gateway: status and JSON. */
  submit(index: number, hash: string) {
    return this.ask(index, "/v1/attestations", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ hash }),
    });
  }

  /**
   * Resolves when `count` more hashes are accepted; answers after how many milliseconds. Rejects once no
   * gateway runs.
   */
  async accept(count: number): Promise<number> {
    const startMs = performance.now();
    const enough = this.accepted.size + count;
    await eventually(
      `${count} accepted`,
      async () => {
        if (this.accepted.size >= enough) return true;
        for (const index of GATEWAYS) await this.#revive(index);
        const running = await Promise.all(GATEWAYS.map((index) => this.#isRunning(index)));
        if (running.includes(true)) return undefined;
        throw new Error(`No gateway runs: ${this.#servers.map((server) => server?.stderr)}`);
      },
      300_000,
    );
    return performance.now() - startMs;
  }

  /** Resolves when all requests that are in flight now have ended. */
  async passed(): Promise<void> {
    await this.#load.passed();
  }

  /** Starts what {@linkcode FailoverSite.check} and {@linkcode FailoverSite.audit} stopped. */
  async resume(): Promise<void> {
    for (const index of GATEWAYS) await this.startGateway(index);
    this.#load = this.#startLoad();
  }

  async #isRunning(index: number): Promise<boolean> {
    const ended = this.#servers[index]?.ended().then(() => false);
    return ended !== undefined && await Promise.race([ended, pause(0)]);
  }

  /** Stops the load; the violations of what has to hold, in words. */
  async check(): Promise<string[]> {
    await this.#load.stop();
    await this.#seen.stop();
    const { deployment, recorder } = this;
    const address = this.address(await this.active());
    const { violations, places } = await checkAccepted(address, this.accepted);
    const heads = await checkHeads(address, await deployment.network(), {
      seen: this.#seen.bySize,
      recorder,
    });
    return [
      ...violations,
      ...this.#seen.contradictions,
      ...heads,
      ...checkWitnesses(recorder, places),
    ];
  }

  /** Stops both gateways and audits the log; its faults. */
  async audit(): Promise<string[]> {
    for (const index of GATEWAYS) await this.stopGateway(index);
    const args = ["fsck", "--config", configOf(0), "--data", "data-0"];
    const { code, stdout, stderr } = await run(args, { cwd: this.deployment.folder });
    return code === 0 ? [] : [`fsck: ${stdout}${stderr}`];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#load.stop();
    await this.#seen.stop();
    for (const server of this.#servers) await server?.kill();
    await this.deployment[Symbol.asyncDispose]();
    for (const proxy of this.proxies) await proxy[Symbol.asyncDispose]();
    await this.pooler?.[Symbol.asyncDispose]();
    await this.postgres[Symbol.asyncDispose]();
  }
}

function pause(ms: number): Promise<true> {
  return new Promise((resolve) => setTimeout(() => resolve(true), ms));
}
