/**
 * What of a configuration a log depends on.
 *
 * @module
 */

import { utf8 } from "../bytes.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";
import { CountersignError } from "../errors.ts";
import type { NetworkConfiguration } from "../format/network.ts";

/** A configuration that says by which key the log signs. */
export type LogNetwork = NetworkConfiguration & { readonly log_vkey: string };

/** `network` with its log's key; `invalid_configuration` where there is none. */
export function logNetwork(network: NetworkConfiguration): LogNetwork {
  const { log_vkey } = network;
  if (log_vkey !== undefined) return { ...network, log_vkey };
  throw new CountersignError(
    "invalid_configuration",
    `Cannot check the log of ${network.id}: a log_vkey required in the configuration, found none`,
  );
}

/** Names a network by what its signatures depend on: SHA-256 of id, threshold, scheme and keys. */
export function networkDigest(network: NetworkConfiguration): string {
  const { id, threshold, signature_scheme, log_vkey, witnesses } = network;
  const keys = witnesses.map(({ id, pubkey }) => `${id} ${pubkey}`).sort();
  const text = ["countersign/store-network/v1", id, threshold, signature_scheme, log_vkey, ...keys];
  return portableKernels.sha256(utf8(text.join("\n"))).toHex();
}
