/**
 * A network's public configuration, which verifiers pin (verification.md "Configuration"). It has no
 * secrets. Unknown members are ignored (C1).
 *
 * @module
 */

import { bytesOfHex } from "../bytes.ts";
import { CountersignError, errorBuilder } from "../errors.ts";
import { type BlsVerifier, popVerify } from "../crypto/bls_verifier.ts";
import { screenPublicKey } from "../crypto/ed25519.ts";
import { portableBlsVerifier } from "../crypto/portable_bls_verifier.ts";
import { Fields, type OfShape } from "./fields.ts";
import { isNetworkId, isWitnessId } from "./names.ts";
import { encodeVkey, NOTE_TYPE, parseVkey } from "./note_key.ts";
import { PUBLIC_KEY_LENGTH, SIGNATURE_LENGTH, type SignatureScheme } from "./signature_set.ts";
import { type JsonValue, parseStrictJson } from "./strict_json.ts";

/** A configured witness. */
export interface WitnessKey {
  readonly id: string;
  /** Lowercase hex: 32 bytes for `ed25519`, 96 for `bls`. */
  readonly pubkey: string;
  /** C2SP verifier key of type 0x04; `ed25519` only. */
  readonly vkey?: string;
  /** 96 lowercase hex; `bls` only. */
  readonly proof_of_possession?: string;
}

const PEER_NETWORK = { id: "text", gateway_url: "text?", min_witnesses: "integer?" } as const;

/** A peer network, which cosigns our tree heads. */
export type PeerNetwork = OfShape<typeof PEER_NETWORK>;

/** When a bundle is `federated` (F1 and F2). */
export interface FederationPolicy {
  readonly enabled: boolean;
  readonly peer_networks: readonly PeerNetwork[];
  readonly cross_anchor_threshold: number;
}

/** The answer of `GET /v1/network`. */
export interface NetworkConfiguration {
  readonly id: string;
  readonly threshold: number;
  readonly signature_scheme: SignatureScheme;
  readonly witnesses: readonly WitnessKey[];
  /** C2SP verifier key of type 0x01 whose name is the network id. */
  readonly log_vkey?: string;
  readonly merge_delay_seconds?: number;
  readonly federation: FederationPolicy;
}

const CODE = "malformed_configuration";
const invalid = errorBuilder("invalid_configuration", "Cannot use network configuration");
const NO_FEDERATION: FederationPolicy = {
  enabled: false,
  peer_networks: [],
  cross_anchor_threshold: 0,
};

/** Parses and checks ({@linkcode checkNetwork}) a configuration. */
export function parseNetwork(
  text: string,
  bls: BlsVerifier = portableBlsVerifier,
): NetworkConfiguration {
  return readNetwork(parseStrictJson(text, CODE), bls);
}

/** Reads and checks a configuration from a JSON value. */
export function readNetwork(
  value: JsonValue,
  bls: BlsVerifier = portableBlsVerifier,
): NetworkConfiguration {
  const fields = new Fields(
    value,
    { where: "network", code: CODE },
    ["id", "threshold", "signature_scheme", "witnesses"],
    { ignoreUnknown: true },
  );
  const scheme = fields.text("signature_scheme");
  if (scheme !== "ed25519" && scheme !== "bls") throw invalid("unknown signature_scheme"); // C3
  const network: NetworkConfiguration = {
    id: fields.text("id"),
    threshold: fields.integer("threshold"),
    signature_scheme: scheme,
    witnesses: fields.objects("witnesses", ["id", "pubkey"], { ignoreUnknown: true })
      .map((witness) => readWitness(witness, scheme)),
    ...(fields.has("log_vkey") && { log_vkey: fields.text("log_vkey") }),
    ...(fields.has("merge_delay_seconds") &&
      { merge_delay_seconds: fields.integer("merge_delay_seconds") }),
    federation: fields.has("federation") ? readFederation(fields) : NO_FEDERATION,
  };
  checkNetwork(network, bls);
  return network;
}

/**
 * Checks C2 to C11 of verification.md "Configuration"; throws `invalid_configuration` or
 * `invalid_key`. Public keys and proofs of possession are verified only here.
 */
export function checkNetwork(
  network: NetworkConfiguration,
  bls: BlsVerifier = portableBlsVerifier,
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
    keys.push(log.publicKey.toHex());
  }
  if (new Set(witnesses.map((witness) => witness.id)).size !== witnesses.length) {
    throw invalid("duplicate witness id"); // C5
  }
  if (new Set(keys).size !== keys.length) {
    throw invalid("duplicate public key among the witnesses and the log"); // C10
  }
  checkFederation(network);
}

/** Every public key of a network in hex, its log key included. */
export function publicKeysOf(network: NetworkConfiguration): Set<string> {
  const keys = new Set(network.witnesses.map((witness) => witness.pubkey));
  if (network.log_vkey !== undefined) keys.add(parseVkey(network.log_vkey).publicKey.toHex());
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

/** C11. */
function checkFederation(network: NetworkConfiguration): void {
  const { peer_networks: peers } = network.federation;
  const ids = new Set(peers.map((peer) => peer.id));
  if (ids.size !== peers.length || ids.has(network.id) || !peers.every((p) => isNetworkId(p.id))) {
    throw invalid("a peer id is malformed, duplicate or the network's own");
  }
}

function readWitness(fields: Fields, scheme: SignatureScheme): WitnessKey {
  return {
    id: fields.text("id"),
    pubkey: fields.hex("pubkey", PUBLIC_KEY_LENGTH[scheme]),
    ...(fields.has("vkey") && { vkey: fields.text("vkey") }),
    ...(fields.has("proof_of_possession") &&
      { proof_of_possession: fields.hex("proof_of_possession", SIGNATURE_LENGTH.bls) }),
  };
}

/** C12. */
function readFederation(fields: Fields): FederationPolicy {
  const policy = fields.object("federation", [
    "enabled",
    "peer_networks",
    "cross_anchor_threshold",
  ], { ignoreUnknown: true });
  return {
    enabled: policy.flag("enabled"),
    peer_networks: policy.records("peer_networks", PEER_NETWORK, { ignoreUnknown: true }),
    cross_anchor_threshold: policy.integer("cross_anchor_threshold"),
  };
}
