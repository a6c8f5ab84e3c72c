/**
 * Entry bundles (c2sp.org/tlog-tiles): up to 256 attestation texts, each after its length in two
 * bytes.
 *
 * @module
 */

import { type Bytes, concat, textOf } from "../bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError } from "../errors.ts";
import { type Attestation, parseAttestation } from "./attestation.ts";

const LENGTH_BYTES = 2;

/** The leaves of a bundle. */
export interface EntryBundle {
  /** Packed leaf hashes. */
  readonly leaves: Bytes;
  /** The attestation of each entry, `undefined` if its text is malformed. */
  readonly attestations: readonly (Attestation | undefined)[];
}

/** Splits a bundle; `undefined` unless it has exactly `count` entries. */
export function splitEntryBundle(
  kernels: Kernels,
  bundle: Bytes,
  count: number,
): EntryBundle | undefined {
  const texts: Bytes[] = [];
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.length);
  let at = 0;
  while (at + LENGTH_BYTES <= bundle.length) {
    const start = at + LENGTH_BYTES;
    at = start + view.getUint16(at);
    if (at > bundle.length) return undefined;
    texts.push(bundle.subarray(start, at));
  }
  if (at !== bundle.length || texts.length !== count) return undefined;
  let end = 0;
  const ends = Uint32Array.from(texts, (text) => end += text.length);
  return {
    leaves: kernels.leafHashes(concat(...texts), ends),
    attestations: texts.map(attestationOf),
  };
}

function attestationOf(text: Bytes): Attestation | undefined {
  try {
    return parseAttestation(textOf(text));
  } catch (error) {
    if (error instanceof CountersignError) return undefined;
    throw error;
  }
}
