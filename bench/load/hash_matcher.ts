/**
 * Checks that an answer is about the requested hash. Its offset in the body is the same in all
 * answers, except for the widths of some numbers.
 *
 * @module
 */

import type { Answer } from "./answer_reader.ts";
import { equalHex, HEX_LENGTH } from "./request_bytes.ts";

export class HashMatcher {
  /** The offset in the last body. */
  #at = 0;

  /** `start` is the offset of the digits in `request`. */
  matches(answer: Answer, request: Uint8Array, start: number): boolean {
    const { bytes, bodyStart, bodyEnd } = answer;
    const at = bodyStart + this.#at;
    if (at + HEX_LENGTH <= bodyEnd && equalHex(bytes, at, request, start)) return true;
    const hash = textOf(request.subarray(start, start + HEX_LENGTH));
    const found = textOf(answer.body).indexOf(`"${hash}"`);
    if (found < 0) return false;
    this.#at = found + 1;
    return true;
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
