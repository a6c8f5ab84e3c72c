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
import { countText } from "../text.ts";

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

/** A chosen file that was read. */
export interface ReadFile<F> {
  readonly file: F;
  readonly supplied: SuppliedFile;
}

/** Files that were chosen together, each in its place. */
export interface SortedFiles<F> {
  readonly proof?: ReadFile<F>;
  /** The file that the proof may be about. */
  readonly content?: F;
  readonly chains: readonly ReadFile<F>[];
  /** What was not used, and why. */
  readonly notice?: { readonly title: string; readonly text: string };
  /** Nothing may be verified: one verdict could be read as one about every file. */
  readonly isAmbiguous: boolean;
}

/** Gives each file a place. None is left out without a notice. */
export function sortFiles<F extends { readonly name: string }>(
  files: readonly ReadFile<F>[],
): SortedFiles<F> {
  const ofKind = (...kinds: readonly SuppliedFile["kind"][]) =>
    files.filter(({ supplied }) => kinds.includes(supplied.kind));
  const [proof, ...proofs] = ofKind("bundle", "damaged_bundle");
  const [content, ...contents] = ofKind("other");
  const [configuration] = ofKind("configuration");
  const chains = ofKind("chain");
  if (proofs.length > 0) {
    const title = `${countText(proofs.length + 1)} proofs chosen: this page verifies one`;
    return { chains, isAmbiguous: true, notice: { title, text: `None was verified. ${ONE}` } };
  }
  if (contents.length > 0) {
    const title = `${countText(contents.length + 1)} files chosen: this page compares one`;
    const text = `None was compared. ${ONE} It also verifies files that a checksum list names.`;
    return { chains, isAmbiguous: true, notice: { title, text } };
  }
  return {
    chains,
    isAmbiguous: false,
    ...(proof !== undefined && { proof }),
    ...(content !== undefined && { content: content.file }),
    ...(configuration !== undefined && {
      notice: {
        title: `${configuration.file.name} is not a proof`,
        text: "It is a network's configuration. Choose it under What you trust.",
      },
    }),
  };
}

const ONE = "Choose one proof with its file. The command line verifies a whole folder: " +
  "countersign verify FOLDER.";
