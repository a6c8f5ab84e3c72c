/**
 * The stored trust of a client: pinned network configurations, and the last verified tree head of each
 * network.
 *
 *     networks/<name>.json              a public configuration, as `GET /v1/network` has it
 *     chains/<name>.json                its succession, as `GET /v1/succession` has it
 *     gateways/<32 hex>.json            the network of a gateway (`gateway_record.ts`)
 *     heads/<name>.json                 a signed tree head
 *     heads/<name>.<16 hex>.fork.json   evidence that a log contradicts itself
 *
 * `<name>` is `fileNameOf` the network id. All files are 0600 and replaced by rename.
 *
 * @module
 */

import { reasonClause } from "../proof/verify/reasons.ts";
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { publicNetworkJson } from "../proof/format/public_network.ts";
import type { Bls } from "../proof/crypto/bls.ts";
import { portableBls } from "../proof/crypto/portable_bls.ts";
import { verifyNative } from "../proof/crypto/ed25519_native.ts";
import { portableKernels } from "../proof/crypto/portable_kernels.ts";
import { CountersignError, expectedError, hasCode } from "../base/errors.ts";
import { parseSignedTreeHead } from "../proof/format/bundle.ts";
import { parseNetwork } from "../proof/format/network_reader.ts";
import { parseSuccessionChain } from "../proof/format/succession.ts";
import type { SignedTreeHead } from "../proof/format/tree_head.ts";
import { type FollowedNetwork, followSuccession } from "../proof/verify/followed_network.ts";
import {
  encodeGatewayRecord,
  gatewayFileName,
  type GatewayRecord,
  parseGatewayRecord,
} from "./gateway_record.ts";
import { fileNameOf, listFolder, makeFolder } from "../server/files.ts";
import { replaceFile, textIfExists } from "../server/replaced_file.ts";

const FILE_MODE = 0o600;
const CHAIN_ADVICE =
  "delete the file; countersign network --pin, with a gateway of the network, fetches it again";
const SUFFIX = ".json";

/** Whether `error` says that something could not be remembered. Verification does not need that. */
export function isNotKept(error: unknown): error is CountersignError {
  return hasCode(error, "file_failed") || hasCode(error, "configuration_missing");
}

export class TrustFolder {
  readonly #path: string;
  readonly #bls: Bls;

  /** `path` is absolute and need not exist. */
  constructor(path: string, bls: Bls = portableBls) {
    this.#path = path;
    this.#bls = bls;
  }

  /** Every pinned network, ascending by file name. A damaged pin is an error, never skipped. */
  async pins(): Promise<readonly FollowedNetwork[]> {
    const folder = join(this.#path, "networks");
    const names = (await listFolder(folder)).filter((name) => name.endsWith(SUFFIX)).toSorted();
    return await Promise.all(names.map((name) => this.#readPin(join(folder, name))));
  }

  /** The pinned configuration, with the epochs that the kept chain leads to. */
  async pin(id: string): Promise<FollowedNetwork | undefined> {
    const path = this.#pinPath(id);
    return await textIfExists(path) === undefined ? undefined : await this.#readPin(path);
  }

  /** Stores or replaces the pin of `network.id` and its chain. Returns the path of the pin. */
  async savePin(network: FollowedNetwork): Promise<string> {
    // First, so that no pin is ever beside another one's chain.
    await rm(this.#chainPath(network.id), { force: true });
    const path = await this.#save(this.#pinPath(network.id), publicNetworkJson(network));
    await this.saveChain(network);
    return path;
  }

  /** Keeps the chain that was followed from the pin of `network`, unless a longer one is kept. */
  async saveChain({ id, links }: FollowedNetwork): Promise<void> {
    if (links === undefined) return;
    const path = this.#chainPath(id);
    const kept = await textIfExists(path);
    if (kept !== undefined && parseSuccessionChain(kept).length > links.length) return;
    await this.#save(path, `${JSON.stringify(links)}\n`);
  }

  /** Id of the network that the gateway at URL `gateway` is remembered for. */
  async networkOf(gateway: string): Promise<string | undefined> {
    const path = this.#gatewayPath(gateway);
    const text = await textIfExists(path);
    if (text === undefined) return undefined;
    return readGatewayRecord(path, () => {
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
    await rm(this.#chainPath(id), { force: true });
    await rm(path);
    return true;
  }

  async #gatewayRecords(): Promise<readonly GatewayRecord[]> {
    const folder = join(this.#path, "gateways");
    const names = (await listFolder(folder)).filter((name) => name.endsWith(SUFFIX));
    return await Promise.all(names.map(async (name) => {
      const path = join(folder, name);
      const text = await textIfExists(path) ?? "";
      return readGatewayRecord(path, () => parseGatewayRecord(text));
    }));
  }

  /** Stores or replaces the network of a gateway. */
  async saveGateway(gateway: string, networkId: string): Promise<void> {
    await this.#save(this.#gatewayPath(gateway), encodeGatewayRecord({ gateway, networkId }));
  }

  /** The last tree head remembered of a network. It was verified when it was saved. `file_failed` if it is damaged. */
  async head(id: string): Promise<SignedTreeHead | undefined> {
    const path = this.#headPath(id);
    const text = await textIfExists(path);
    if (text === undefined) return undefined;
    try {
      return parseSignedTreeHead(text);
    } catch (error) {
      const cause = expectedError(error);
      throw new CountersignError(
        "file_failed",
        `The remembered tree head of ${id} is damaged (${cause.message}), so a fork of the log since ` +
          `then is not noticed. To remember the next one, delete "${path}"`,
        { cause },
      );
    }
  }

  async saveHead(sth: SignedTreeHead): Promise<void> {
    await this.#save(this.#headPath(sth.tree_head.network_id), `${JSON.stringify(sth)}\n`);
  }

  async forgetHead(id: string): Promise<void> {
    await rm(this.#headPath(id), { force: true });
  }

  /** Stores `evidence` about a network, once for each content, whenever it was found. Returns its path. */
  async saveEvidence(id: string, evidence: object): Promise<string> {
    const text = `${JSON.stringify(evidence, undefined, 2)}\n`;
    const content = JSON.stringify({ ...evidence, found_at: undefined });
    const digest = createHash("sha256").update(content).digest("hex").slice(0, 16);
    return await this.#save(
      join(this.#path, "heads", `${fileNameOf(id)}.${digest}.fork${SUFFIX}`),
      text,
    );
  }

  async #readPin(path: string): Promise<FollowedNetwork> {
    const text = await textIfExists(path) ?? "";
    const pinned = readStored(
      path,
      "delete the file, pin the network again, and compare its fingerprint: countersign network --pin",
      () => parseNetwork(text, this.#bls),
    );
    const chainPath = this.#chainPath(pinned.id);
    const chain = await textIfExists(chainPath);
    if (chain === undefined) return pinned;
    const links = readStored(chainPath, CHAIN_ADVICE, () => parseSuccessionChain(chain));
    const crypto = { kernels: portableKernels, ed25519: verifyNative, bls: this.#bls };
    const { network, failure } = await followSuccession(crypto, pinned, links);
    if (failure === undefined) return network;
    const reason = reasonClause(failure.reason);
    throw new CountersignError(
      "malformed_configuration",
      `Cannot use "${chainPath}": it does not lead from the pin (${reason}; ${CHAIN_ADVICE})`,
    );
  }

  #chainPath(id: string): string {
    return join(this.#path, "chains", fileNameOf(id) + SUFFIX);
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

function readGatewayRecord<T>(path: string, parse: () => T): T {
  const advice = "delete the file; countersign network --pin remembers the gateway again";
  return readStored(path, advice, parse);
}

/** What `parse` reads from the stored file at `path`. Its error says what to do if the file is damaged. */
function readStored<T>(path: string, advice: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const cause = expectedError(error);
    // A file of another version is not damaged, and its message says what to do.
    const hint = cause.code === "format_unsupported" ? "" : ` (${advice})`;
    throw new CountersignError(cause.code, `Cannot use "${path}": ${cause.message}${hint}`, {
      cause,
    });
  }
}
