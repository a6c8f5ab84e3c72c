/**
 * Creates a network: keys, tokens, witness states and configurations, in one folder.
 *
 *     network.json  network.public.json  log.key
 *     witness-1/witness.json  witness-1/witness.key  witness-1/state.kv  ...      remote
 *     witnesses/w1/witness.key  witnesses/w1/state.kv  ...                        embedded
 *
 * @module
 */

import { basename, dirname, join } from "node:path";
import { hexOf } from "../bytes.ts";
import { checkBeaconRelays, DEFAULT_BEACON_AGE_SECONDS } from "../config/beacon_relays.ts";
import { publicNetworkJson } from "../format/public_network.ts";
import { checkQuorum, DEFAULT_MERGE_DELAY_SECONDS } from "../config/operator_network.ts";
import type { Bls } from "../crypto/bls.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";
import { randomToken } from "../crypto/secrets.ts";
import { CountersignError } from "../errors.ts";
import { isNetworkId } from "../format/names.ts";
import { checkNetwork, type NetworkConfiguration } from "../format/network.ts";
import { encodeVkey } from "../format/note_key.ts";
import type { SignatureScheme } from "../format/signature_set.ts";
import { plainReason, reasonOf } from "../storage/store_fault.ts";
import { createWitnessState } from "../storage/witness/witness_state.ts";
import { makeFolder, writeNewFile } from "./files.ts";
import { type NewKey, newLogKey, type NewWitnessKey, newWitnessKey } from "./new_keys.ts";

/** The listener for event WebSockets in a new configuration. */
const EVENT_SOCKETS = { host: "127.0.0.1", port: 8082 } as const;

interface NetworkPlan {
  /** From 1 to 64. */
  readonly witnesses: number;
  /** More than half of `witnesses`. */
  readonly threshold: number;
  /** Scheme of the witnesses; the log key is always Ed25519. */
  readonly scheme: SignatureScheme;
  /** Generated when absent, unique to this network. */
  readonly id?: string;
  /** Embedded witnesses run in the gateway's process, remote ones as separate nodes. */
  readonly kind: "embedded" | "remote";
  /** Port of the first remote witness on 127.0.0.1; the others have the next ports. */
  readonly basePort: number;
  /** URLs of drand relays; rounds have no beacons when absent. */
  readonly beaconRelays?: readonly string[];
  /** Absolute path of the folder to create. It may exist if it is empty. */
  readonly out: string;
}

/** A larger network is configured by hand. */
const MAX_WITNESSES = 64;

interface PlannedWitness extends NewWitnessKey {
  /** Folder of its files, relative to the network's folder. */
  readonly folder: string;
  readonly port: number;
  readonly token: string;
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
 * Creates the network of `plan` in the new or empty folder `plan.out`, all or nothing: it writes a
 * temporary folder and renames it. `invalid_configuration`, `file_failed`.
 */
export async function createNetwork(plan: NetworkPlan, bls: Bls): Promise<CreatedNetwork> {
  await requireEmpty(plan.out);
  if (plan.beaconRelays !== undefined) checkBeaconRelays(plan.beaconRelays, { insecure: false });
  const drafted = draftNetwork(plan, bls);
  const draft = join(dirname(plan.out), `.${basename(plan.out)}.${randomToken().slice(0, 8)}.new`);
  await makeFolder(draft);
  try {
    await writeNetwork(draft, plan, drafted);
    await Deno.rename(draft, plan.out);
  } catch (cause) {
    await Deno.remove(draft, { recursive: true }).catch(() => {});
    if (cause instanceof CountersignError) throw cause;
    throw new CountersignError(
      "file_failed",
      `Cannot create network in "${plan.out}": ${plainReason(reasonOf(cause))}`,
      { cause },
    );
  }
  return {
    network: drafted.network,
    networkFile: join(plan.out, "network.json"),
    publicFile: join(plan.out, "network.public.json"),
    witnessFiles: plan.kind === "embedded"
      ? []
      : drafted.witnesses.map(({ folder }) => join(plan.out, folder, "witness.json")),
  };
}

async function requireEmpty(out: string): Promise<void> {
  const entries = [];
  try {
    for await (const { name } of Deno.readDir(out)) entries.push(name);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return;
    throw new CountersignError(
      "file_failed",
      `Cannot create network in "${out}": it is not a folder`,
      { cause },
    );
  }
  if (entries.length > 0) {
    throw new CountersignError(
      "file_failed",
      `Cannot create network in "${out}": it is not empty, it has ${entries.toSorted()[0]}`,
    );
  }
}

async function writeNetwork(
  folder: string,
  plan: NetworkPlan,
  { network, log, witnesses }: ReturnType<typeof draftNetwork>,
): Promise<void> {
  const publicText = publicNetworkJson(network);
  await writeNewFile(join(folder, "network.public.json"), publicText, 0o644);
  await writeNewFile(join(folder, "log.key"), log.secretLine, 0o600);
  const publicPart = JSON.parse(publicText);
  const operator = {
    ...publicPart,
    witnesses: witnesses.map((witness, i) => ({
      ...publicPart.witnesses[i],
      ...(plan.kind === "remote"
        ? { url: `http://127.0.0.1:${witness.port}`, token: witness.token }
        : {
          key_file: join(witness.folder, "witness.key"),
          state_file: join(witness.folder, "state.kv"),
        }),
    })),
    log_key_file: "log.key",
    // A trial network has no limits and accepts WebSockets on its only port.
    ...(plan.kind === "remote" && { event_sockets: EVENT_SOCKETS }),
    ...(plan.beaconRelays !== undefined && { beacon: { relays: plan.beaconRelays } }),
  };
  await writeNewFile(join(folder, "network.json"), jsonText(operator), 0o600);
  if (plan.kind === "embedded") await makeFolder(join(folder, "witnesses"));
  for (const witness of witnesses) {
    await writeWitness(join(folder, witness.folder), plan, network, witness);
  }
}

async function writeWitness(
  folder: string,
  plan: NetworkPlan,
  network: NetworkConfiguration,
  witness: PlannedWitness,
): Promise<void> {
  await makeFolder(folder);
  await writeNewFile(join(folder, "witness.key"), witness.secretLine, 0o600);
  await createWitnessState(join(folder, "state.kv"), new Map());
  if (plan.kind === "embedded") return;
  await writeNewFile(
    join(folder, "witness.json"),
    jsonText({
      id: witness.key.name,
      network_id: network.id,
      key_file: "witness.key",
      state_file: "state.kv",
      token: witness.token,
      host: "127.0.0.1",
      port: witness.port,
      logs: [{ origin: network.id, vkey: network.log_vkey }],
      ...(plan.beaconRelays !== undefined &&
        { beacon: { max_age_seconds: DEFAULT_BEACON_AGE_SECONDS } }),
    }),
    0o600,
  );
}

function jsonText(value: Record<string, unknown>): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Generates the keys and tokens of `plan`. `invalid_configuration`. */
function draftNetwork(plan: NetworkPlan, bls: Bls) {
  checkPlan(plan);
  const log = planLogKey(plan.id);
  const witnesses = Array.from(
    { length: plan.witnesses },
    (_, i) => planWitness(plan, bls, log.key.name, i),
  );
  const network: NetworkConfiguration = {
    id: log.key.name,
    threshold: plan.threshold,
    signature_scheme: plan.scheme,
    witnesses: witnesses.map(({ configured }) => configured),
    log_vkey: encodeVkey(log.key),
    merge_delay_seconds: DEFAULT_MERGE_DELAY_SECONDS,
    federation: { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
  };
  checkNetwork(network, bls);
  return { network, log, witnesses };
}

function checkPlan(plan: NetworkPlan): void {
  const { witnesses, threshold, id, basePort, kind } = plan;
  if (!Number.isSafeInteger(witnesses) || witnesses < 1 || witnesses > MAX_WITNESSES) {
    throw invalid(`${witnesses} witnesses are not 1 to ${MAX_WITNESSES}`);
  }
  checkQuorum(threshold, witnesses);
  if (id !== undefined && !isNetworkId(id)) {
    throw invalid(
      `id ${
        JSON.stringify(id)
      } must be 1 to 48 characters of A-Z a-z 0-9 . _ ~ / -, beginning with ` +
        "a letter or digit, but not with cosignature/, countersign/ or subtree/",
    );
  }
  if (kind === "remote" && (basePort < 1 || basePort + witnesses - 1 > 65_535)) {
    throw invalid(`${witnesses} ports from ${basePort} are not within 1 to 65535`);
  }
}

/** A generated id ends in 8 hex digits of the hash of the log key, which makes it unique. */
function planLogKey(id: string | undefined): NewKey {
  if (id !== undefined) return newLogKey(() => id);
  return newLogKey((publicKey) =>
    `countersign.local/${hexOf(portableKernels.sha256(publicKey)).slice(0, 8)}`
  );
}

function planWitness(
  plan: NetworkPlan,
  bls: Bls,
  networkId: string,
  index: number,
): PlannedWitness {
  const number = index + 1;
  return {
    ...newWitnessKey(`${networkId}/w${number}`, plan.scheme, bls),
    folder: plan.kind === "remote" ? `witness-${number}` : join("witnesses", `w${number}`),
    port: plan.basePort + index,
    token: randomToken(),
  };
}

function invalid(problem: string): CountersignError {
  return new CountersignError("invalid_configuration", `Cannot create network: ${problem}`);
}
