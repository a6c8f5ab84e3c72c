/**
 * A network whose configuration changes while it runs: `init`, a process for each witness and one for the
 * gateway, and the documents of successions, which are signed here with the key files.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { hexOf, utf8 } from "../../src/base/bytes.ts";
import { readLogSigner, readWitnessSigner } from "../../src/config/key_file.ts";
import type { NetworkConfiguration, WitnessKey } from "../../src/proof/format/network.ts";
import { parseVkey } from "../../src/proof/format/note_key.ts";
import { encodeVkey } from "../../src/proof/format/note_key.ts";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import {
  encodeSuccession,
  type NextLog,
  type Succession,
  type SuccessionTerms,
} from "../../src/proof/format/succession.ts";
import { coreOf } from "../../src/proof/format/trust_core.ts";
import { newLogKey, newMlDsaKey, newWitnessKey } from "../../src/server/gateway/new_keys.ts";
import { createWitnessState } from "../../src/storage/witness/witness_state.ts";
import { freePorts } from "../free_ports.ts";
import { bls, KEY_READING } from "../schemes.ts";
import { eventually, GATEWAY_READY } from "./deployment.ts";
import { Client } from "../cli/client_run.ts";
import { Server } from "./program.ts";

const WITNESS_READY = /^Witness \S+ on (http:\/\/\S+)$/m;
const FIRST_WITNESSES = ["w1", "w2", "w3"];
const TOKEN = "succession-test-token-0123456789";

/** What the next configuration has. */
export interface Change {
  readonly witnesses: readonly string[];
  readonly threshold: number;
  readonly rotatesLogKey?: boolean;
  /** The log and all witnesses get ML-DSA-44 keys, which witnesses have after a restart. */
  readonly addsMlDsa?: boolean;
}

/** `network.json`, as far as it is used here. */
type Operator = NetworkConfiguration & {
  readonly log_vkey: string;
  readonly log_key_file: string;
  readonly witnesses: readonly (WitnessKey & { readonly url: string; readonly token: string })[];
};

export class SuccessionSite implements AsyncDisposable {
  readonly folder: string;
  readonly scheme: SignatureScheme;
  readonly #witnesses = new Map<string, Server>();
  readonly #gatewayArgs: readonly string[];
  readonly #fronts: number;
  #gateway: Server | undefined;
  url = "";
  /** All that the gateways wrote to their logs. */
  log = "";

  private constructor(
    folder: string,
    scheme: SignatureScheme,
    fronts: number,
    gatewayArgs: readonly string[],
  ) {
    this.#fronts = fronts;
    this.folder = folder;
    this.scheme = scheme;
    this.#gatewayArgs = gatewayArgs;
  }

  /** A network of three witnesses, 2 of which have to sign; nothing runs. */
  static async create(
    scheme: SignatureScheme,
    fronts: number,
    ...gatewayArgs: string[]
  ): Promise<SuccessionSite> {
    const site = new SuccessionSite(await Deno.makeTempDir(), scheme, fronts, gatewayArgs);
    const base = String(freePorts(3));
    const { code, stderr } = await site.countersign(
      "init",
      "--base-port",
      base,
      "--out",
      "net",
      "--scheme",
      scheme,
    );
    assert.equal(code, 0, stderr);
    const network = await site.operator();
    await site.#write("network.json", { ...network, limits: "off" });
    for (const [i, id] of FIRST_WITNESSES.entries()) {
      await Deno.rename(site.#path(`witness-${i + 1}`), site.#path(id));
    }
    return site;
  }

  countersign(...args: readonly string[]) {
    return new Client(this.folder).run(args);
  }

  async operator(file = "network.json"): Promise<Operator> {
    return JSON.parse(await Deno.readTextFile(this.#path(file)));
  }

  async startWitness(id: string): Promise<void> {
    const { server } = await Server.start(
      ["witness", join("net", id, "witness.json")],
      WITNESS_READY,
      { cwd: this.folder },
    );
    this.#witnesses.set(id, server);
  }

  async killWitness(id: string): Promise<void> {
    await this.#witnesses.get(id)?.kill();
    this.#witnesses.delete(id);
  }

  /** Sets members of `network.json`. */
  async configure(members: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#write("network.json", { ...await this.operator(), ...members });
  }

  async startGateway(): Promise<void> {
    const ports = ["--port", "0", "--event-sockets-port", "0", "--fronts", String(this.#fronts)];
    const { server, match } = await Server.start(
      ["serve", "--config", join("net", "network.json"), ...ports, ...this.#gatewayArgs],
      GATEWAY_READY,
      { cwd: this.folder },
    );
    this.#gateway = server;
    this.url = match[1]!;
  }

  async killGateway(): Promise<void> {
    await this.#gateway?.kill();
    this.log += this.#gateway?.stderr ?? "";
    this.#gateway = undefined;
  }

  async get(path: string): Promise<string | undefined> {
    try {
      const response = await fetch(new URL(path, this.url));
      const text = await response.text();
      return response.ok ? text : undefined;
    } catch {
      return undefined;
    }
  }

  /** The epoch that the gateway serves; `undefined` while it is down. */
  async epoch(): Promise<number | undefined> {
    const text = await this.get("/v1/network");
    return text === undefined ? undefined : JSON.parse(text).epoch ?? 0;
  }

  /** Size of the latest published head. */
  async size(): Promise<number> {
    return await eventually("a tree head", async () => {
      const text = await this.get("/v1/log/sth");
      return text === undefined ? undefined : JSON.parse(text).tree_head.tree_size as number;
    });
  }

  /** Writes `successor.json`, and makes the files of witnesses that are new. */
  async prepare(
    { witnesses, threshold, rotatesLogKey = false, addsMlDsa = false }: Change,
  ): Promise<void> {
    const operator = await this.operator();
    const known = new Map(operator.witnesses.map((witness) => [nameOf(witness.id), witness]));
    let { log_vkey, log_key_file } = operator;
    const epoch = (operator.epoch ?? 0) + 1;
    if (rotatesLogKey) {
      const { key, secretLine } = newLogKey(() => operator.id);
      log_key_file = `log-${epoch}.key`;
      log_vkey = encodeVkey(key);
      await this.#writeSecret(log_key_file, secretLine);
    }
    const entries = [];
    for (const name of witnesses) {
      const entry = known.get(name) ?? await this.#newWitness(name, operator);
      entries.push(addsMlDsa ? { ...entry, ml_dsa_vkey: await this.#addMlDsa(name) } : entry);
    }
    const logMembers: Record<string, string> = {};
    if (addsMlDsa) {
      const { key, secretLine } = newMlDsaKey(operator.id);
      await this.#writeSecret("log-ml-dsa.key", secretLine);
      logMembers.log_ml_dsa_vkey = encodeVkey(key);
      logMembers.log_ml_dsa_key_file = "log-ml-dsa.key";
    }
    await this.#write("successor.json", {
      ...operator,
      ...logMembers,
      epoch,
      threshold,
      log_vkey,
      log_key_file,
      witnesses: entries,
    });
  }

  /** The finished document from `network.json` to `successor.json`. */
  async document(treeSize: number): Promise<Succession> {
    const [old, next] = [await this.operator(), await this.operator("successor.json")];
    const terms: SuccessionTerms = {
      predecessor: coreOf(publicNetwork(old)),
      successor: coreOf(publicNetwork(next)),
      tree_size: treeSize,
      timestamp: Math.floor(Date.now() / 1000),
      nonce: hexOf(crypto.getRandomValues(new Uint8Array(32))),
    };
    return await this.sign(terms, old, next);
  }

  /** The finished document that ends the log. */
  async freeze(treeSize: number, nextLog?: NextLog): Promise<Succession> {
    const old = await this.operator();
    return await this.sign(
      {
        predecessor: coreOf(publicNetwork(old)),
        successor: null,
        ...(nextLog && { next_log: nextLog }),
        tree_size: treeSize,
        timestamp: Math.floor(Date.now() / 1000),
        nonce: hexOf(crypto.getRandomValues(new Uint8Array(32))),
      },
      old,
      null,
    );
  }

  /** `terms` signed by all of `old` and `next`. */
  async sign(terms: SuccessionTerms, old: Operator, next: Operator | null): Promise<Succession> {
    const message = utf8(encodeSuccession(terms));
    const each = async ({ witnesses }: Operator) => {
      const signed = [];
      for (const { id } of witnesses.toSorted((a, b) => a.id < b.id ? -1 : 1)) {
        const signer = await readWitnessSigner(
          this.#path(join(nameOf(id), "witness.key")),
          { name: id },
          KEY_READING,
        );
        signed.push({ witness_id: id, signature: hexOf(await signer.sign(message)) });
      }
      return signed;
    };
    const byLog = async ({ log_key_file, log_vkey }: Operator) => {
      const file = this.#path(log_key_file);
      const signer = await readLogSigner(file, parseVkey(log_vkey), KEY_READING);
      return hexOf(await signer.sign(message));
    };
    return {
      ...terms,
      signatures: {
        predecessor: await each(old),
        successor: next === null ? [] : await each(next),
        log: await byLog(old),
        ...(next !== null && next.log_vkey !== old.log_vkey && {
          successor_log: await byLog(next),
        }),
      },
    };
  }

  /** Gives the document to all witnesses, and then to the gateway. */
  async install(succession: Succession): Promise<void> {
    const ids = [succession.predecessor, succession.successor]
      .flatMap((core) => core?.witnesses.map(({ id }) => id) ?? []);
    for (const id of new Set(ids)) {
      await this.#write(join(nameOf(id), "succession.json"), succession);
    }
    await this.#write("succession.json", succession);
  }

  /** What the operator does once the epoch has begun. */
  async settle(): Promise<void> {
    await Deno.rename(this.#path("successor.json"), this.#path("network.json"));
    await Deno.remove(this.#path("succession.json"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.killGateway();
    for (const id of [...this.#witnesses.keys()]) await this.killWitness(id);
    await Deno.remove(this.folder, { recursive: true });
  }

  /** Its key, state and configuration. */
  async #newWitness(name: string, { id: network_id, log_vkey: vkey }: Operator) {
    const id = `${network_id}/${name}`;
    const { configured, secretLine } = newWitnessKey(id, this.scheme, bls);
    const port = freePorts(1);
    await Deno.mkdir(this.#path(name));
    await this.#writeSecret(join(name, "witness.key"), secretLine);
    await createWitnessState(this.#path(join(name, "state.kv")), new Map());
    await this.#write(join(name, "witness.json"), {
      id,
      network_id,
      token: TOKEN,
      host: "127.0.0.1",
      port,
      key_file: "witness.key",
      state_file: "state.kv",
      logs: [{ origin: network_id, vkey }],
      succession: "succession.json",
    });
    return { ...configured, url: `http://127.0.0.1:${port}`, token: TOKEN };
  }

  /** Makes the ML-DSA-44 key of a witness; returns its verifier key. */
  async #addMlDsa(name: string): Promise<string> {
    const file = join(name, "witness.json");
    const node = JSON.parse(await Deno.readTextFile(this.#path(file)));
    const { key, secretLine } = newMlDsaKey(node.id);
    await this.#writeSecret(join(name, "ml-dsa.key"), secretLine);
    await this.#write(file, { ...node, ml_dsa_key_file: "ml-dsa.key" });
    return encodeVkey(key);
  }

  async #write(file: string, value: unknown): Promise<void> {
    await this.#writeSecret(file, JSON.stringify(value));
  }

  async #writeSecret(file: string, text: string): Promise<void> {
    // Renamed into place: a reader sees a whole file.
    const path = this.#path(file);
    await Deno.writeTextFile(`${path}.new`, text, { mode: 0o600 });
    await Deno.rename(`${path}.new`, path);
  }

  #path(file: string): string {
    return join(this.folder, "net", file);
  }
}

/** Its folder. */
function nameOf(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}
