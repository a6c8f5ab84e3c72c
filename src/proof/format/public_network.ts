/**
 * The public configuration (protocol.md "Configuration"): `GET /v1/config`, `GET /v1/network` and
 * `network.public.json`.
 *
 * @module
 */

import { fromHex } from "../../base/bytes.ts";
import { PROOF_OF_POSSESSION, THRESHOLD, VKEY } from "./key_members.ts";
import {
  FEDERATION_POLICY,
  NETWORK_MEMBERS,
  type NetworkConfiguration,
  type PeerNetwork,
  PUBLIC_KEY,
  WITNESS_MEMBERS,
  type WitnessKey,
} from "./network.ts";
import { NETWORK_ID, WITNESS_ID } from "./names.ts";
import { encodeVkey, NOTE_TYPE } from "./note_key.ts";
import { count, list, object, type Of, oneOf, type Schema, TEXT, union } from "./schema.ts";
import type { SuccessionLink } from "./succession.ts";

export const GATEWAY_CONFIG = object({
  id: NETWORK_ID,
  threshold: THRESHOLD,
  signature_scheme: TEXT.with({ enum: ["ed25519", "bls"] }),
  witness_count: count("Number of witnesses").with({ minimum: 1 }),
}, "ignored").named("GatewayConfig");

/** The answer of `GET /v1/config`. */
export type GatewayConfig = Of<typeof GATEWAY_CONFIG>;

const { proof_of_possession: _, ...ED25519_MEMBERS } = WITNESS_MEMBERS;
const ED25519_WITNESS = object({ ...ED25519_MEMBERS, pubkey: PUBLIC_KEY.ed25519, vkey: VKEY })
  .named("Ed25519Witness");

const BLS_WITNESS = object({
  id: WITNESS_ID,
  pubkey: PUBLIC_KEY.bls,
  proof_of_possession: PROOF_OF_POSSESSION,
}).named("BlsWitness");

/** As gateways answer it; {@linkcode parseNetwork} reads configurations more leniently. */
export const PUBLIC_NETWORK = union(
  networkOf("ed25519", ED25519_WITNESS).named("Ed25519Network"),
  networkOf("bls", BLS_WITNESS).named("BlsNetwork"),
).named("Network");

function networkOf<W>(scheme: "ed25519" | "bls", witness: Schema<W>) {
  return object({
    ...NETWORK_MEMBERS,
    signature_scheme: oneOf([scheme]),
    witnesses: list(witness, 1),
    federation: FEDERATION_POLICY,
  });
}

/** The answer of `GET /v1/config`. */
export function publicConfig(network: NetworkConfiguration): GatewayConfig {
  return {
    id: network.id,
    threshold: network.threshold,
    signature_scheme: network.signature_scheme,
    witness_count: network.witnesses.length,
  };
}

/** A configuration, and the chain that was followed from it if it is not the one that it carries. */
export type PublishedNetwork = NetworkConfiguration & {
  readonly links?: readonly SuccessionLink[];
};

/**
 * The public members of `network`, with its chain. Built member by member, so that no endpoint, token
 * or path can leak.
 */
export function publicNetwork(network: PublishedNetwork): NetworkConfiguration {
  const { federation, succession, links = succession ?? [] } = network;
  return {
    id: network.id,
    ...(network.epoch !== undefined && network.epoch > 0 && { epoch: network.epoch }),
    witnesses: network.witnesses.map((witness) => publicWitness(network, witness)),
    threshold: network.threshold,
    signature_scheme: network.signature_scheme,
    federation: {
      enabled: federation.enabled,
      peer_networks: federation.peer_networks.map(publicPeer),
      cross_anchor_threshold: federation.cross_anchor_threshold,
    },
    ...(network.log_vkey !== undefined && { log_vkey: network.log_vkey }),
    ...(network.log_ml_dsa_vkey !== undefined && { log_ml_dsa_vkey: network.log_ml_dsa_vkey }),
    ...(network.merge_delay_seconds !== undefined &&
      { merge_delay_seconds: network.merge_delay_seconds }),
    ...(links.length > 0 && { succession: [...links] }),
  };
}

/** {@linkcode publicNetwork} as indented JSON and a newline. */
export function publicNetworkJson(network: PublishedNetwork): string {
  return `${JSON.stringify(publicNetwork(network), undefined, 2)}\n`;
}

/** The C2SP verifier key of an `ed25519` witness. */
export function witnessVkey({ id, pubkey }: WitnessKey): string {
  const publicKey = fromHex(pubkey);
  return encodeVkey({ name: id, type: NOTE_TYPE.cosignature, publicKey });
}

/** Adds the vkey of an `ed25519` witness, which the other members determine. */
function publicWitness(network: NetworkConfiguration, witness: WitnessKey): WitnessKey {
  const { id, pubkey, proof_of_possession } = witness;
  if (network.signature_scheme === "bls") {
    return { id, pubkey, ...(proof_of_possession !== undefined && { proof_of_possession }) };
  }
  const { ml_dsa_vkey, public_url } = witness;
  return {
    id,
    pubkey,
    vkey: witnessVkey(witness),
    ...(ml_dsa_vkey !== undefined && { ml_dsa_vkey }),
    ...(public_url !== undefined && { public_url }),
  };
}

function publicPeer({ id, gateway_url, min_witnesses }: PeerNetwork): PeerNetwork {
  return {
    id,
    ...(gateway_url !== undefined && { gateway_url }),
    ...(min_witnesses !== undefined && { min_witnesses }),
  };
}
