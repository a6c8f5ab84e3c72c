/**
 * What a new network consists of, before anything is written: names, keys, tokens and the public
 * configuration.
 *
 * @module
 */

import { join } from "node:path";
import { hexOf } from "../bytes.ts";
import { checkQuorum, DEFAULT_MERGE_DELAY_SECONDS } from "../config/operator_network.ts";
import type { Bls } from "../crypto/bls.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";
import { randomToken } from "../crypto/secrets.ts";
import { CountersignError } from "../errors.ts";
import { isNetworkId } from "../format/names.ts";
import { checkNetwork, type NetworkConfiguration } from "../format/network.ts";
import { encodeVkey } from "../format/note_key.ts";
import type { SignatureScheme } from "../format/signature_set.ts";
import { type NewKey, newLogKey, type NewWitnessKey, newWitnessKey } from "./new_keys.ts";

/** What a new network is to be. */
export interface NetworkPlan {
  /** From 1 to {@linkcode MAX_WITNESSES}. */
  readonly witnesses: number;
  /** More than half of `witnesses`. */
  readonly threshold: number;
  /** Of the witnesses; the log's own key is Ed25519 in both. */
  readonly scheme: SignatureScheme;
  /** Used as it is; one that no other trial shares is generated when absent. */
  readonly id?: string;
  /** Whether witnesses run in the gateway's process or as nodes of their own. */
  readonly kind: "embedded" | "remote";
  /** Port of the first remote witness on 127.0.0.1; the next ones follow. */
  readonly basePort: number;
  /** URLs of relays whose drand beacons rounds are to have; none when absent. */
  readonly beaconRelays?: readonly string[];
  /** Absolute path of the folder to make. It may exist when it is empty. */
  readonly out: string;
}

/** Ports and signature lines are plenty for trials; a larger network is configured by hand. */
export const MAX_WITNESSES = 64;

/** One witness of the plan. */
export interface PlannedWitness extends NewWitnessKey {
  /** Folder of its files, relative to the network's. */
  readonly folder: string;
  readonly port: number;
  readonly token: string;
}

/** Everything of a new network. */
export interface DraftedNetwork {
  readonly network: NetworkConfiguration;
  readonly log: NewKey;
  readonly witnesses: readonly PlannedWitness[];
}

/** Draws the keys and tokens of `plan`. `invalid_configuration`. */
export function draftNetwork(plan: NetworkPlan, bls: Bls): DraftedNetwork {
  checkPlan(plan);
  const log = planLogKey(plan.id);
  const witnesses = Array.from(
    { length: plan.witnesses },
    (_, i) => planWitness(plan, bls, log.key.name, i),
  );
  const network = networkOf(plan, log, witnesses);
  checkNetwork(network, bls);
  return { network, log, witnesses };
}

function checkPlan(plan: NetworkPlan): void {
  const { witnesses, threshold, id, basePort, kind } = plan;
  if (!Number.isSafeInteger(witnesses) || witnesses < 1 || witnesses > MAX_WITNESSES) {
    throw invalid(`1 to ${MAX_WITNESSES} witnesses`, String(witnesses));
  }
  checkQuorum(threshold, witnesses);
  if (id !== undefined && !isNetworkId(id)) {
    throw invalid(
      "an id of 1 to 48 characters of A-Z a-z 0-9 . _ ~ / -, the first alphanumeric, not beginning" +
        " with cosignature/, countersign/ or subtree/,",
      JSON.stringify(id),
    );
  }
  if (kind === "remote" && (basePort < 1 || basePort + witnesses - 1 > 65_535)) {
    throw invalid("ports from 1 to 65535", `${witnesses} from ${basePort} on`);
  }
}

/** A generated id ends in 8 hex digits of the log key's hash, so that no two trials share a name. */
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

function networkOf(
  plan: NetworkPlan,
  log: NewKey,
  witnesses: readonly PlannedWitness[],
): NetworkConfiguration {
  return {
    id: log.key.name,
    threshold: plan.threshold,
    signature_scheme: plan.scheme,
    witnesses: witnesses.map(({ configured }) => configured),
    log_vkey: encodeVkey(log.key),
    merge_delay_seconds: DEFAULT_MERGE_DELAY_SECONDS,
    federation: { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
  };
}

function invalid(required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot create network: ${required} required, found ${found}`,
  );
}
