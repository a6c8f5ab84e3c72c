/**
 * Creates a network: keys, tokens, witness states and configurations, in one folder. For a witness whose
 * operator keeps its key, only `witness.json` is written.
 *
 *     network.json  network.public.json  log.key  [log-ml-dsa.key]
 *     witness-1/witness.json  witness-1/witness.key  witness-1/state.kv  ...      remote
 *     witnesses/w1/witness.key  witnesses/w1/state.kv  ...                        embedded
 *     and ml-dsa.key beside each witness.key
 *
 * @module
 */

import { readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { checkBeaconRelays, DEFAULT_BEACON_AGE_SECONDS } from "../../config/beacon_relays.ts";
import { parseOperatorNetwork } from "../../config/operator_network.ts";
import type { Bls } from "../../proof/crypto/bls.ts";
import { randomToken } from "../../proof/crypto/secrets.ts";
import { CountersignError } from "../../base/errors.ts";
import type { NetworkConfiguration, WitnessKey } from "../../proof/format/network.ts";
import { publicNetworkJson } from "../../proof/format/public_network.ts";
import { coreOf } from "../../proof/format/trust_core.ts";
import { plainReason, reasonOf } from "../../storage/store_fault.ts";
import { makeFolder, writeNewFile } from "../files.ts";
import type { NewKey } from "./new_keys.ts";

/**
 * A port for event sockets is drawn from this range, so networks on one machine rarely draw the same. The
 * range is below the ports that operating systems give to outgoing connections.
 */
const EVENT_SOCKETS_PORTS = { first: 16_384, count: 16_384 } as const;

const LOG_ML_DSA_KEY = "log-ml-dsa.key";
/** In the folder of a witness. */
const ML_DSA_KEY = "ml-dsa.key";

/** A network to create. */
export interface NewNetwork {
  /** More than half of the witnesses. */
  readonly threshold: number;
  /** `{key_hash}` in it becomes the log key's SHA-256. When absent, a unique id is generated. */
  readonly id?: string | undefined;
  /** URLs of drand relays; rounds have no beacons when absent. */
  readonly beaconRelays?: readonly string[];
  /** Makes ML-DSA-44 keys too: for the log, and for the witnesses whose keys are made here. */
  readonly mlDsa?: boolean;
  /** Absolute path of the folder to create. It may exist if it is empty. */
  readonly out: string;
}

export interface PlannedWitness {
  readonly configured: WitnessKey;
  /** Text of its key file; absent if its operator has it. */
  readonly secretLine?: string;
  /** Text of the key file of its ML-DSA-44 key, if one is made. */
  readonly mlDsaLine?: string;
  /** Folder of its files, relative to the network's folder. */
  readonly folder: string;
  readonly url: string;
  /** The witness listens on it at 127.0.0.1. */
  readonly port: number;
  readonly token: string;
}

/** A network and all secrets that are made for it. */
export interface Draft {
  readonly network: NetworkConfiguration;
  readonly log: NewKey;
  readonly logMlDsa?: NewKey;
  readonly witnesses: readonly PlannedWitness[];
  /** Embedded witnesses run in the gateway's process, remote ones as separate nodes. */
  readonly kind: "embedded" | "remote";
}

/** Absolute paths of the files of a new network. */
export interface CreatedNetwork {
  readonly network: NetworkConfiguration;
  readonly networkFile: string;
  readonly publicFile: string;
  /** The `witness.json` of each remote witness. */
  readonly witnessFiles: readonly string[];
}

/**
 * Writes what `drafted` returns into the folder `plan.out`, which must be new or empty. Writes a temporary
 * folder first and renames it, so a failure leaves nothing. `invalid_configuration`, `file_failed`.
 */
export async function createFolder(
  plan: NewNetwork,
  drafted: () => Draft,
  rules: { readonly insecure: boolean; readonly bls: Bls },
): Promise<CreatedNetwork> {
  const { out } = plan;
  await requireEmpty(out);
  if (plan.beaconRelays !== undefined) checkBeaconRelays(plan.beaconRelays, { insecure: false });
  const draft = drafted();
  const folder = join(dirname(out), `.${basename(out)}.${randomToken().slice(0, 8)}.new`);
  await makeFolder(folder);
  try {
    await writeNetwork(folder, plan, draft, rules);
    await rename(folder, out);
  } catch (cause) {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
    if (cause instanceof CountersignError) throw cause;
    throw new CountersignError(
      "file_failed",
      `Cannot create network in "${out}": ${plainReason(reasonOf(cause))}`,
      { cause },
    );
  }
  return {
    network: draft.network,
    networkFile: join(out, "network.json"),
    publicFile: join(out, "network.public.json"),
    witnessFiles: draft.kind === "embedded"
      ? []
      : draft.witnesses.map((witness) => join(out, witness.folder, "witness.json")),
  };
}

async function requireEmpty(out: string): Promise<void> {
  const refused = (problem: string) =>
    new CountersignError("file_failed", `Cannot create network in "${out}": ${problem}`);
  const entries = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw refused("it is not a folder");
  });
  if (entries.length > 0) throw refused(`it is not empty, it has ${entries.toSorted()[0]}`);
}

async function writeNetwork(
  folder: string,
  plan: NewNetwork,
  { network, log, logMlDsa, witnesses, kind }: Draft,
  rules: { readonly insecure: boolean; readonly bls: Bls },
): Promise<void> {
  const publicText = publicNetworkJson(network);
  await writeNewFile(join(folder, "network.public.json"), publicText, 0o644);
  await writeNewFile(join(folder, "log.key"), log.secretLine, 0o600);
  if (logMlDsa !== undefined) {
    await writeNewFile(join(folder, LOG_ML_DSA_KEY), logMlDsa.secretLine, 0o600);
  }
  const publicPart = JSON.parse(publicText);
  const operator = jsonText({
    ...publicPart,
    witnesses: witnesses.map((witness, i) => ({
      ...publicPart.witnesses[i],
      ...(kind === "remote" ? { url: witness.url, token: witness.token } : {
        key_file: join(witness.folder, "witness.key"),
        state_file: join(witness.folder, "state.kv"),
        ...(witness.mlDsaLine !== undefined && {
          ml_dsa_key_file: join(witness.folder, ML_DSA_KEY),
        }),
      }),
    })),
    log_key_file: "log.key",
    ...(logMlDsa !== undefined && { log_ml_dsa_key_file: LOG_ML_DSA_KEY }),
    // A trial network has no limits and accepts all WebSockets on its only port.
    ...(kind === "remote" && { event_sockets: { port: drawPort() } }),
    beacon: plan.beaconRelays && { relays: plan.beaconRelays },
  });
  parseOperatorNetwork(operator, join(plan.out, "network.json"), rules);
  await writeNewFile(join(folder, "network.json"), operator, 0o600);
  if (kind === "embedded") await makeFolder(join(folder, "witnesses"));
  for (const witness of witnesses) {
    const path = join(folder, witness.folder);
    await makeFolder(path);
    if (witness.secretLine !== undefined) {
      await writeNewFile(join(path, "witness.key"), witness.secretLine, 0o600);
      if (witness.mlDsaLine !== undefined) {
        await writeNewFile(join(path, ML_DSA_KEY), witness.mlDsaLine, 0o600);
      }
      // Imported only here: `network assemble` makes no states and runs on Node 20, where this import fails.
      const { createWitnessState } = await import("../../storage/witness/witness_state.ts");
      await createWitnessState(join(path, "state.kv"), new Map());
    }
    if (kind === "remote") {
      await writeWitnessNode(join(path, "witness.json"), plan, network, witness);
    }
  }
}

function drawPort(): number {
  const random = crypto.getRandomValues(new Uint16Array(1))[0]!;
  return EVENT_SOCKETS_PORTS.first + random % EVENT_SOCKETS_PORTS.count;
}

async function writeWitnessNode(
  file: string,
  plan: NewNetwork,
  network: NetworkConfiguration,
  { configured, token, port }: PlannedWitness,
): Promise<void> {
  const node = {
    id: configured.id,
    network_id: network.id,
    key_file: "witness.key",
    ...(configured.ml_dsa_vkey !== undefined && { ml_dsa_key_file: ML_DSA_KEY }),
    state_file: "state.kv",
    token,
    host: "127.0.0.1",
    port,
    logs: [{ origin: network.id, vkey: network.log_vkey }],
    network: coreOf(network),
    // The file is missing until a succession is signed. It is named now, because a running witness gets no new permissions.
    succession: "succession.json",
    beacon: plan.beaconRelays && { max_age_seconds: DEFAULT_BEACON_AGE_SECONDS },
  };
  await writeNewFile(file, jsonText(node), 0o600);
}

function jsonText(value: Record<string, unknown>): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
