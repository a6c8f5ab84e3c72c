/**
 * The public configuration (protocol.md "Configuration"): `GET /v1/config`, `GET /v1/network` and
 * `network.public.json`.
 *
 * @module
 */

import { utf8 } from "../bytes.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";
import type { NetworkConfiguration, PeerNetwork, WitnessKey } from "./network.ts";
import { encodeVkey, NOTE_TYPE } from "./note_key.ts";

/** The answer of `GET /v1/config`. */
export function publicConfig(network: NetworkConfiguration) {
  return {
    id: network.id,
    threshold: network.threshold,
    signature_scheme: network.signature_scheme,
    witness_count: network.witnesses.length,
  };
}

/**
 * The public members of `network`. Built member by member, so that no endpoint, token or path can
 * leak.
 */
export function publicNetwork(network: NetworkConfiguration): NetworkConfiguration {
  const { federation } = network;
  return {
    id: network.id,
    witnesses: network.witnesses.map((witness) => publicWitness(network, witness)),
    threshold: network.threshold,
    signature_scheme: network.signature_scheme,
    federation: {
      enabled: federation.enabled,
      peer_networks: federation.peer_networks.map(publicPeer),
      cross_anchor_threshold: federation.cross_anchor_threshold,
    },
    ...(network.log_vkey !== undefined && { log_vkey: network.log_vkey }),
    ...(network.merge_delay_seconds !== undefined &&
      { merge_delay_seconds: network.merge_delay_seconds }),
  };
}

/** {@linkcode publicNetwork} as indented JSON and a newline: the text of the fingerprint. */
export function publicNetworkJson(network: NetworkConfiguration): string {
  return `${JSON.stringify(publicNetwork(network), undefined, 2)}\n`;
}

/** SHA-256 in hex of the public configuration, as by `sha256sum network.public.json`. */
export function fingerprintOf(network: NetworkConfiguration): string {
  return portableKernels.sha256(utf8(publicNetworkJson(network))).toHex();
}

/** The C2SP verifier key of an `ed25519` witness. */
export function witnessVkey({ id, pubkey }: WitnessKey): string {
  const publicKey = Uint8Array.fromHex(pubkey);
  return encodeVkey({ name: id, type: NOTE_TYPE.cosignature, publicKey });
}

/** Adds the vkey of an `ed25519` witness, which the other members determine. */
function publicWitness(network: NetworkConfiguration, witness: WitnessKey): WitnessKey {
  const { id, pubkey, proof_of_possession } = witness;
  if (network.signature_scheme === "bls") {
    return { id, pubkey, ...(proof_of_possession !== undefined && { proof_of_possession }) };
  }
  return { id, pubkey, vkey: witnessVkey(witness) };
}

function publicPeer({ id, gateway_url, min_witnesses }: PeerNetwork): PeerNetwork {
  return {
    id,
    ...(gateway_url !== undefined && { gateway_url }),
    ...(min_witnesses !== undefined && { min_witnesses }),
  };
}
