/**
 * Checks a network's public configuration (verification.md "Configuration"), and reads its keys.
 *
 * @module
 */

import { bytesOfHex, hexOf } from "../../base/bytes.ts";
import { CountersignError, errorBuilder } from "../../base/errors.ts";
import { type BlsVerifier, popVerify } from "../crypto/bls_verifier.ts";
import { screenPublicKey } from "../crypto/ed25519_key.ts";
import { isNetworkId, isWitnessId } from "./names.ts";
import type { FederationPolicy, NetworkConfiguration, WitnessKey } from "./network.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey, parseVkey } from "./note_key.ts";
import { PUBLIC_KEY_LENGTH, SIGNATURE_LENGTH } from "./signature_set.ts";

const ML_DSA_TYPES = [NOTE_TYPE.mlDsaCosignature];
/** With more, a checkpoint could exceed the bounds of notes: each line has 3.3 kB. */
const MAX_ML_DSA_KEYS = 128;
/** The error of a configuration that breaks a rule. */
export const invalidNetwork = errorBuilder(
  "invalid_configuration",
  "Cannot use network configuration",
);
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
  if (!isNetworkId(id)) throw invalidNetwork("malformed network id"); // C2
  if (threshold < 1 || threshold > witnesses.length) { // C4
    throw invalidNetwork(`threshold ${threshold} is not from 1 to ${witnesses.length}`);
  }
  const keys = witnesses.map((witness) => witness.pubkey);
  for (const witness of witnesses) {
    if (!isWitnessId(witness.id)) throw invalidNetwork("malformed witness id"); // C5
    if (scheme === "bls") checkBlsKey(witness, bls);
    else checkEd25519Key(witness);
  }
  if (network.log_vkey !== undefined) {
    const log = parseVkey(network.log_vkey, undefined, "log_vkey");
    if (log.type !== NOTE_TYPE.ed25519 || log.name !== id) { // C9
      throw invalidNetwork(`log_vkey is not of type 0x01 or not named ${id}`);
    }
    screenPublicKey(log.publicKey);
    keys.push(hexOf(log.publicKey));
  }
  if (new Set(witnesses.map((witness) => witness.id)).size !== witnesses.length) {
    throw invalidNetwork("duplicate witness id"); // C5
  }
  if (new Set(keys).size !== keys.length) {
    throw invalidNetwork("duplicate public key among the witnesses and the log"); // C10
  }
  checkMlDsaKeys(network);
  checkFederation(network);
}

/** The ML-DSA-44 key of the log, checked. */
export function mlDsaLogKey({ log_ml_dsa_vkey: vkey }: NetworkConfiguration): NoteKey | undefined {
  return vkey === undefined ? undefined : parseVkey(vkey, ML_DSA_TYPES, "log_ml_dsa_vkey");
}

/** The ML-DSA-44 key of a witness, checked. */
export function mlDsaWitnessKey({ id, ml_dsa_vkey: vkey }: WitnessKey): NoteKey | undefined {
  return vkey === undefined ? undefined : parseVkey(vkey, ML_DSA_TYPES, `ml_dsa_vkey of ${id}`);
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
    throw invalidNetwork(`vkey of ${witness.id} does not match its id and pubkey`);
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
  if (vkey !== undefined) throw invalidNetwork(`bls witness ${id} has a vkey`);
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
    throw invalidNetwork(`proof_of_possession of ${id} is ${fault}`);
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
    throw invalidNetwork("a bls network has no ML-DSA-44 keys");
  }
  const misnamed = keys.find(({ key, owner }) => key.name !== owner);
  if (misnamed !== undefined) {
    throw invalidNetwork(`the ML-DSA-44 vkey of ${misnamed.owner} has another name than its owner`);
  }
  if (new Set(keys.map(({ key }) => hexOf(key.publicKey))).size !== keys.length) {
    throw invalidNetwork("duplicate ML-DSA-44 key among the witnesses and the log");
  }
  if (keys.length > MAX_ML_DSA_KEYS) {
    throw invalidNetwork(`more than ${MAX_ML_DSA_KEYS} ML-DSA-44 keys`);
  }
}

/** C11. */
function checkFederation(network: NetworkConfiguration): void {
  const { peer_networks: peers } = network.federation;
  const ids = new Set(peers.map((peer) => peer.id));
  if (ids.size !== peers.length || ids.has(network.id) || !peers.every((p) => isNetworkId(p.id))) {
    throw invalidNetwork("a peer id is malformed, duplicate or the network's own");
  }
}
