/**
 * Draws up a network: keys, tokens and the public configuration, which `network_folder.ts` writes.
 *
 * @module
 */

import { join } from "node:path";
import { type Bytes, HASH_LENGTH, hexOf } from "../../base/bytes.ts";
import { DEFAULT_MERGE_DELAY_SECONDS } from "../../config/operator_network.ts";
import { checkQuorum } from "../../config/operator_network.ts";
import type { Bls } from "../../proof/crypto/bls.ts";
import { portableKernels } from "../../proof/crypto/portable_kernels.ts";
import { randomToken } from "../../proof/crypto/secrets.ts";
import { errorBuilder } from "../../base/errors.ts";
import { isNetworkId } from "../../proof/format/names.ts";
import type { NetworkConfiguration, WitnessKey } from "../../proof/format/network.ts";
import { checkNetwork } from "../../proof/format/network_check.ts";
import { encodeVkey } from "../../proof/format/note_key.ts";
import type { SignatureScheme } from "../../proof/format/signature_set.ts";
import {
  type CreatedNetwork,
  createFolder,
  type Draft,
  type NewNetwork,
  type PlannedWitness,
} from "./network_folder.ts";
import { type NewKey, newLogKey, newMlDsaKey, newWitnessKey } from "./new_keys.ts";

const invalid = errorBuilder("invalid_configuration", "Cannot create network");

interface NetworkPlan extends NewNetwork {
  /** From 1 to 64. */
  readonly witnesses: number;
  /** Scheme of the witnesses; the log key is always Ed25519. */
  readonly scheme: SignatureScheme;
  /** Embedded witnesses run in the gateway's process, remote ones as separate nodes. */
  readonly kind: "embedded" | "remote";
  /** Port of the first remote witness on 127.0.0.1; the others have the next ports. */
  readonly basePort: number;
}

/** A witness whose operator keeps its key. */
export interface KeyedWitness extends WitnessKey {
  /** The URL at which the gateway reaches it. */
  readonly url: string;
}

interface AssemblyPlan extends NewNetwork {
  readonly witnesses: readonly KeyedWitness[];
  /** Allow `http:` URLs beyond loopback. */
  readonly insecure: boolean;
}

/** A larger network is configured by hand. */
const MAX_WITNESSES = 64;

/** In an id: the SHA-256 of the log key, which is only known once the key is made. */
const KEY_HASH = "{key_hash}";

/** Port of a witness behind a proxy that has the default port. */
const PROXIED_PORT = 8091;

/** Creates the network of `plan`; errors as {@linkcode createFolder}. */
export async function createNetwork(plan: NetworkPlan, bls: Bls): Promise<CreatedNetwork> {
  return await createFolder(plan, () => draftNetwork(plan, bls), { insecure: false, bls });
}

/**
 * {@linkcode createNetwork} for remote witnesses whose operators keep their keys. `invalid_key` for a
 * key that cannot be used.
 */
export async function assembleNetwork(plan: AssemblyPlan, bls: Bls): Promise<CreatedNetwork> {
  return await createFolder(plan, () => draftAssembly(plan, bls), { insecure: plan.insecure, bls });
}

/** Generates the keys and tokens of `plan`. `invalid_configuration`. */
function draftNetwork(plan: NetworkPlan, bls: Bls): Draft {
  const { witnesses: count, basePort, scheme, kind } = plan;
  if (!Number.isSafeInteger(count) || count < 1) throw invalid(`${count} witnesses are too few`);
  if (kind === "remote" && (basePort < 1 || basePort + count - 1 > 65_535)) {
    throw invalid(`${count} ports from ${basePort} are not within 1 to 65535`);
  }
  checkPlan(plan, count);
  const log = planLogKey(plan.id);
  const witnesses = Array.from({ length: count }, (_, i): PlannedWitness => {
    const { configured, ...key } = newWitness(`${log.key.name}/w${i + 1}`, plan, bls);
    const port = basePort + i;
    return {
      configured,
      ...key,
      port,
      token: randomToken(),
      url: `http://127.0.0.1:${port}`,
      folder: kind === "remote" ? `witness-${i + 1}` : join("witnesses", `w${i + 1}`),
    };
  });
  return draftOf(plan, scheme, { log, witnesses, kind }, bls);
}

/** The keys of a witness, as its configuration and the lines of its files. */
function newWitness(
  name: string,
  { scheme, mlDsa }: NetworkPlan,
  bls: Bls,
): Pick<PlannedWitness, "configured" | "secretLine" | "mlDsaLine"> {
  const { configured, secretLine } = newWitnessKey(name, scheme, bls);
  if (!mlDsa) return { configured, secretLine };
  const further = newMlDsaKey(name);
  return {
    configured: { ...configured, ml_dsa_vkey: encodeVkey(further.key) },
    secretLine,
    mlDsaLine: further.secretLine,
  };
}

/** Generates the log's key and the tokens of `plan`. `invalid_configuration`, `invalid_key`. */
function draftAssembly(plan: AssemblyPlan, bls: Bls): Draft {
  checkPlan(plan, plan.witnesses.length);
  const log = planLogKey(plan.id);
  const witnesses = plan.witnesses.map(({ url, ...configured }, i): PlannedWitness => ({
    configured,
    url,
    token: randomToken(),
    folder: `witness-${i + 1}`,
    port: Number(new URL(url).port) || PROXIED_PORT,
  }));
  const scheme = plan.witnesses[0]?.proof_of_possession === undefined ? "ed25519" : "bls";
  return draftOf(plan, scheme, { log, witnesses, kind: "remote" }, bls);
}

/** A draft with the checked configuration. */
function draftOf(
  { threshold, mlDsa = false }: NewNetwork,
  scheme: SignatureScheme,
  parts: Pick<Draft, "log" | "witnesses" | "kind">,
  bls: Bls,
): Draft {
  const { log, witnesses } = parts;
  const logMlDsa = mlDsa ? newMlDsaKey(log.key.name) : undefined;
  const network: NetworkConfiguration = {
    id: log.key.name,
    threshold,
    signature_scheme: scheme,
    witnesses: witnesses.map(({ configured }) => configured),
    log_vkey: encodeVkey(log.key),
    ...(logMlDsa !== undefined && { log_ml_dsa_vkey: encodeVkey(logMlDsa.key) }),
    merge_delay_seconds: DEFAULT_MERGE_DELAY_SECONDS,
    federation: { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
  };
  checkNetwork(network, bls);
  return { ...parts, network, ...(logMlDsa !== undefined && { logMlDsa }) };
}

function checkPlan({ threshold, id }: NewNetwork, count: number): void {
  if (count > MAX_WITNESSES) throw invalid(`${count} witnesses are more than ${MAX_WITNESSES}`);
  checkQuorum(threshold, count);
  if (id !== undefined && !isNetworkId(withKeyHash(id, new Uint8Array(HASH_LENGTH)))) {
    throw invalid(
      `id ${
        JSON.stringify(id)
      } must be 1 to 96 characters of A-Z a-z 0-9 . _ ~ / -, beginning with ` +
        "a letter or digit, but not with cosignature/, countersign/ or subtree/",
    );
  }
}

/** A generated id ends in 8 hex digits of the hash of the log key, which makes it unique. */
function planLogKey(id: string | undefined): NewKey {
  return newLogKey((publicKey) => {
    const hash = portableKernels.sha256(publicKey);
    return id === undefined
      ? `countersign.local/${hexOf(hash).slice(0, 8)}`
      : withKeyHash(id, hash);
  });
}

function withKeyHash(id: string, hash: Bytes): string {
  return id.replace(KEY_HASH, hexOf(hash));
}
