/**
 * The body of `sign-subtree`, as a client writes it.
 *
 * @module
 */

import { base64Of } from "../../../src/base/bytes.ts";
import { encodeNote } from "../../../src/proof/format/note_writer.ts";
import type { SignSubtree } from "../../../src/proof/format/sign_subtree.ts";

/** The exact body. */
export function encodeSignSubtree({ start, end, root, path, checkpoint }: SignSubtree): string {
  const hashes = [root, ...path].map((hash) => `${base64Of(hash)}\n`).join("");
  return `subtree ${start} ${end}\n${hashes}\n${encodeNote(checkpoint)}`;
}
