/**
 * The body of a checkpoint of any log (c2sp.org/tlog-checkpoint). Logs other than ours may have an
 * origin that is no network id, and extension lines.
 *
 *     <origin>
 *     <tree size>
 *     <base64 root hash>
 *     [<extension line> ...]
 *
 * @module
 */

import {
  base64Of,
  type Bytes,
  bytesOfBase64,
  HASH_LENGTH,
  integerOf,
  utf8,
} from "../../base/bytes.ts";
import { errorBuilder, tryParse } from "../../base/errors.ts";

/** Size and root of a log, as its checkpoint states them. Not verified. */
export interface LogCheckpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Bytes;
  /** Without newlines. */
  readonly extensions: readonly string[];
}

const malformed = errorBuilder("malformed_text", "Cannot read checkpoint");

/** The specification has no bound. A longer origin would exceed the largest key of the stores. */
const MAX_ORIGIN_BYTES = 1024;

/** True for the origin of any log that a note can have; that of a network is `isNetworkId()`. */
export function isOrigin(text: string): boolean {
  return text !== "" && text.isWellFormed() && utf8(text).length <= MAX_ORIGIN_BYTES &&
    // deno-lint-ignore no-control-regex
    !/[\u0000-\u001f]/.test(text);
}

/** Parses the text of a checkpoint's note in its only spelling; `malformed_text`. */
export function parseLogCheckpoint(text: string): LogCheckpoint {
  const [origin = "", sizeText = "", rootText = "", ...rest] = text.split("\n");
  const size = integerOf(sizeText);
  const root = bytesOfBase64(rootText);
  const extensions = rest.slice(0, -1);
  if (origin === "") throw malformed("it has no origin");
  if (size === undefined) throw malformed("the tree size is not an integer in [0, 2^53)");
  if (root?.length !== HASH_LENGTH) throw malformed("the root hash is not 32 bytes");
  if (rest.at(-1) !== "") throw malformed("it does not end in a newline");
  // SPEC: extension lines MUST be non-empty.
  if (extensions.includes("")) throw malformed("it has an empty extension line");
  return { origin, size, root, extensions };
}

/** True for the text of a checkpoint that is well formed, with a tree size of 2^53 or more. */
export function hasLargeSize(text: string): boolean {
  const [origin = "", size = "", ...rest] = text.split("\n");
  if (!/^[1-9][0-9]*$/.test(size) || integerOf(size) !== undefined) return false;
  return tryParse(() => parseLogCheckpoint([origin, "0", ...rest].join("\n"))) !== undefined;
}

/** The text that {@linkcode parseLogCheckpoint} reads. */
export function encodeLogCheckpoint({ origin, size, root, extensions }: LogCheckpoint): string {
  return [origin, size, base64Of(root), ...extensions, ""].join("\n");
}
