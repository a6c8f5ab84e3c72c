/**
 * Entry bundles (c2sp.org/tlog-tiles): up to 256 attestation texts, each after its length in two
 * bytes.
 *
 * @module
 */

import { type Bytes, concat, textOf } from "../../base/bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { tryParse } from "../../base/errors.ts";
import { type Attestation, parseAttestation } from "./attestation.ts";

const LENGTH_BYTES = 2;

/** The entries of a bundle of any log, as views; `undefined` if the lengths do not match. */
export function splitEntries(bundle: Bytes): Bytes[] | undefined {
  const entries: Bytes[] = [];
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.length);
  let at = 0;
  while (at + LENGTH_BYTES <= bundle.length) {
    const start = at + LENGTH_BYTES;
    at = start + view.getUint16(at);
    if (at > bundle.length) return undefined;
    entries.push(bundle.subarray(start, at));
  }
  return at === bundle.length ? entries : undefined;
}

/** The packed leaf hashes of `entries`. */
export function entryLeaves(kernels: Kernels, entries: readonly Bytes[]): Bytes {
  let end = 0;
  const ends = Uint32Array.from(entries, (entry) => end += entry.length);
  return kernels.leafHashes(concat(...entries), ends);
}

/** The first `count` entries of a bundle as a bundle; `undefined` if it has fewer. */
export function firstEntries(bundle: Bytes, count: number): Bytes | undefined {
  const entries = splitEntries(bundle);
  if (entries === undefined || entries.length < count) return undefined;
  const length = entries.slice(0, count)
    .reduce((total, entry) => total + LENGTH_BYTES + entry.length, 0);
  return bundle.slice(0, length);
}

/** The attestation in an entry; `undefined` if its text is malformed. */
export function attestationIn(entry: Bytes): Attestation | undefined {
  return tryParse(() => parseAttestation(textOf(entry)));
}
