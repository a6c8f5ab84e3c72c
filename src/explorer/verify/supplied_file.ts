/**
 * Tells what a file is that a reader supplies, so that one in the wrong place is called by its name.
 *
 * @module
 */

import { textOf } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import { parseBundle, type ProofBundle } from "../../format/bundle.ts";
import { parseStrictJson } from "../../format/strict_json.ts";

/** A bundle of a tree of 2^53 leaves with many anchors stays far below. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** What a file holds. `other`: neither; its content may be what a proof is about. */
export type SuppliedFile =
  | { readonly kind: "bundle"; readonly text: string; readonly bundle: ProofBundle }
  | { readonly kind: "damaged_bundle"; readonly error: CountersignError }
  | { readonly kind: "configuration"; readonly text: string }
  | { readonly kind: "other" };

/** Reads `file`, unless it is too large to be anything but content; `file_failed`. */
export async function readSuppliedFile(file: Blob): Promise<SuppliedFile> {
  if (file.size > MAX_TEXT_BYTES) return { kind: "other" };
  const bytes = new Uint8Array(
    await file.arrayBuffer().catch((cause) => {
      throw new CountersignError("file_failed", "Cannot read: a readable file required", { cause });
    }),
  );
  try {
    return recogniseText(textOf(bytes));
  } catch (error) {
    if (error instanceof CountersignError) return { kind: "other" };
    throw error;
  }
}

/** What `text` is. */
export function recogniseText(text: string): SuppliedFile {
  const names = memberNames(text);
  if (names.has("witnesses") && names.has("threshold")) return { kind: "configuration", text };
  if (!names.has("signed_attestation") && !names.has("batch_inclusion")) return { kind: "other" };
  try {
    return { kind: "bundle", text, bundle: parseBundle(text) };
  } catch (error) {
    if (error instanceof CountersignError) return { kind: "damaged_bundle", error };
    throw error;
  }
}

/** The members of the object that `text` is; by its looks where it is no JSON at all. */
function memberNames(text: string): ReadonlySet<string> {
  try {
    const value = parseStrictJson(text, "malformed_bundle");
    return new Set(typeof value === "object" && value !== null ? Object.keys(value) : []);
  } catch {
    return new Set(/^\s*\{\s*"signed_attestation"/.test(text) ? ["signed_attestation"] : []);
  }
}

/** Why a file that was supplied as a proof is none, for a reader. */
export function wrongFileText(kind: "configuration" | "other"): string {
  return kind === "configuration"
    ? "It is a network's configuration. Supply it where you say what you trust."
    : "A proof is a file such as NAME.countersign.json, as Stamp saves it. If this is the file " +
      "itself, compare it with its proof below.";
}
