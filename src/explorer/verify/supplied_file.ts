/**
 * Recognises the files that a reader chooses, so that the page can say what a wrong file is.
 *
 * @module
 */

import { type Bytes, hexOf, textOf } from "../../base/bytes.ts";
import { CountersignError, expectedError, tryParse } from "../../base/errors.ts";
import { parseBundle, type ProofBundle } from "../../proof/format/bundle.ts";
import { parseStrictJson } from "../../proof/format/strict_json.ts";
import { parseSuccessionChain, type SuccessionLink } from "../../proof/format/succession.ts";
import type { Certificate } from "../../proof/timestamp/certificate.ts";
import type { TimeStampToken } from "../../proof/timestamp/token.ts";
import type { TimestampLoader } from "../assets.ts";
import { fileWord } from "../stamp/command_line.ts";
import { countText } from "../text.ts";
import type { Fault } from "./timestamp_script.ts";

/** No bundle or token comes near this size. */
const MAX_PROOF_BYTES = 4 * 1024 * 1024;

/** A time-stamp token, and the proof that it carries. */
export interface SuppliedToken {
  /** The bytes of its file in hex. */
  readonly text: string;
  readonly token: TimeStampToken;
  readonly bundle?: ProofBundle;
}

/** The content of a file. `other` may be the file that a proof is about. */
export type SuppliedFile =
  | { readonly kind: "bundle"; readonly text: string; readonly bundle: ProofBundle }
  | { readonly kind: "damaged_bundle"; readonly error: CountersignError }
  | { readonly kind: "timestamp" } & SuppliedToken
  | { readonly kind: "damaged_timestamp"; readonly error: CountersignError }
  | { readonly kind: "configuration"; readonly text: string }
  | { readonly kind: "chain"; readonly text: string; readonly links: readonly SuccessionLink[] }
  /** A proof that this page does not read. */
  | { readonly kind: "unread"; readonly notice: Notice }
  /** As Stamp saves many proofs. Someone may also have stamped it. */
  | { readonly kind: "archive" }
  | { readonly kind: "other" };

/** What was not used, and why. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

/**
 * Reads `file`, unless it is too large for a proof; `file_failed`, {@linkcode PartNotLoaded} for a token
 * without the script that reads it.
 */
export async function readSuppliedFile(
  file: Blob & { readonly name?: string },
  timestamps: TimestampLoader,
): Promise<SuppliedFile> {
  const { name = "" } = file;
  if (/^proofs-\d{8}-\d{6}.*\.zip$/.test(name)) return { kind: "archive" };
  if (file.size > MAX_PROOF_BYTES) return { kind: "other" };
  const bytes = await fileBytes(file);
  const found = recogniseBytes(bytes, name);
  const isNamedToken = /\.(tsr|tst)$/i.test(name);
  const mayBeToken = isNamedToken || bytes[0] === DER_SEQUENCE && bytes[1]! >= LONG_LENGTH;
  if (found.kind !== "other" || !mayBeToken) return found;
  const { readTokenFile } = await timestamps();
  const read = readTokenFile(bytes);
  if ("fault" in read) {
    const error = new CountersignError("timestamp_refused", read.fault);
    return read.isToken || isNamedToken ? { kind: "damaged_timestamp", error } : found;
  }
  try {
    const { token } = read;
    const bundle = token.proof && parseBundle(textOf(token.proof, "malformed_bundle"));
    return { kind: "timestamp", text: hexOf(bytes), token, ...(bundle && { bundle }) };
  } catch (error) {
    return { kind: "damaged_timestamp", error: expectedError(error) };
  }
}

/** Its name says what a file is whose content is damaged, or not text. */
function recogniseBytes(bytes: Bytes, name: string): SuppliedFile {
  const found = tryParse(() => recogniseText(textOf(bytes))) ?? { kind: "other" };
  if (found.kind !== "other") return found;
  if (/\.countersign\.json$/i.test(name)) return damagedBundle(bytes);
  const format = /\.tlog-proof$/i.test(name)
    ? "tlog-proof"
    : /\.countersign\.cose$/i.test(name)
    ? "COSE receipt"
    : undefined;
  if (format === undefined) return found;
  const title = `${name} is a ${format}, which this page does not read`;
  const text = "Choose the NAME.countersign.json of the same file, or run the command line: " +
    `countersign verify ${fileWord(name)}`;
  return { kind: "unread", notice: { title, text } };
}

function damagedBundle(bytes: Bytes): SuppliedFile {
  const error = bytes.length === 0
    ? new CountersignError("malformed_bundle", "The file is empty")
    : new CountersignError("malformed_bundle", "The file does not contain a proof");
  return { kind: "damaged_bundle", error };
}

/** `file_failed`. */
export async function fileBytes(file: Blob): Promise<Bytes> {
  const buffer = await file.arrayBuffer().catch((cause) => {
    throw new CountersignError("file_failed", "Cannot read the file", { cause });
  });
  return new Uint8Array(buffer);
}

/** The first bytes of a token: no text begins like them. */
const DER_SEQUENCE = 0x30;
const LONG_LENGTH = 0x80;

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
  readonly notice?: Notice;
  /** Nothing may be verified: one verdict could be read as one about every file. */
  readonly isAmbiguous: boolean;
}

/** Gives each file a place. None is left out without a notice. */
export function sortFiles<F extends { readonly name: string }>(
  files: readonly ReadFile<F>[],
): SortedFiles<F> {
  const ofKind = (...kinds: readonly SuppliedFile["kind"][]) =>
    files.filter(({ supplied }) => kinds.includes(supplied.kind));
  const [proof, ...proofs] = ofKind(
    "bundle",
    "damaged_bundle",
    "timestamp",
    "damaged_timestamp",
  );
  const archives = ofKind("archive");
  const [content, ...contents] = [...ofKind("other"), ...(proof === undefined ? [] : archives)];
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
  const notice = files.map((file) => noticeOf(file, proof !== undefined))
    .find((found) => found !== undefined);
  return {
    chains,
    isAmbiguous: false,
    ...(proof !== undefined && { proof }),
    ...(content !== undefined && { content: content.file }),
    ...(notice !== undefined && { notice }),
  };
}

function noticeOf(
  { file: { name }, supplied }: ReadFile<{ readonly name: string }>,
  hasProof: boolean,
): Notice | undefined {
  switch (supplied.kind) {
    case "configuration": {
      const text = "It is a network's configuration. Choose it under What you trust.";
      return { title: `${name} is not a proof`, text };
    }
    case "archive": {
      const text = `Unpack it first. ${ONE}`;
      return hasProof ? undefined : { title: `${name} is an archive of proofs`, text };
    }
    case "unread":
      return supplied.notice;
    default:
      return undefined;
  }
}

const ONE = "Choose one proof with its file. The command line verifies a whole folder: " +
  "countersign verify FOLDER.";

/** Root certificates of a time-stamp authority. */
export interface ChosenRoots {
  readonly name: string;
  /** Differs between different certificates. */
  readonly text: string;
  readonly certificates: readonly Certificate[];
}

/** More than the roots of an operating system. */
const MAX_ROOTS_BYTES = 4 * 1024 * 1024;

/** The certificates in `file`, or why it has none; `file_failed`, {@linkcode PartNotLoaded}. */
export async function chosenRoots(
  file: File,
  timestamps: TimestampLoader,
): Promise<ChosenRoots | Fault> {
  if (file.size > MAX_ROOTS_BYTES) return { fault: "It is too large for root certificates" };
  const { readRootsFile } = await timestamps();
  const read = readRootsFile(await fileBytes(file));
  if ("fault" in read) return read;
  const { certificates } = read;
  return { name: file.name, text: certificates.map(({ der }) => hexOf(der)).join(), certificates };
}
