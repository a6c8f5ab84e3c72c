/**
 * Compares a tile with what it has to be.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import type { FaultLog } from "./faults.ts";

/** A tile as it was found: its nodes, or what was there in their place. */
export type FoundNodes = { readonly value: Bytes } | { readonly damage: string } | undefined;

/** Reports the first node of `found` that is not the `required` one. */
export function compareNodes(
  faults: FaultLog,
  part: "tile" | "edge",
  place: string | number,
  required: Bytes,
  stored: FoundNodes,
): void {
  const whole = `${required.length} bytes of nodes`;
  if (stored === undefined) return faults.add(part, place, whole, "none");
  if ("damage" in stored) return faults.add(part, place, whole, stored.damage);
  const found = stored.value;
  if (found.length !== required.length) {
    return faults.add(part, place, whole, `${found.length} bytes`);
  }
  const wrong = firstDifference(required, found);
  if (wrong < 0) return;
  const node = Math.floor(wrong / HASH_LENGTH);
  const at = (nodes: Bytes) => nodes.subarray(node * HASH_LENGTH, (node + 1) * HASH_LENGTH).toHex();
  faults.add(part, place, `${at(required)} as node ${node}`, at(found));
}

/** Index of the first byte in which two arrays of one length differ; -1 when there is none. */
function firstDifference(a: Bytes, b: Bytes): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return i;
  return -1;
}
