/**
 * Recognises the files that a reader chooses, so that the page can say what a wrong file is.
 *
 * @module
 */

import { textOf } from "../../base/bytes.ts";
import { CountersignError, expectedError, tryParse } from "../../base/errors.ts";
import { parseBundle, type ProofBundle } from "../../proof/format/bundle.ts";
import { parseStrictJson } from "../../proof/format/strict_json.ts";
import { parseSuccessionChain, type SuccessionLink } from "../../proof/format/succession.ts";

/** No bundle comes near this size. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** The content of a file. `other` may be the file that a proof is about. */
export type SuppliedFile =
  | { readonly kind: "bundle"; readonly text: string; readonly bundle: ProofBundle }
  | { readonly kind: "damaged_bundle"; readonly error: CountersignError }
  | { readonly kind: "configuration"; readonly text: string }
  | { readonly kind: "chain"; readonly text: string; readonly links: readonly SuccessionLink[] }
  | { readonly kind: "other" };

/** Reads `file`, unless it is too large for a bundle; `file_failed`. */
export async function readSuppliedFile(file: Blob): Promise<SuppliedFile> {
  if (file.size > MAX_TEXT_BYTES) return { kind: "other" };
  const bytes = new Uint8Array(
    await file.arrayBuffer().catch((cause) => {
      throw new CountersignError("file_failed", "Cannot read the file", { cause });
    }),
  );
  return tryParse(() => recogniseText(textOf(bytes))) ?? { kind: "other" };
}

export function recogniseText(text: string): SuppliedFile {
  const names = memberNames(text);
  if (names.has("witnesses") && names.has("threshold")) return { kind: "configuration", text };
  if (!names.has("signed_attestation") && !names.has("batch_inclusion")) {
    const links = tryParse(() => parseSuccessionChain(text)) ?? [];
    return links.length > 0 ? { kind: "chain", text, links } : { kind: "other" };
  }
  try {
    return { kind: "bundle", text, bundle: parseBundle(text) };
  } catch (error) {
    return { kind: "damaged_bundle", error: expectedError(error) };
  }
}

/** The member names of a JSON object. Invalid JSON that starts like a bundle counts as one. */
function memberNames(text: string): ReadonlySet<string> {
  try {
    const value = parseStrictJson(text, "malformed_bundle");
    return new Set(typeof value === "object" && value !== null ? Object.keys(value) : []);
  } catch {
    return new Set(/^\s*\{\s*"signed_attestation"/.test(text) ? ["signed_attestation"] : []);
  }
}

/** Explains why a file is not a proof. */
export function wrongFileText(kind: "configuration" | "other"): string {
  return kind === "configuration"
    ? "It is a network's configuration. Choose it under What you trust."
    : "A proof is a file such as NAME.countersign.json, saved on the Stamp page. If this is the " +
      "stamped file itself, compare it with its proof below.";
}
