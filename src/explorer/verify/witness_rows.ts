/**
 * The state of each witness in a verified bundle: configured ones, and unknown ones that it names.
 *
 * @module
 */

import type { ProofBundle } from "../../proof/format/bundle.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import { type SignatureSet, signerIds } from "../../proof/format/signature_set.ts";
import type { SignedLayer, Verdict } from "../../proof/verify/mod.ts";

/**
 * `not_counted`: the set that names it is invalid for another reason, or was not checked.
 * `unknown`: it is not configured.
 */
export type WitnessVerdict = "verified" | "missing" | "wrong" | "not_counted" | "unknown";

/** One witness. `head` is undefined if the bundle has no tree head. */
export interface WitnessRow {
  readonly id: string;
  readonly attestation: WitnessVerdict;
  readonly head: WitnessVerdict | undefined;
}

/** Configured witnesses in the configured order, then unknown ones. */
export function witnessRows(
  network: NetworkConfiguration,
  bundle: ProofBundle,
  { layers }: Verdict,
): readonly WitnessRow[] {
  const head = bundle.batch_inclusion?.sth;
  const configured = new Set(network.witnesses.map(({ id }) => id));
  const ids = new Set([
    ...configured,
    ...signerIds(bundle.signed_attestation),
    ...(head === undefined ? [] : signerIds(head)),
  ]);
  return [...ids].map((id) => {
    const isKnown = configured.has(id);
    return {
      id,
      attestation: stateIn(id, isKnown, bundle.signed_attestation, layers.attestation),
      head: head && stateIn(id, isKnown, head, layers.batch),
    };
  });
}

function stateIn(
  id: string,
  isKnown: boolean,
  set: SignatureSet,
  { signatures, witness }: SignedLayer,
): WitnessVerdict {
  if (!isKnown) return "unknown";
  if (!signerIds(set).includes(id)) return "missing";
  if (signatures?.signers.includes(id)) return "verified";
  return witness === id ? "wrong" : "not_counted";
}
