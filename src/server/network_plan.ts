/**
 * The contents of a new network: names, keys, tokens and the public configuration.
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

export interface NetworkPlan {
  /** From 1 to {@linkcode MAX_WITNESSES}. */
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
export const MAX_WITNESSES = 64;

export interface PlannedWitness extends NewWitnessKey {
  /** Folder of its files, relative to the network's folder. */
  readonly folder: string;
  readonly port: number;
  readonly token: string;
}

export interface DraftedNetwork {
  readonly network: NetworkConfiguration;
  readonly log: NewKey;
  readonly witnesses: readonly PlannedWitness[];
}

/** Generates the keys and tokens of `plan`. `invalid_configuration`. */
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

function invalid(problem: string): CountersignError {
  return new CountersignError("invalid_configuration", `Cannot create network: ${problem}`);
}
