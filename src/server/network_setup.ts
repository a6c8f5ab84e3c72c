/**
 * Makes a whole new network: keys, tokens, witness states and configurations, in one folder.
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
import { createWitnessState } from "../storage/witness_state.ts";
import {
  type DraftedNetwork,
  draftNetwork,
  type NetworkPlan,
  type PlannedWitness,
} from "./network_plan.ts";
import { makeFolder, writeNewFile } from "./files.ts";

/** Where the gateway of a new network accepts WebSockets: beside its ports 8080 and 8081. */
const EVENT_SOCKETS = { host: "127.0.0.1", port: 8082 } as const;

/** Where the files of a new network are: absolute paths. */
export interface CreatedNetwork {
  readonly network: NetworkConfiguration;
  readonly networkFile: string;
  readonly publicFile: string;
  /** `witness.json` of each remote witness. */
  readonly witnessFiles: readonly string[];
}

/**
 * Makes the network of `plan` in the folder `plan.out`, which holds either all of it or nothing,
 * whatever ends the process: everything is written beside and moved there at the end. Nothing is
 * overwritten. `invalid_configuration`, `file_failed`.
 */
export async function createNetwork(plan: NetworkPlan, bls: Bls): Promise<CreatedNetwork> {
  await requireNoneThere(plan.out);
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
      `Cannot create network in "${plan.out}": a folder that can be made required, ` +
        `found ${plainReason(reasonOf(cause))}`,
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

/** By the rules of the file that they are to stand in. */
function checkRelays({ beaconRelays }: NetworkPlan): void {
  if (beaconRelays !== undefined) checkBeaconRelays(beaconRelays, { insecure: false });
}

async function requireNoneThere(out: string): Promise<void> {
  const entries = [];
  try {
    for await (const { name } of Deno.readDir(out)) entries.push(name);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return;
    throw new CountersignError(
      "file_failed",
      `Cannot create network in "${out}": a folder required, found otherwise`,
      { cause },
    );
  }
  if (entries.length > 0) {
    throw new CountersignError(
      "file_failed",
      `Cannot create network in "${out}": a new or empty folder required, found ${
        entries.toSorted()[0]
      } in it`,
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
    // A trial accepts WebSockets on its one port: nothing is limited there.
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
