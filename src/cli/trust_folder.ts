/**
 * The stored trust of a client: pinned network configurations, and the last verified tree head of each
 * network.
 *
 *     networks/<name>.json              a public configuration, as `GET /v1/network` has it
 *     gateways/<32 hex>.json            the network of a gateway (`gateway_record.ts`)
 *     heads/<name>.json                 a signed tree head
 *     heads/<name>.<16 hex>.fork.json   evidence that a log contradicts itself
 *
 * `<name>` is `fileNameOf` the network id. All files are 0600 and replaced by rename.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { publicNetworkJson } from "../format/public_network.ts";
import type { Bls } from "../crypto/bls.ts";
import { portableBls } from "../crypto/portable_bls.ts";
import { namingFile } from "../config/validation.ts";
import { CountersignError } from "../errors.ts";
import { parseSignedTreeHead } from "../format/bundle.ts";
import { type NetworkConfiguration, parseNetwork } from "../format/network.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import {
  encodeGatewayRecord,
  gatewayFileName,
  type GatewayRecord,
  parseGatewayRecord,
} from "./gateway_record.ts";
import { fileNameOf, listFolder, makeFolder, replaceFile, textIfExists } from "../server/files.ts";

const FILE_MODE = 0o600;
const SUFFIX = ".json";

export class TrustFolder {
  readonly #path: string;
  readonly #bls: Bls;

  /** `path` is absolute and need not exist. */
  constructor(path: string, bls: Bls = portableBls) {
    this.#path = path;
    this.#bls = bls;
  }

  /** Every pinned network, ascending by file name. A damaged pin is an error, never skipped. */
  async pins(): Promise<readonly NetworkConfiguration[]> {
    const folder = join(this.#path, "networks");
    const names = (await listFolder(folder)).filter((name) => name.endsWith(SUFFIX)).toSorted();
    return await Promise.all(names.map((name) => this.#readPin(join(folder, name))));
  }

  async pin(id: string): Promise<NetworkConfiguration | undefined> {
    const path = this.#pinPath(id);
    return await textIfExists(path) === undefined ? undefined : await this.#readPin(path);
  }

  /** Stores or replaces the pin of `network.id`. Returns its path. */
  async savePin(network: NetworkConfiguration): Promise<string> {
    return await this.#save(this.#pinPath(network.id), publicNetworkJson(network));
  }

  /** Id of the network that the gateway at URL `gateway` is remembered for. */
  async networkOf(gateway: string): Promise<string | undefined> {
    const path = this.#gatewayPath(gateway);
    const text = await textIfExists(path);
    if (text === undefined) return undefined;
    return namingFile(path, () => {
      const record = parseGatewayRecord(text);
      if (record.gateway === gateway) return record.networkId;
      throw new CountersignError(
        "malformed_configuration",
        `Cannot read gateway record: it is not about ${gateway}`,
      );
    });
  }

  /** The URLs of the gateways that are remembered for network `id`, ascending. */
  async gatewaysOf(id: string): Promise<readonly string[]> {
    const records = await this.#gatewayRecords();
    return records.filter(({ networkId }) => networkId === id).map(({ gateway }) => gateway)
      .toSorted();
  }

  /**
   * Removes the pin of network `id` with its gateways and its remembered head; evidence stays. Returns
   * false if it is not pinned.
   */
  async unpin(id: string): Promise<boolean> {
    const path = this.#pinPath(id);
    if (await textIfExists(path) === undefined) return false;
    for (const gateway of await this.gatewaysOf(id)) await rm(this.#gatewayPath(gateway));
    await this.forgetHead(id);
    await rm(path);
    return true;
  }

  async #gatewayRecords(): Promise<readonly GatewayRecord[]> {
    const folder = join(this.#path, "gateways");
    const names = (await listFolder(folder)).filter((name) => name.endsWith(SUFFIX));
    return await Promise.all(names.map(async (name) => {
      const path = join(folder, name);
      const text = await textIfExists(path) ?? "";
      return namingFile(path, () => parseGatewayRecord(text));
    }));
  }

  /** Stores or replaces the network of a gateway. */
  async saveGateway(gateway: string, networkId: string): Promise<void> {
    await this.#save(this.#gatewayPath(gateway), encodeGatewayRecord({ gateway, networkId }));
  }

  /** The last tree head remembered of a network. It was verified when it was saved. */
  async head(id: string): Promise<SignedTreeHead | undefined> {
    const path = this.#headPath(id);
    const text = await textIfExists(path);
    if (text === undefined) return undefined;
    return namingFile(path, () => parseSignedTreeHead(text));
  }

  async saveHead(sth: SignedTreeHead): Promise<void> {
    await this.#save(this.#headPath(sth.tree_head.network_id), `${JSON.stringify(sth)}\n`);
  }

  async forgetHead(id: string): Promise<void> {
    await rm(this.#headPath(id), { force: true });
  }

  /** Stores `evidence` about a network, once for each content. Returns its path. */
  async saveEvidence(id: string, evidence: unknown): Promise<string> {
    const text = `${JSON.stringify(evidence, undefined, 2)}\n`;
    const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
    return await this.#save(
      join(this.#path, "heads", `${fileNameOf(id)}.${digest}.fork${SUFFIX}`),
      text,
    );
  }

  async #readPin(path: string): Promise<NetworkConfiguration> {
    const text = await textIfExists(path) ?? "";
    return namingFile(path, () => parseNetwork(text, this.#bls));
  }

  #pinPath(id: string): string {
    return join(this.#path, "networks", fileNameOf(id) + SUFFIX);
  }

  #gatewayPath(gateway: string): string {
    return join(this.#path, "gateways", gatewayFileName(gateway) + SUFFIX);
  }

  #headPath(id: string): string {
    return join(this.#path, "heads", fileNameOf(id) + SUFFIX);
  }

  async #save(path: string, text: string): Promise<string> {
    await makeFolder(dirname(path));
    await replaceFile(path, text, FILE_MODE);
    return path;
  }
}
