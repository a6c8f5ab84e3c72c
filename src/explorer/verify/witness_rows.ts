/**
 * What became of each witness in a verified bundle: those of the pinned configuration, and whoever
 * else is named.
 *
 * @module
 */

import type { ProofBundle } from "../../format/bundle.ts";
import type { NetworkConfiguration } from "../../format/network.ts";
import { isEd25519Set, type SignatureSet } from "../../format/signature_set.ts";
import type { SignedLayer, Verdict } from "../../verify/mod.ts";

/**
 * `not_counted`: it is named in a set that is invalid as a whole, or that was not looked at.
 * `unknown`: it is named and not configured.
 */
export type WitnessState = "verified" | "missing" | "wrong" | "not_counted" | "unknown";

/** One witness, by layer. `undefined`: the bundle has no such layer. */
export interface WitnessRow {
  readonly id: string;
  readonly attestation: WitnessState;
  readonly head: WitnessState | undefined;
}

/** Configured witnesses in their order, then unknown ones. */
export function witnessRows(
  network: NetworkConfiguration,
  bundle: ProofBundle,
  { layers }: Verdict,
): readonly WitnessRow[] {
  const head = bundle.batch_inclusion?.sth;
  const configured = new Set(network.witnesses.map(({ id }) => id));
  const named = new Set([
    ...idsOf(bundle.signed_attestation),
    ...(head === undefined ? [] : idsOf(head)),
  ]);
  return [...configured.union(named)].map((id) => {
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
): WitnessState {
  if (!idsOf(set).includes(id)) return isKnown ? "missing" : "unknown";
  if (!isKnown) return "unknown";
  if (signatures?.signers.includes(id)) return "verified";
  return witness === id ? "wrong" : "not_counted";
}

function idsOf(set: SignatureSet): readonly string[] {
  return isEd25519Set(set) ? set.signatures.map(({ witness_id }) => witness_id) : set.signers;
}
