/**
 * Networks that cosign one another's tree heads, as operators set them up: `federate` on each side,
 * tokens exchanged, witnesses and three gateways in processes of their own.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { freePorts } from "../free_ports.ts";
import { Deployment, eventually } from "./deployment.ts";
import type { Finished } from "./program.ts";

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** One network of a mesh. */
export class Member {
  readonly id: string;
  readonly deployment: Deployment;
  /** Of its operator listener. */
  readonly operatorPort: number;
  /** Of the operator listeners of all its gateways. */
  readonly operatorUrls: readonly string[];
  /** How many witnesses it has. */
  witnesses = 3;

  constructor(id: string, deployment: Deployment, ...operatorPorts: readonly number[]) {
    this.id = id;
    this.deployment = deployment;
    this.operatorPort = operatorPorts[0]!;
    this.operatorUrls = operatorPorts.map((port) => `http://127.0.0.1:${port}`);
  }

  /**
   * Runs `federate` for `peer`, from whom `tokenFile` is once it is known; then `threshold` peers have to cosign.
   * Answers our token's file.
   */
  async federate(peer: Member, tokenFile?: string, threshold = 2): Promise<string> {
    const { code, stdout, stderr } = await this.deployment.countersign(
      "federate",
      "--config",
      join("net", "network.json"),
      "--peer",
      peer.deployment.publicFile,
      "--output",
      "json",
      ...(tokenFile === undefined
        ? this.#places.flatMap((
          i,
        ) => ["--witness", join("net", `witness-${i + 1}`, "witness.json")])
        : [
          ...peer.operatorUrls.flatMap((url) => ["--federation-url", url]),
          "--token-file",
          tokenFile,
          "--cross-anchor-threshold",
          String(threshold),
        ]),
    );
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout).accept_token_file;
  }

  /** Gives the operator listener its port, which the others were told. */
  async listenForOperators(): Promise<void> {
    const file = join("net", "network.json");
    const members = JSON.parse(await this.deployment.readFile(file));
    members.operator = { host: "127.0.0.1", port: this.operatorPort };
    await this.deployment.writeFile(file, JSON.stringify(members));
  }

  /** Starts the witnesses and the gateway, all with these arguments. */
  async startAll(...args: readonly string[]): Promise<void> {
    await Promise.all(this.#places.map((i) => this.deployment.startWitness(i, [], ...args)));
    await this.deployment.startGateway(...args);
  }

  async killAll(): Promise<void> {
    await this.deployment.killGateway();
    await Promise.all(this.#places.map((i) => this.deployment.killWitness(i)));
  }

  get #places(): number[] {
    return Array.from({ length: this.witnesses }, (_, i) => i);
  }

  /** Attests `text`, and waits until it is in a published tree. */
  async attest(text: string): Promise<string> {
    const hash = hashOf(text);
    await this.deployment.post("/v1/attestations", { hash });
    await eventually(`${text} is batched`, async () => {
      const job = JSON.parse((await this.deployment.get(`/v1/attestations/${hash}`)).text);
      return job.progress === "batched" ? true : undefined;
    });
    return hash;
  }

  /** The JSON of a route. */
  // deno-lint-ignore no-explicit-any
  async json(path: string): Promise<any> {
    return JSON.parse((await this.deployment.get(path)).text);
  }

  /** The networks whose cross-anchors stand in the bundle of `hash`. */
  async anchoredBy(hash: string): Promise<string[]> {
    const bundle = await this.json(`/v1/bundle/${hash}`);
    return bundle.cross_anchors.map((anchor: { witnessing_network: string }) =>
      anchor.witnessing_network
    ).toSorted();
  }

  /** Waits until exactly `peers` have cosigned a head that covers `hash`. */
  async untilAnchoredBy(hash: string, peers: readonly Member[]): Promise<void> {
    const expected = peers.map(({ id }) => id).toSorted().join();
    await eventually(`${this.id} is cosigned by ${expected}`, async () => {
      return (await this.anchoredBy(hash)).join() === expected ? true : undefined;
    });
  }

  /** What `verify-proof` says of the bundle of `hash`, offline, with `peers` pinned. */
  async verify(hash: string, peers: readonly Member[]): Promise<Finished> {
    const { text } = await this.deployment.get(`/v1/bundle/${hash}`);
    await this.deployment.writeFile("bundle.json", text);
    return await this.deployment.countersign(
      "verify-proof",
      "--bundle",
      "bundle.json",
      "--output",
      "json",
      "--network-config",
      this.deployment.publicFile,
      ...peers.flatMap(({ deployment }) => ["--peer-config", deployment.publicFile]),
    );
  }

  /** The level that {@linkcode verify} reports. */
  async level(hash: string, peers: readonly Member[]): Promise<string> {
    const { code, stdout, stderr } = await this.verify(hash, peers);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout).level;
  }
}

/** A full mesh. Everything that runs is killed when it is disposed of. */
export class Mesh implements AsyncDisposable {
  readonly members: readonly Member[];

  private constructor(members: readonly Member[]) {
    this.members = members;
  }

  /**
   * Networks of a scheme and so many witnesses each, all of them peers of one another, all running.
   */
  static async start(
    networks: readonly (readonly [SignatureScheme, witnesses: number])[],
  ): Promise<Mesh> {
    const operatorPorts = freePorts(networks.length);
    const members: Member[] = [];
    const mesh = new Mesh(members);
    try {
      for (const [i, [scheme, witnesses]] of networks.entries()) {
        const id = `mesh.example/${String.fromCharCode(97 + i)}`;
        const count = ["--witnesses", `${witnesses}`];
        const deployment = await Deployment.create(scheme, "--id", id, ...count);
        const member = new Member(id, deployment, operatorPorts + i);
        member.witnesses = witnesses;
        members.push(member);
      }
      await Promise.all(members.map((member) => mesh.#introduce(member)));
      for (const member of members) await mesh.#exchangeTokens(member);
      for (const member of members) await member.listenForOperators();
      for (const member of members) await member.startAll();
      return mesh;
    } catch (error) {
      await mesh[Symbol.asyncDispose]();
      throw error;
    }
  }

  othersOf(member: Member): Member[] {
    return this.members.filter((other) => other !== member);
  }

  /** `member` makes a token for each other network, and its witnesses learn their logs. */
  async #introduce(member: Member): Promise<void> {
    for (const other of this.othersOf(member)) await member.federate(other);
  }

  /** `member` is given the token that each other network made for it. */
  async #exchangeTokens(member: Member): Promise<void> {
    for (const other of this.othersOf(member)) {
      const tokenFile = await acceptedFrom(other, member);
      await member.federate(other, tokenFile);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { deployment } of this.members) await deployment[Symbol.asyncDispose]();
  }
}

/** The file with the token that `member` accepts from `peer`. */
export async function acceptedFrom(member: Member, peer: Member): Promise<string> {
  const { federation } = JSON.parse(await member.deployment.readFile(join("net", "network.json")));
  const entry = federation.peer_networks.find(({ id }: { id: string }) => id === peer.id);
  return join(member.deployment.folder, "net", entry.accept_token_file);
}
