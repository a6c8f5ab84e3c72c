/**
 * When a witness signs a round whose time is more than 60 s old (protocol.md "Witness"): if others of its
 * network signed the very text when it was new, so many that one of them is honest as long as two quorums
 * share an honest witness. So a round that some witnesses signed before an outage can be completed, with
 * its time.
 *
 * @module
 */

import type { Bytes } from "../base/bytes.ts";
import type { WitnessSignature } from "../proof/format/signature_set.ts";
import type { TrustCore } from "../proof/format/trust_core.ts";
import { vouchersNeeded } from "../proof/format/witness_request.ts";
import { verifies } from "../proof/verify/threshold.ts";
import type { VerifierCrypto } from "../proof/verify/verifier_crypto.ts";

export interface VouchRule {
  /** The configuration of the witness's network in `epoch`; `undefined` if the witness does not know it. */
  readonly network: (epoch: number) => Promise<TrustCore | undefined>;
  readonly crypto: Pick<VerifierCrypto, "ed25519" | "bls">;
}

/** Whether enough distinct witnesses of `network` signed `message`. Others, and wrong signatures, do not count. */
export async function isVouched(
  crypto: VouchRule["crypto"],
  network: TrustCore,
  message: Bytes,
  vouchers: readonly WitnessSignature[],
): Promise<boolean> {
  const { signature_scheme: scheme, threshold, witnesses } = network;
  const signatures = new Map(vouchers.map(({ witness_id, signature }) => [witness_id, signature]));
  let count = 0;
  for (const { id, pubkey } of witnesses) {
    const signature = signatures.get(id);
    if (signature === undefined) continue;
    if (await verifies(crypto, scheme, pubkey, message, signature)) count++;
  }
  return count >= vouchersNeeded(threshold, witnesses.length);
}
