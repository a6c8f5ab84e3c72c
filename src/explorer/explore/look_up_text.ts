/**
 * Reads what a reader looks up: a hash, a line of `sha256sum`, the address of a proof, a batch or a
 * position.
 *
 * @module
 */

import { HASH_LENGTH, integerOf } from "../../base/bytes.ts";
import { readPastedHash } from "../hashing/pasted_hash.ts";
import { parseRoute, type Route } from "../route.ts";

/** The pages that a text leads to, or why it leads to none. A bare number leads to two. */
export type LookUp =
  | { readonly routes: readonly Route[] }
  | { readonly fault: string };

const NUMBER = /^(?:(batch|position)\s*)?(\d[\d,]*)$/i;

export function readLookUp(text: string, { hasBatches = true } = {}): LookUp {
  const trimmed = text.trim();
  const [, fragment] = /^https?:\/\/[^#\s]*(#\S*)$/.exec(trimmed) ?? [];
  if (fragment !== undefined) return addressOf(fragment);
  const [, kind, digits = ""] = NUMBER.exec(trimmed) ?? [];
  // 64 digits of 0 to 9 are a hash.
  if (digits !== "" && digits.length < HASH_LENGTH * 2) {
    return numberOf(kind ?? (hasBatches ? undefined : "position"), digits);
  }
  const pasted = readPastedHash(trimmed);
  if ("hash" in pasted) return { routes: [{ page: "proof", hash: pasted.hash }] };
  return trimmed === "" ? { fault: "Enter a hash, a batch or a position" } : pasted;
}

function addressOf(fragment: string): LookUp {
  const route = parseRoute(fragment);
  return route.page === "unknown"
    ? { fault: "This is not the address of a proof" }
    : { routes: [route] };
}

function numberOf(kind: string | undefined, digits: string): LookUp {
  const number = integerOf(digits.replaceAll(",", ""));
  if (number === undefined) return { fault: "A batch or a position is a number such as 1234" };
  const batch = { page: "batch", id: number } as const;
  const position = { page: "position", index: number } as const;
  if (kind === undefined) return { routes: [batch, position] };
  return { routes: [kind.toLowerCase() === "batch" ? batch : position] };
}
