/**
 * A log in this process, with embedded witnesses, that goes through successions one after another. Its
 * operator works with the program's own commands.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fingerprintOf } from "../../src/proof/format/trust_core.ts";
import { newLogKey, newWitnessKey } from "../../src/server/gateway/new_keys.ts";
import { encodeVkey } from "../../src/proof/format/note_key.ts";
import { createWitnessState } from "../../src/storage/witness/witness_state.ts";
import { Client } from "../cli/client_run.ts";
import { until } from "../gateway/fixture.ts";
import { bls } from "../schemes.ts";
import { jsonOf, ServedNetwork } from "../server/served_network.ts";

/** The next configuration; without one, the log ends. */
export interface NextEpoch {
  readonly witnesses: readonly string[];
  readonly threshold: number;
  readonly rotatesLogKey?: boolean;
}

/** An entry of `network.json` that this site makes. */
interface WitnessEntry {
  readonly id: string;
  readonly key_file: string;
}

const ID = "epochs.example/log";
const FIRST = ["1", "2", "3"];

export class EpochsSite {
  readonly network: ServedNetwork;
  readonly #operator: Client;
  /** All that it had in any epoch, by name. */
  readonly #entries = new Map<string, WitnessEntry>();
  #logKey = "log.key";
  epoch = 0;

  private constructor(network: ServedNetwork) {
    this.network = network;
    this.#operator = new Client(network.folder);
  }

  /** Three witnesses, two of which have to sign, and a copy that the gateway publishes in `copy`. */
  static async create(root: string, copy: string): Promise<EpochsSite> {
    const site = new EpochsSite(await ServedNetwork.create(root, ID));
    await site.network.configure({ publish: { directory: copy } });
    const { witnesses } = await site.#read("network.json");
    for (const [i, name] of FIRST.entries()) site.#entries.set(name, witnesses[i]);
    return site;
  }

  /** Goes through a succession as docs/operating.md says; `nextLog` continues a log that ends. */
  async succeed(url: string, next: NextEpoch | null, nextLog?: string): Promise<void> {
    const size = (await jsonOf(url, "/v1/log/sth")).tree_head.tree_size;
    const present = await this.#read("network.json");
    const keys = [this.#logKey, ...present.witnesses.map((one: WitnessEntry) => one.key_file)];
    if (next !== null) {
      const successor = await this.#successor(present, next);
      await this.#write("successor.json", successor);
      keys.push(successor.log_key_file);
      keys.push(...successor.witnesses.map((one: WitnessEntry) => one.key_file));
    }
    const to = next !== null ? ["--to", "successor.json"] : ["--freeze", "--next-log", nextLog!];
    await this.#run(
      "propose",
      "--from",
      "network.json",
      ...to,
      "--size",
      `${size}`,
      "--out",
      "next",
    );
    for (const key of new Set(keys)) await this.#run("sign", "next", "--key", key, "--yes");
    await this.#run("finish", "next", "--out", "succession.json");
    await Deno.remove(join(this.network.folder, "next"));
    if (next === null) {
      await until(async () => (await jsonOf(url, "/v1/status")).succession?.frozen === true);
      return;
    }
    await until(async () => (await jsonOf(url, "/v1/network")).epoch === this.epoch + 1);
    this.epoch++;
    this.#logKey = (await this.#read("successor.json")).log_key_file;
    await Deno.rename(this.#path("successor.json"), this.#path("network.json"));
    await Deno.remove(this.#path("succession.json"));
  }

  /** The fingerprint of the configuration in `file`. */
  async fingerprint(file: string): Promise<string> {
    return fingerprintOf(await this.#read(file));
  }

  async #successor(
    // deno-lint-ignore no-explicit-any
    present: any,
    { witnesses, threshold, rotatesLogKey = false }: NextEpoch,
  ) {
    let log = { log_vkey: present.log_vkey, log_key_file: this.#logKey };
    if (rotatesLogKey) {
      const { key, secretLine } = newLogKey(() => ID);
      log = { log_vkey: encodeVkey(key), log_key_file: `log-${this.epoch + 1}.key` };
      await this.network.write(log.log_key_file, secretLine);
    }
    for (const name of witnesses) {
      if (!this.#entries.has(name)) this.#entries.set(name, await this.#newWitness(name));
    }
    return {
      ...present,
      ...log,
      epoch: this.epoch + 1,
      threshold,
      witnesses: witnesses.map((name) => this.#entries.get(name)!),
    };
  }

  async #newWitness(name: string): Promise<WitnessEntry> {
    const { configured, secretLine } = newWitnessKey(`${ID}/witness-${name}`, "ed25519", bls);
    const files = { key_file: `witness-${name}.key`, state_file: `witness-${name}.kv` };
    await this.network.write(files.key_file, secretLine);
    await createWitnessState(this.#path(files.state_file), new Map());
    return { ...configured, ...files };
  }

  async #run(...args: readonly string[]): Promise<void> {
    const { code, stdout, stderr } = await this.#operator.run(["succession", ...args]);
    assert.equal(code, 0, stdout + stderr);
  }

  // deno-lint-ignore no-explicit-any
  async #read(file: string): Promise<any> {
    return JSON.parse(await Deno.readTextFile(this.#path(file)));
  }

  async #write(file: string, value: unknown): Promise<void> {
    await this.network.write(file, JSON.stringify(value));
  }

  #path(file: string): string {
    return join(this.network.folder, file);
  }
}
