/**
 * A network as operators run it: `init`, a process for each witness, and one for the gateway.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { ValidatingProxy } from "../http/validating_proxy.ts";
import { freePorts } from "../free_ports.ts";
import { bls } from "../schemes.ts";
import { Client } from "../cli/client_run.ts";
import { type Finished, Server, type Surroundings } from "./program.ts";
import { WitnessRecorder } from "./witness_recorder.ts";

const WITNESS_READY = /^Witness \S+ on (http:\/\/\S+)$/m;
export const GATEWAY_READY = /^Countersign gateway of \S+ on (http:\/\/\S+)$/m;

/** Milliseconds to the second look at a condition, and at most between two: a look takes processor time. */
const FIRST_POLL_MS = 25;
const MOST_POLL_MS = 200;

/** Waits until `holds` answers something other than `undefined`; fails after `timeoutMs`. */
export async function eventually<T>(
  what: string,
  holds: () => Promise<T | undefined>,
  timeoutMs = 120_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let pollMs = FIRST_POLL_MS;; pollMs = Math.min(1.25 * pollMs, MOST_POLL_MS)) {
    const value = await holds();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`Not in ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/**
 * The first answer to `submit` that is no 202: a gateway whose witnesses are late, as on a busy machine, does
 * not hold its answers.
 */
export function whenSigned<T extends { readonly status: number }>(
  submit: () => Promise<T>,
): Promise<T> {
  return eventually("the hash is signed", async () => {
    const answer = await submit();
    return answer.status === 202 ? undefined : answer;
  });
}

/** One network in a folder of its own. Everything that runs is killed when it is disposed of. */
export class Deployment implements AsyncDisposable {
  readonly folder: string;
  /** Runs the gateways that are started from now on (see {@linkcode Surroundings}). */
  gatewayWrapper: readonly string[] = [];
  readonly #witnesses: (Server | undefined)[] = [];
  #gateway: Server | undefined;
  /** Holds what passes to and from the gateway against its OpenAPI document. */
  #proxy: ValidatingProxy | undefined;
  #recorder: WitnessRecorder | undefined;
  #url = "";
  #isKept = false;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** A new network of three witnesses, two of which have to sign. Nothing of it runs yet. */
  static async create(
    scheme: SignatureScheme,
    ...initArgs: readonly string[]
  ): Promise<Deployment> {
    const deployment = new Deployment(await Deno.makeTempDir());
    const { code, stderr } = await deployment.countersign(
      "init",
      "--base-port",
      String(freePorts(3)),
      "--out",
      "net",
      "--scheme",
      scheme,
      ...initArgs,
    );
    assert.equal(code, 0, stderr);
    // What scenarios ask, one client asks.
    const networkFile = join("net", "network.json");
    const network = JSON.parse(await deployment.readFile(networkFile));
    await deployment.writeFile(networkFile, JSON.stringify({ ...network, limits: "off" }));
    return deployment;
  }

  /** A new network, all of which runs. */
  static async start(
    scheme: SignatureScheme,
    ...gatewayArgs: readonly string[]
  ): Promise<Deployment> {
    const deployment = await Deployment.create(scheme);
    await Promise.all([0, 1, 2].map((index) => deployment.startWitness(index)));
    await deployment.startGateway(...gatewayArgs);
    return deployment;
  }

  /**
   * Puts a recorder between the gateway and its witnesses, before any of them runs. The recorder holds
   * the configured ports; witnesses take free ones, so that no port is lost while one is dead.
   */
  async recordWitnesses(): Promise<WitnessRecorder> {
    const recorder = this.#recorder = new WitnessRecorder();
    const networkFile = join("net", "network.json");
    const network = JSON.parse(await this.readFile(networkFile));
    for (const [index, witness] of network.witnesses.entries()) {
      witness.url = recorder.open(witness.id);
      const file = witnessFile(index);
      const node = JSON.parse(await this.readFile(file));
      await this.writeFile(file, JSON.stringify({ ...node, port: 0 }));
    }
    await this.writeFile(networkFile, JSON.stringify(network));
    return recorder;
  }

  /** Leaves the folder where it is when everything is over. */
  keep(): void {
    this.#isKept = true;
  }

  /** Of the running gateway, behind the proxy that validates. */
  get url(): string {
    return this.#proxy?.url ?? this.#url;
  }

  /** Of the gateway that ran last, itself. */
  get address(): Deno.NetAddr {
    const { hostname, port } = new URL(this.#url);
    return { transport: "tcp", hostname, port: Number(port) };
  }

  get dataFolder(): string {
    return join(this.folder, "net", "data");
  }

  get publicFile(): string {
    return join(this.folder, "net", "network.public.json");
  }

  get gateway(): Server {
    assert(this.#gateway !== undefined, "the gateway runs");
    return this.#gateway;
  }

  /** A witness that runs. */
  witness(index: number): Server {
    const server = this.#witnesses[index];
    assert(server !== undefined, `witness ${index + 1} runs`);
    return server;
  }

  async network(): Promise<NetworkConfiguration> {
    return parseNetwork(await Deno.readTextFile(this.publicFile), bls);
  }

  /** Runs a command of the program to its end, in the deployment's folder and this process. */
  countersign(...args: readonly string[]): Promise<Finished> {
    const client = new Client(this.folder);
    client.gateway = this.url;
    return client.run(args);
  }

  /** Starts a witness, by `wrapper` if there is one (see {@linkcode Surroundings}); its URL. */
  async startWitness(
    index: number,
    wrapper: Surroundings["wrapper"] = [],
    ...args: readonly string[]
  ): Promise<URL> {
    const { server, match } = await Server.start(
      [...witnessArgs(index), ...args],
      WITNESS_READY,
      { cwd: this.folder, wrapper },
    );
    this.#witnesses[index] = server;
    const url = new URL(match[1]!);
    this.#recorder?.connect(index, url);
    return url;
  }

  async killWitness(index: number): Promise<void> {
    await this.#witnesses[index]?.kill();
    this.#witnesses[index] = undefined;
    this.#recorder?.disconnect(index);
  }

  /** Starts a witness and kills it after `ms`; whether it was ready by then. */
  async interruptWitness(index: number, ms: number): Promise<boolean> {
    const { stdout } = await killedAfter(
      Server.launch(witnessArgs(index), { cwd: this.folder }),
      ms,
    );
    return WITNESS_READY.test(stdout);
  }

  async startGateway(...args: readonly string[]): Promise<void> {
    const { server, match } = await Server.start(
      gatewayArgs(args),
      GATEWAY_READY,
      { cwd: this.folder, wrapper: this.gatewayWrapper },
    );
    this.#gateway = server;
    this.#url = match[1] ?? "";
    this.#proxy = new ValidatingProxy(this.#url);
  }

  /** Starts a gateway and kills it after `ms`; whether it was ready by then. */
  async interruptGateway(ms: number, ...args: readonly string[]): Promise<boolean> {
    const { stdout } = await killedAfter(
      Server.launch(gatewayArgs(args), { cwd: this.folder }),
      ms,
    );
    return GATEWAY_READY.test(stdout);
  }

  async killGateway(): Promise<void> {
    await this.gateway.kill();
    this.#gateway = undefined;
    await this.#closeProxy();
  }

  /** Stops the gateway by a signal, and answers its exit code. */
  async stopGateway(): Promise<number> {
    const code = await this.gateway.stop();
    this.#gateway = undefined;
    await this.#closeProxy();
    return code;
  }

  /** The JSON of a route; status and body. */
  async get(path: string): Promise<{ readonly status: number; readonly text: string }> {
    const response = await fetch(new URL(path, this.url));
    return { status: response.status, text: await response.text() };
  }

  async post(path: string, body: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(new URL(path, this.url), {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  }

  async writeFile(name: string, text: string): Promise<void> {
    await Deno.writeTextFile(join(this.folder, name), text);
  }

  async readFile(name: string): Promise<string> {
    return await Deno.readTextFile(join(this.folder, name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gateway?.kill();
    for (const witness of this.#witnesses) await witness?.kill();
    await this.#recorder?.close();
    if (!this.#isKept) await Deno.remove(this.folder, { recursive: true });
    await this.#closeProxy();
  }

  async #closeProxy(): Promise<void> {
    await this.#proxy?.close();
    this.#proxy = undefined;
  }
}

function witnessFile(index: number): string {
  return join("net", `witness-${index + 1}`, "witness.json");
}

function witnessArgs(index: number): string[] {
  return ["witness", witnessFile(index)];
}

function gatewayArgs(args: readonly string[]): string[] {
  const ports = ["--port", "0", "--event-sockets-port", "0"];
  return ["serve", "--config", join("net", "network.json"), ...ports, ...args];
}

async function killedAfter(server: Server, ms: number): Promise<Server> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  await server.kill();
  return server;
}
