/**
 * The public configuration as text: what `GET /v1/network` and `network.public.json` hold.
 *
 * @module
 */

import type { NetworkConfiguration } from "../format/network.ts";

/**
 * JSON of `network`, members in the order of contract A3 and B3, and a newline. It is built member
 * by member, so that nothing can be in it that is not named here: no endpoint, token or path.
 */
export function publicNetworkJson(network: NetworkConfiguration): string {
  const { federation } = network;
  const publicPart: NetworkConfiguration = {
    id: network.id,
    witnesses: network.witnesses.map((witness) => ({
      id: witness.id,
      pubkey: witness.pubkey,
      ...(witness.vkey !== undefined && { vkey: witness.vkey }),
      ...(witness.proof_of_possession !== undefined &&
        { proof_of_possession: witness.proof_of_possession }),
    })),
    threshold: network.threshold,
    signature_scheme: network.signature_scheme,
    federation: {
      enabled: federation.enabled,
      peer_networks: federation.peer_networks.map((peer) => ({
        id: peer.id,
        ...(peer.gateway_url !== undefined && { gateway_url: peer.gateway_url }),
        ...(peer.min_witnesses !== undefined && { min_witnesses: peer.min_witnesses }),
      })),
      cross_anchor_threshold: federation.cross_anchor_threshold,
    },
    ...(network.log_vkey !== undefined && { log_vkey: network.log_vkey }),
    ...(network.merge_delay_seconds !== undefined &&
      { merge_delay_seconds: network.merge_delay_seconds }),
  };
  return `${JSON.stringify(publicPart, undefined, 2)}\n`;
}
