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
import { checkBeaconRelays, DEFAULT_BEACON_AGE_SECONDS } from "../config/beacon_relays.ts";
import { publicNetworkJson } from "../format/public_network.ts";
import type { Bls } from "../crypto/bls.ts";
import { randomToken } from "../crypto/secrets.ts";
import { CountersignError } from "../errors.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { plainReason, reasonOf } from "../storage/store_fault.ts";
import { createWitnessState } from "../storage/witness/witness_state.ts";
import {
  type DraftedNetwork,
  draftNetwork,
  type NetworkPlan,
  type PlannedWitness,
} from "./network_plan.ts";
import { makeFolder, writeNewFile } from "./files.ts";

/** The listener for event WebSockets in a new configuration. */
const EVENT_SOCKETS = { host: "127.0.0.1", port: 8082 } as const;

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
  checkRelays(plan);
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

function checkRelays({ beaconRelays }: NetworkPlan): void {
  if (beaconRelays !== undefined) checkBeaconRelays(beaconRelays, { insecure: false });
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
  { network, log, witnesses }: DraftedNetwork,
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
