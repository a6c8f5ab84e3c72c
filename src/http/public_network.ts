/**
 * The two public configurations (contract A3), member by member: whatever else an operator's
 * configuration holds, secrets included, stays out because nothing here names it.
 *
 * @module
 */

import type { NetworkConfiguration, PeerNetwork, WitnessKey } from "../format/network.ts";
import { encodeVkey, NOTE_TYPE } from "../format/note_key.ts";

/** The answer of `GET /v1/config`. */
export function publicConfig(network: NetworkConfiguration) {
  return {
    id: network.id,
    threshold: network.threshold,
    signature_scheme: network.signature_scheme,
    witness_count: network.witnesses.length,
  };
}

/** The answer of `GET /v1/network`. */
export function publicNetwork(network: NetworkConfiguration): NetworkConfiguration {
  const { enabled, peer_networks, cross_anchor_threshold } = network.federation;
  return {
    id: network.id,
    threshold: network.threshold,
    signature_scheme: network.signature_scheme,
    witnesses: network.witnesses.map((witness) => publicWitness(network, witness)),
    ...(network.log_vkey !== undefined && { log_vkey: network.log_vkey }),
    ...(network.merge_delay_seconds !== undefined &&
      { merge_delay_seconds: network.merge_delay_seconds }),
    federation: { enabled, peer_networks: peer_networks.map(publicPeer), cross_anchor_threshold },
  };
}

/** The C2SP verifier key of an `ed25519` witness. */
export function witnessVkey({ id, pubkey }: WitnessKey): string {
  const publicKey = Uint8Array.fromHex(pubkey);
  return encodeVkey({ name: id, type: NOTE_TYPE.cosignature, publicKey });
}

function publicWitness(network: NetworkConfiguration, witness: WitnessKey): WitnessKey {
  const { id, pubkey, proof_of_possession } = witness;
  if (network.signature_scheme === "ed25519") return { id, pubkey, vkey: witnessVkey(witness) };
  return { id, pubkey, ...(proof_of_possession !== undefined && { proof_of_possession }) };
}

function publicPeer({ id, gateway_url, min_witnesses }: PeerNetwork): PeerNetwork {
  return {
    id,
    ...(gateway_url !== undefined && { gateway_url }),
    ...(min_witnesses !== undefined && { min_witnesses }),
  };
}
