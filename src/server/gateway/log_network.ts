/**
 * The parts of a configuration that a log depends on.
 *
 * @module
 */

import { utf8 } from "../../base/bytes.ts";
import { portableKernels } from "../../proof/crypto/portable_kernels.ts";
import { CountersignError } from "../../base/errors.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";

/** A configuration with the log's key. */
export type LogNetwork = NetworkConfiguration & { readonly log_vkey: string };

/** `network` with its log's key; `invalid_configuration` if it has none. */
export function logNetwork(network: NetworkConfiguration): LogNetwork {
  const { log_vkey } = network;
  if (log_vkey !== undefined) return { ...network, log_vkey };
  throw new CountersignError(
    "invalid_configuration",
    `Cannot check the log of ${network.id}: the configuration has no log_vkey`,
  );
}

/** SHA-256 of id, threshold, scheme and keys, on which all signatures depend. */
export function networkDigest(network: Omit<NetworkConfiguration, "federation">): string {
  const { id, threshold, signature_scheme, log_vkey, witnesses } = network;
  const keys = witnesses.map(({ id, pubkey }) => `${id} ${pubkey}`).sort();
  const text = ["countersign/store-network/v1", id, threshold, signature_scheme, log_vkey, ...keys];
  return portableKernels.sha256(utf8(text.join("\n"))).toHex();
}
