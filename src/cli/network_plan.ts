/**
 * What a new network consists of, before anything is written: names, keys, tokens and the public
 * configuration.
 *
 * @module
 */

import { join } from "node:path";
import { type Bytes, hexOf } from "../bytes.ts";
import { checkQuorum, DEFAULT_MERGE_DELAY_SECONDS } from "../config/operator_network.ts";
import { Ed25519Signer, generateSeed } from "../crypto/ed25519_native.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";
import { randomToken } from "../crypto/secrets.ts";
import { CountersignError } from "../errors.ts";
import { isNetworkId } from "../format/names.ts";
import { checkNetwork, type NetworkConfiguration } from "../format/network.ts";
import { encodeNoteSecret, encodeVkey, NOTE_TYPE, type NoteKey } from "../format/note_key.ts";

/** What a new network is to be. */
export interface NetworkPlan {
  /** From 1 to {@linkcode MAX_WITNESSES}. */
  readonly witnesses: number;
  /** More than half of `witnesses`. */
  readonly threshold: number;
  /** Used as it is; one that no other trial shares is generated when absent. */
  readonly id?: string;
  /** Whether witnesses run in the gateway's process or as nodes of their own. */
  readonly kind: "embedded" | "remote";
  /** Port of the first remote witness on 127.0.0.1; the next ones follow. */
  readonly basePort: number;
  /** Absolute path of the folder to make. It may exist when it is empty. */
  readonly out: string;
}

/** Ports and signature lines are plenty for trials; a larger network is configured by hand. */
export const MAX_WITNESSES = 64;

/** A new key and its file's text. */
export interface NewKey {
  readonly key: NoteKey;
  readonly secretLine: string;
}

/** One witness of the plan. */
export interface PlannedWitness extends NewKey {
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
export function draftNetwork(plan: NetworkPlan): DraftedNetwork {
  checkPlan(plan);
  const log = newLogKey(plan.id);
  const witnesses = Array.from(
    { length: plan.witnesses },
    (_, i) => planWitness(plan, log.key.name, i),
  );
  const network = networkOf(plan, log, witnesses);
  checkNetwork(network);
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

/** The key of `seed`, which is wiped: the file's text is its only form from here on. */
export function newKey(name: string, type: number, seed: Bytes): NewKey {
  const { publicKey } = new Ed25519Signer(seed);
  const secretLine = `${encodeNoteSecret({ name, type, seed }, publicKey)}\n`;
  seed.fill(0);
  return { key: { name, type, publicKey }, secretLine };
}

/** A generated id ends in 8 hex digits of the log key's hash, so that no two trials share a name. */
function newLogKey(id: string | undefined): NewKey {
  const seed = generateSeed();
  const { publicKey } = new Ed25519Signer(seed);
  const digits = hexOf(portableKernels.sha256(publicKey)).slice(0, 8);
  return newKey(id ?? `countersign.local/${digits}`, NOTE_TYPE.ed25519, seed);
}

function planWitness(plan: NetworkPlan, networkId: string, index: number): PlannedWitness {
  const number = index + 1;
  return {
    ...newKey(`${networkId}/w${number}`, NOTE_TYPE.cosignature, generateSeed()),
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
    signature_scheme: "ed25519",
    witnesses: witnesses.map(({ key }) => ({
      id: key.name,
      pubkey: hexOf(key.publicKey),
      vkey: encodeVkey(key),
    })),
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
