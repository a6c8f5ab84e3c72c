/**
 * A network's public configuration (protocol.md "Configuration", "Resources"): what a verifier
 * pins. Secret-free; members
 * that this version does not know are ignored.
 *
 * @module
 */

import { bytesOfHex } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import { type BlsVerifier, popVerify } from "../crypto/bls_verifier.ts";
import { screenPublicKey } from "../crypto/ed25519.ts";
import { portableBlsVerifier } from "../crypto/portable_bls_verifier.ts";
import { Fields } from "./fields.ts";
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

/** A peer network whose cosignatures of our tree head are looked for. */
export interface PeerNetwork {
  readonly id: string;
  readonly gateway_url?: string;
  readonly min_witnesses?: number;
}

/** When cross-anchors count (protocol.md "Resources", Federated). */
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
const NO_FEDERATION: FederationPolicy = {
  enabled: false,
  peer_networks: [],
  cross_anchor_threshold: 0,
};

/** The configuration of JSON `text`, checked: {@linkcode checkNetwork}. */
export function parseNetwork(
  text: string,
  bls: BlsVerifier = portableBlsVerifier,
): NetworkConfiguration {
  return readNetwork(parseStrictJson(text, CODE), bls);
}

/** The configuration of a parsed JSON value, checked. */
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
  if (scheme !== "ed25519" && scheme !== "bls") throw invalid("scheme ed25519 or bls", "another");
  const network: NetworkConfiguration = {
    id: fields.text("id"),
    threshold: fields.count("threshold"),
    signature_scheme: scheme,
    witnesses: fields.list("witnesses").map((witness, i) =>
      readWitness(
        fields.within(witness, `witnesses[${i}]`, ["id", "pubkey"], {
          ignoreUnknown: true,
        }),
        scheme,
      )
    ),
    ...(fields.has("log_vkey") && { log_vkey: fields.text("log_vkey") }),
    ...(fields.has("merge_delay_seconds") &&
      { merge_delay_seconds: fields.count("merge_delay_seconds") }),
    federation: fields.has("federation") ? readFederation(fields) : NO_FEDERATION,
  };
  checkNetwork(network, bls);
  return network;
}

/**
 * Refuses with `invalid_configuration` or `invalid_key` a network that no set of signatures could
 * be counted for: protocol.md "Signature schemes". Public keys are screened and proofs of
 * possession verified here,
 * once, and nowhere else.
 */
export function checkNetwork(
  network: NetworkConfiguration,
  bls: BlsVerifier = portableBlsVerifier,
): void {
  const { id, threshold, witnesses, signature_scheme: scheme } = network;
  if (!isNetworkId(id)) throw invalid("a valid network id", "another text");
  if (threshold < 1 || threshold > witnesses.length) {
    throw invalid(`a threshold from 1 to ${witnesses.length}`, String(threshold));
  }
  const keys = witnesses.map((witness) => witness.pubkey);
  for (const witness of witnesses) {
    if (!isWitnessId(witness.id)) throw invalid("valid witness ids", "another text");
    if (scheme === "bls") checkBlsKey(witness, bls);
    else checkEd25519Key(witness);
  }
  if (network.log_vkey !== undefined) {
    const log = parseVkey(network.log_vkey);
    if (log.type !== NOTE_TYPE.ed25519 || log.name !== id) {
      throw invalid(`a log_vkey of type 0x01 named ${id}`, "another");
    }
    screenPublicKey(log.publicKey);
    keys.push(log.publicKey.toHex());
  }
  if (new Set(witnesses.map((witness) => witness.id)).size !== witnesses.length) {
    throw invalid("distinct witness ids", "one twice");
  }
  if (new Set(keys).size !== keys.length) {
    throw invalid("distinct public keys, the log's included", "one twice");
  }
  checkFederation(network);
}

/** Every public key of a network in hex, its log key included. */
export function publicKeysOf(network: NetworkConfiguration): Set<string> {
  const keys = new Set(network.witnesses.map((witness) => witness.pubkey));
  if (network.log_vkey !== undefined) keys.add(parseVkey(network.log_vkey).publicKey.toHex());
  return keys;
}

function checkEd25519Key(witness: WitnessKey): void {
  const publicKey = bytesOfHex(witness.pubkey, PUBLIC_KEY_LENGTH.ed25519) ?? new Uint8Array();
  screenPublicKey(publicKey);
  const vkey = encodeVkey({ name: witness.id, type: NOTE_TYPE.cosignature, publicKey });
  if (witness.vkey !== undefined && witness.vkey !== vkey) {
    throw invalid(`a vkey of the id and pubkey of ${witness.id}`, "another");
  }
}

/**
 * Without proven possession a witness could choose its key as a function of the others', and sign
 * for them all.
 */
function checkBlsKey(
  { id, pubkey, vkey, proof_of_possession }: WitnessKey,
  bls: BlsVerifier,
): void {
  if (vkey !== undefined) throw invalid(`no vkey of bls witness ${id}`, "one");
  const publicKey = bytesOfHex(pubkey, PUBLIC_KEY_LENGTH.bls) ?? new Uint8Array();
  if (!bls.keyValidate(publicKey)) {
    throw new CountersignError(
      "invalid_key",
      `Cannot use BLS public key of ${id}: the encoding of a point of G2 of order r required, ` +
        "found another string",
    );
  }
  const proof = bytesOfHex(proof_of_possession ?? "", SIGNATURE_LENGTH.bls);
  if (proof === undefined || !popVerify(bls, publicKey, proof)) {
    throw invalid(
      `a proof of possession of the key of ${id}`,
      proof_of_possession === undefined ? "none" : "another text",
    );
  }
}

function checkFederation(network: NetworkConfiguration): void {
  const { peer_networks: peers } = network.federation;
  const ids = new Set(peers.map((peer) => peer.id));
  if (ids.size !== peers.length || ids.has(network.id) || !peers.every((p) => isNetworkId(p.id))) {
    throw invalid("distinct, well-formed peer ids other than our own", "otherwise");
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

function readFederation(fields: Fields): FederationPolicy {
  const policy = fields.object("federation", [
    "enabled",
    "peer_networks",
    "cross_anchor_threshold",
  ], { ignoreUnknown: true });
  return {
    enabled: policy.flag("enabled"),
    peer_networks: policy.list("peer_networks").map((value, i) => {
      const peer = policy.within(value, `peer_networks[${i}]`, ["id"], { ignoreUnknown: true });
      return {
        id: peer.text("id"),
        ...(peer.has("gateway_url") && { gateway_url: peer.text("gateway_url") }),
        ...(peer.has("min_witnesses") && { min_witnesses: peer.count("min_witnesses") }),
      };
    }),
    cross_anchor_threshold: policy.count("cross_anchor_threshold"),
  };
}

function invalid(required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot use network configuration: ${required} required, found ${found}`,
  );
}
