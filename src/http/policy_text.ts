/**
 * A network as a C2SP trust policy (c2sp.org/tlog-policy): who must have signed a checkpoint.
 *
 *     log <vkey>
 *     witness w1 <vkey>
 *     ...
 *     group witnesses <threshold> w1 ...
 *     quorum witnesses
 *
 * Names in it mean nothing outside: `w1` is the first witness, whose id stands in its vkey. So no
 * id can collide with the group or with the reserved name `none`.
 *
 * @module
 */

import type { NetworkConfiguration } from "../format/network.ts";
import { witnessVkey } from "../format/public_network.ts";

/** The policy of an `ed25519` network with a log key; `undefined` for another one. */
export function policyText(network: NetworkConfiguration): string | undefined {
  if (network.signature_scheme !== "ed25519" || network.log_vkey === undefined) return undefined;
  const names = network.witnesses.map((_, i) => `w${i + 1}`);
  return [
    `log ${network.log_vkey}`,
    ...network.witnesses.map((witness, i) => `witness ${names[i]} ${witnessVkey(witness)}`),
    `group witnesses ${network.threshold} ${names.join(" ")}`,
    "quorum witnesses",
    "",
  ].join("\n");
}
