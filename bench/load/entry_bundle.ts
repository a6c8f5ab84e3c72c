/**
 * Entry bundles of c2sp.org/tlog-tiles: each entry after its length in two bytes, big-endian.
 *
 * @module
 */

/** The entries of `bundle`, as views. */
export function entriesOf(bundle: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.length);
  const entries: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < bundle.length;) {
    const start = at + 2;
    at = start + view.getUint16(at);
    if (at > bundle.length) throw new Error("Cannot read entries: whole ones required");
    entries.push(bundle.subarray(start, at));
  }
  return entries;
}
