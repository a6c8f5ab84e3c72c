/**
 * A network's public configuration, which verifiers pin (verification.md "Configuration"). It has no
 * secrets. Unknown members are ignored (C1).
 *
 * @module
 */

import { bytesOfHex, hexOf } from "../../base/bytes.ts";
import { CountersignError, errorBuilder } from "../../base/errors.ts";
import { type BlsVerifier, popVerify } from "../crypto/bls_verifier.ts";
import { screenPublicKey } from "../crypto/ed25519_key.ts";
import { PROOF_OF_POSSESSION, THRESHOLD, VKEY } from "./key_members.ts";
import { isNetworkId, isWitnessId, NETWORK_ID, WITNESS_ID } from "./names.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey, parseVkey } from "./note_key.ts";
import { PUBLIC_KEY_LENGTH, SIGNATURE_LENGTH, type SignatureScheme } from "./signature_set.ts";
import { count, flag, hex, list, object, type Of, type OfMembers, TEXT } from "./schema.ts";
import { SUCCESSION_LINK } from "./succession.ts";

/** Submission prefix of a witness. */
export const PUBLIC_URL = TEXT.with({
  format: "uri",
  description: "Where anybody may submit checkpoints to the witness (tlog-witness)",
});

/** Its name is the network id. */
export const LOG_VKEY = VKEY.with({ description: "Public key of the log, of type 0x01" });

const FURTHER_VKEY = VKEY.with({
  description: "A further key, of type 0x06, which cosigns tree heads; ed25519 only",
});

/** Lowercase hex. */
export const PUBLIC_KEY = {
  ed25519: hex(PUBLIC_KEY_LENGTH.ed25519, "Ed25519 public key"),
  bls: hex(PUBLIC_KEY_LENGTH.bls, "BLS12-381 public key in G2, compressed"),
} as const;

/** Members of a witness that do not depend on the signature scheme. */
export const WITNESS_MEMBERS = {
  id: WITNESS_ID,
  vkey: VKEY.with({ description: "The same key for C2SP verifiers; ed25519 only" }).optional(),
  ml_dsa_vkey: FURTHER_VKEY.optional(),
  public_url: PUBLIC_URL.optional(),
  proof_of_possession: PROOF_OF_POSSESSION.optional(),
} as const;

/** Members of a peer network. */
export const PEER_MEMBERS = {
  id: NETWORK_ID,
  gateway_url: TEXT.with({ format: "uri", description: "Its public gateway" }).optional(),
  min_witnesses: count("Number of its witnesses that must cosign; its threshold if absent")
    .optional(),
} as const;

/** Members of a policy, besides the peers. */
export const POLICY_MEMBERS = {
  enabled: flag("Whether proofs can be Federated"),
  cross_anchor_threshold: count("Number of peers that must cosign a tree head"),
} as const;

/** C12. */
export const FEDERATION_POLICY = object({
  ...POLICY_MEMBERS,
  peer_networks: list(object(PEER_MEMBERS, "ignored").named("PeerNetwork")),
}, "ignored").named("FederationPolicy");

/** Members that do not depend on the signature scheme. */
export const NETWORK_MEMBERS = {
  id: NETWORK_ID,
  epoch: count(
    "Number of this configuration; absent in the first, which is 0. Each succession adds 1",
  ).optional(),
  threshold: THRESHOLD,
  log_vkey: LOG_VKEY.optional(),
  /** Its name is the network id. */
  log_ml_dsa_vkey: FURTHER_VKEY.optional(),
  merge_delay_seconds: count("Seconds within which the log includes a confirmed attestation")
    .with({ example: 60 }).optional(),
  /** Not verified here. */
  succession: list(SUCCESSION_LINK, 1).with({
    description: "The links that lead from the first configuration to this one, and from it on",
  }).optional(),
} as const;

/** When a bundle is `federated` (F1 and F2). */
export type FederationPolicy = Of<typeof FEDERATION_POLICY>;

/** A peer network, whose cosignatures of our tree heads count. */
export type PeerNetwork = FederationPolicy["peer_networks"][number];

/** A configured witness. */
export interface WitnessKey {
  readonly id: string;
  /** Lowercase hex: 32 bytes for `ed25519`, 96 for `bls`. */
  readonly pubkey: string;
  /** C2SP verifier key of type 0x04; `ed25519` only. */
  readonly vkey?: string;
  /** C2SP verifier key of type 0x06: a further key, which cosigns tree heads; `ed25519` only. */
  readonly ml_dsa_vkey?: string;
  /** The URL at which anyone may submit checkpoints: the submission prefix of c2sp.org/tlog-witness. */
  readonly public_url?: string;
  /** 96 lowercase hex; `bls` only. */
  readonly proof_of_possession?: string;
}

/** The answer of `GET /v1/network`. */
export type NetworkConfiguration = OfMembers<typeof NETWORK_MEMBERS> & {
  readonly signature_scheme: SignatureScheme;
  readonly witnesses: readonly WitnessKey[];
  readonly federation: FederationPolicy;
};

const ML_DSA_TYPES = [NOTE_TYPE.mlDsaCosignature];
/** With more, a checkpoint could exceed the bounds of notes: each line has 3.3 kB. */
const MAX_ML_DSA_KEYS = 128;
const invalid = errorBuilder("invalid_configuration", "Cannot use network configuration");
/** The policy of a configuration that has none. */
export const NO_FEDERATION: FederationPolicy = {
  enabled: false,
  peer_networks: [],
  cross_anchor_threshold: 0,
};

/**
 * Checks C2 to C11, C14 and C15 of verification.md "Configuration"; throws `invalid_configuration` or
 * `invalid_key`. Public keys and proofs of possession are verified only here.
 */
export function checkNetwork(
  network: NetworkConfiguration,
  bls: BlsVerifier,
): void {
  const { id, threshold, witnesses, signature_scheme: scheme } = network;
  if (!isNetworkId(id)) throw invalid("malformed network id"); // C2
  if (threshold < 1 || threshold > witnesses.length) { // C4
    throw invalid(`threshold ${threshold} is not from 1 to ${witnesses.length}`);
  }
  const keys = witnesses.map((witness) => witness.pubkey);
  for (const witness of witnesses) {
    if (!isWitnessId(witness.id)) throw invalid("malformed witness id"); // C5
    if (scheme === "bls") checkBlsKey(witness, bls);
    else checkEd25519Key(witness);
  }
  if (network.log_vkey !== undefined) {
    const log = parseVkey(network.log_vkey);
    if (log.type !== NOTE_TYPE.ed25519 || log.name !== id) { // C9
      throw invalid(`log_vkey is not of type 0x01 or not named ${id}`);
    }
    screenPublicKey(log.publicKey);
    keys.push(hexOf(log.publicKey));
  }
  if (new Set(witnesses.map((witness) => witness.id)).size !== witnesses.length) {
    throw invalid("duplicate witness id"); // C5
  }
  if (new Set(keys).size !== keys.length) {
    throw invalid("duplicate public key among the witnesses and the log"); // C10
  }
  checkMlDsaKeys(network);
  checkFederation(network);
}

/** The ML-DSA-44 key of the log, checked. */
export function mlDsaLogKey({ log_ml_dsa_vkey: vkey }: NetworkConfiguration): NoteKey | undefined {
  return vkey === undefined ? undefined : parseVkey(vkey, ML_DSA_TYPES);
}

/** The ML-DSA-44 key of a witness, checked. */
export function mlDsaWitnessKey({ ml_dsa_vkey: vkey }: WitnessKey): NoteKey | undefined {
  return vkey === undefined ? undefined : parseVkey(vkey, ML_DSA_TYPES);
}

/** The ML-DSA-44 keys of the log and the witnesses, checked, the log's first. */
export function mlDsaKeysOf(network: NetworkConfiguration): readonly NoteKey[] {
  return [mlDsaLogKey(network), ...network.witnesses.map(mlDsaWitnessKey)]
    .filter((key) => key !== undefined);
}

/** Every public key of a network in hex, its log key included. */
export function publicKeysOf(network: NetworkConfiguration): Set<string> {
  const keys = new Set(network.witnesses.map((witness) => witness.pubkey));
  if (network.log_vkey !== undefined) keys.add(hexOf(parseVkey(network.log_vkey).publicKey));
  return keys;
}

/** C6 and C7. */
function checkEd25519Key(witness: WitnessKey): void {
  const publicKey = bytesOfHex(witness.pubkey, PUBLIC_KEY_LENGTH.ed25519) ?? new Uint8Array();
  screenPublicKey(publicKey);
  const vkey = encodeVkey({ name: witness.id, type: NOTE_TYPE.cosignature, publicKey });
  if (witness.vkey !== undefined && witness.vkey !== vkey) {
    throw invalid(`vkey of ${witness.id} does not match its id and pubkey`);
  }
}

/**
 * C7 and C8. Without proven possession, a witness could choose its key as a function of the other
 * keys and sign for all.
 */
function checkBlsKey(
  { id, pubkey, vkey, proof_of_possession }: WitnessKey,
  bls: BlsVerifier,
): void {
  if (vkey !== undefined) throw invalid(`bls witness ${id} has a vkey`);
  const publicKey = bytesOfHex(pubkey, PUBLIC_KEY_LENGTH.bls) ?? new Uint8Array();
  if (!bls.keyValidate(publicKey)) {
    throw new CountersignError(
      "invalid_key",
      `Cannot use BLS public key of ${id}: not the encoding of a point of G2 of order r`,
    );
  }
  const proof = bytesOfHex(proof_of_possession ?? "", SIGNATURE_LENGTH.bls);
  if (proof === undefined || !popVerify(bls, publicKey, proof)) {
    const fault = proof_of_possession === undefined ? "missing" : "invalid";
    throw invalid(`proof_of_possession of ${id} is ${fault}`);
  }
}

/** C14 and C15. */
function checkMlDsaKeys(network: NetworkConfiguration): void {
  const keys = network.witnesses.flatMap((witness) => {
    const key = mlDsaWitnessKey(witness);
    return key === undefined ? [] : [{ key, owner: witness.id }];
  });
  const logKey = mlDsaLogKey(network);
  if (logKey !== undefined) keys.push({ key: logKey, owner: network.id });
  if (keys.length === 0) return;
  if (network.signature_scheme !== "ed25519") {
    throw invalid("a bls network has no ML-DSA-44 keys");
  }
  const misnamed = keys.find(({ key, owner }) => key.name !== owner);
  if (misnamed !== undefined) {
    throw invalid(`the ML-DSA-44 vkey of ${misnamed.owner} has another name than its owner`);
  }
  if (new Set(keys.map(({ key }) => hexOf(key.publicKey))).size !== keys.length) {
    throw invalid("duplicate ML-DSA-44 key among the witnesses and the log");
  }
  if (keys.length > MAX_ML_DSA_KEYS) {
    throw invalid(`more than ${MAX_ML_DSA_KEYS} ML-DSA-44 keys`);
  }
}

/** C11. */
function checkFederation(network: NetworkConfiguration): void {
  const { peer_networks: peers } = network.federation;
  const ids = new Set(peers.map((peer) => peer.id));
  if (ids.size !== peers.length || ids.has(network.id) || !peers.every((p) => isNetworkId(p.id))) {
    throw invalid("a peer id is malformed, duplicate or the network's own");
  }
}
