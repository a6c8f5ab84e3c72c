/**
 * Finds and reads the proofs that `stamp --save` wrote: `FILE.countersign.json` beside FILE, or the
 * proof of a checksum list that contains FILE.
 *
 * @module
 */

import { dirname, join, relative, resolve, sep } from "node:path";
import { type Bytes, hexOf } from "../../base/bytes.ts";
import { CountersignError, tryParse } from "../../base/errors.ts";
import {
  parseBundle,
  parseSignedAttestation,
  type ProofBundle,
  type SignedAttestation,
} from "../../proof/format/bundle.ts";
import { parseChecksums } from "../../proof/format/checksum_list.ts";
import { isReceipt } from "../../proof/format/cose_receipt.ts";
import { parseStrictJson } from "../../proof/format/strict_json.ts";
import { encodeObjectIdentifier } from "../../proof/timestamp/asn1.ts";
import { isTimestamp, parseTimestamp } from "../../proof/timestamp/attested_token.ts";
import { TST_INFO } from "../../proof/timestamp/token.ts";
import type { CommandContext } from "../command_context.ts";
import { beginOf, documentAt, kindOf, parseDocument, readDocument, STDIN } from "../input_file.ts";
import { fileWord } from "../shell_word.ts";
import { OTHER_FORMATS, PROOF_SUFFIX } from "./file_walk.ts";
import { KIND_NAMES, type ProofKind } from "./proof_options.ts";

/** Of a time-stamp reply, as the documents of `openssl ts` name it. */
const TOKEN_SUFFIX = ".tsr";

/** Of proofs that are no JSON. */
const OTHER_SUFFIXES = [OTHER_FORMATS.tlogProof, OTHER_FORMATS.receipt, TOKEN_SUFFIX];
/** Of files that are proofs of the file whose name they continue. */
const PROOF_SUFFIXES = [PROOF_SUFFIX, ...OTHER_SUFFIXES];

/** The name of a checksum list that is found without being named. */
export const LIST_NAME = "SHA256SUMS";

/** What `verify` takes: our own documents, and proofs of any log. */
export type Proof =
  | { readonly kind: "bundle"; readonly bundle: ProofBundle }
  | { readonly kind: "attestation"; readonly signed: SignedAttestation }
  | { readonly kind: "timestamp"; readonly bytes: Bytes }
  | LogProof;

/** Not parsed. */
export interface LogProof {
  readonly kind: "tlog-proof" | "receipt";
  readonly bytes: Bytes;
}

export function isLogProof(proof: Proof): proof is LogProof {
  return proof.kind === "tlog-proof" || proof.kind === "receipt";
}

/** A file with its digest, or the digest that a checksum list states. */
export interface HashedFile {
  readonly file: string;
  readonly hash: string;
}

/** A proof, and the file that it should be about. */
export interface FoundProof {
  readonly proof: string;
  readonly content?: string;
  /** A file that `content`, a checksum list, contains. */
  readonly listed?: HashedFile;
}

/** Parses a bundle or a signed attestation; `malformed_bundle`. */
function parseProof(text: string): Proof {
  const value = parseStrictJson(text, "malformed_bundle");
  const isObject = typeof value === "object" && value !== null;
  if (isObject && Object.hasOwn(value, "signed_attestation")) {
    return { kind: "bundle", bundle: parseBundle(text) };
  }
  return { kind: "attestation", signed: parseSignedAttestation(text) };
}

export async function readProof(context: CommandContext, name: string): Promise<Proof> {
  const bytes = await documentAt(context, name);
  const kind = binaryKind(bytes);
  if (kind !== undefined) return { kind, bytes };
  try {
    return parseDocument(name, bytes, "malformed_bundle", parseProof);
  } catch (cause) {
    if (!(cause instanceof CountersignError)) throw cause;
    if (name.endsWith(TOKEN_SUFFIX)) {
      throw new CountersignError(
        cause.code,
        `${cause.message}: it is not a time stamp, or it is damaged (get it again, or request another one)`,
        { cause },
      );
    }
    const text = new TextDecoder().decode(bytes);
    if (tryParse(() => parseStrictJson(text, cause.code)) !== undefined) throw cause;
    throw new CountersignError(
      cause.code,
      `${cause.message}: it is not a proof, or it is damaged (move it away and get it again: ` +
        `${context.commandLine(`stamp --save ${savedFor(name)}`)})`,
      { cause },
    );
  }
}

/**
 * The bundle in file `name`. `malformed_bundle`, also for a proof of another kind: `instead` says what is
 * possible with it.
 */
export async function readBundle(
  context: CommandContext,
  name: string,
  { failure, instead }: {
    readonly failure: string;
    readonly instead: (kind: ProofKind) => string;
  },
): Promise<ProofBundle> {
  const proof = await readProof(context, name);
  if (proof.kind === "bundle") return proof.bundle;
  throw notABundle(name, proof.kind, { failure, instead: instead(proof.kind) });
}

export function notABundle(
  name: string,
  kind: ProofKind,
  { failure, instead }: { readonly failure: string; readonly instead: string },
): CountersignError {
  return new CountersignError(
    "malformed_bundle",
    `${failure} "${name}": it is ${KIND_NAMES[kind]} (${instead})`,
  );
}

/** The file that proof `name` is saved for, as a word of a command. */
function savedFor(name: string): string {
  return name.endsWith(PROOF_SUFFIX) ? fileWord(name.slice(0, -PROOF_SUFFIX.length)) : "FILE";
}

const TLOG_PROOF_LINE = "c2sp.org/tlog-proof@";

/** The kind of a proof that is no JSON. */
function binaryKind(bytes: Bytes): LogProof["kind"] | "timestamp" | undefined {
  if (isReceipt(bytes)) return "receipt";
  if (isTimestamp(bytes)) return "timestamp";
  const line = String.fromCharCode(...bytes.subarray(0, TLOG_PROOF_LINE.length));
  return line === TLOG_PROOF_LINE ? "tlog-proof" : undefined;
}

/** Bytes of a token before its TSTInfo, with room for the texts of a reply. */
const TOKEN_BEGIN_BYTES = 1 << 10;
const TST_INFO_TYPE = hexOf(encodeObjectIdentifier(TST_INFO));

/** Whether `bytes`, which begin like a token, have the type of its content. */
function hasTimestamp(bytes: Bytes): boolean {
  return hexOf(bytes.subarray(0, TOKEN_BEGIN_BYTES)).includes(TST_INFO_TYPE);
}

/** Enough to recognise a proof. */
const BEGIN_BYTES = 1 << 20;

/** Whether a file is meant as a proof. It may be damaged. */
export async function looksLikeProof(context: CommandContext, name: string): Promise<boolean> {
  if (name.endsWith(PROOF_SUFFIX) || await kindOf(context, name) !== "file") return true;
  const bytes = await beginOf(context, name, BEGIN_BYTES);
  const kind = binaryKind(bytes);
  // Certificates, keys and signatures begin like a token.
  if (kind !== undefined) return kind !== "timestamp" || hasTimestamp(bytes);
  const begin = new TextDecoder("latin1").decode(bytes);
  return /^\s*\{/.test(begin) && /"(signed_)?attestation"/.test(begin);
}

/** Whether a file is a time-stamp token with a proof of ours. */
async function carriesProof(context: CommandContext, name: string): Promise<boolean> {
  if (!name.endsWith(TOKEN_SUFFIX)) return false;
  const bytes = await beginOf(context, name, BEGIN_BYTES);
  return tryParse(() => parseTimestamp(bytes))?.proof !== undefined;
}

/** The proof of another file that `name` says to be. */
async function proofNamed(
  context: CommandContext,
  name: string,
): Promise<FoundProof | undefined> {
  const suffix = PROOF_SUFFIXES.find((each) => name.endsWith(each));
  if (suffix === undefined) return undefined;
  const content = name.slice(0, -suffix.length);
  const isBeside = await kindOf(context, content) === "file";
  return { proof: name, ...(isBeside && { content }) };
}

/** Finds proofs, and reads each checksum list once. */
export class ProofFinder {
  readonly #context: CommandContext;
  readonly #list: string | undefined;
  readonly #lists = new Map<string, Promise<ReadonlyMap<string, string>>>();
  readonly #proved = new Map<string, Promise<boolean>>();

  /** `list` is searched instead of `SHA256SUMS` in the folder of a file and above it. */
  constructor(context: CommandContext, list?: string) {
    this.#context = context;
    this.#list = list;
  }

  /**
   * The proof of file `name`, or of a checksum list that contains it; `undefined` if there is none, or if
   * the list that the user names does not contain it. `file_failed` if only the proof exists.
   */
  async find(name: string): Promise<FoundProof | undefined> {
    const context = this.#context;
    if (name === STDIN) return undefined;
    const list = this.#list;
    if (list !== undefined && await kindOf(context, name) !== undefined) {
      // No other proof counts than that of the list: it may be of a file that was added or replaced.
      const listed = await this.#listedIn(list, name);
      if (listed !== undefined || !this.#isOfList(list, name)) return listed;
    }
    const beside = name + PROOF_SUFFIX;
    if (await kindOf(context, beside) === "file") {
      if (await kindOf(context, name) === undefined) throw missing(name, beside);
      return { proof: beside, content: name };
    }
    const named = await proofNamed(context, name);
    // Tokens of other authorities are files of a release, which its list may name.
    if (named !== undefined && !name.endsWith(TOKEN_SUFFIX)) return named;
    if (list !== undefined || await kindOf(context, name) === undefined) return named;
    return await this.#listedAbove(name) ?? named;
  }

  /** The files of a checksum list by their paths from its folder. */
  async list(list: string): Promise<ReadonlyMap<string, string>> {
    return await remembered(this.#lists, list, async () => {
      const files = await readDocument(this.#context, list, "malformed_text", parseChecksums);
      const hashes = new Map<string, string>();
      for (const { name, hash } of files) {
        const path = this.#pathFrom(list, name);
        if ((hashes.get(path) ?? hash) !== hash) throw ambiguous(list, path);
        hashes.set(path, hash);
      }
      return hashes;
    });
  }

  async #listedIn(list: string, name: string): Promise<FoundProof | undefined> {
    const path = this.#pathFrom(list, resolve(this.#context.io.resolvePath(name)));
    const hash = (await this.list(list)).get(path);
    if (hash === undefined) return undefined;
    return { proof: list + PROOF_SUFFIX, content: list, listed: { file: name, hash } };
  }

  /** True for the list itself and its proofs. */
  #isOfList(list: string, name: string): boolean {
    const path = resolve(this.#context.io.resolvePath(name));
    return ["", ...PROOF_SUFFIXES].some((suffix) =>
      path === resolve(this.#context.io.resolvePath(list + suffix))
    );
  }

  #pathFrom(list: string, name: string): string {
    const folder = dirname(resolve(this.#context.io.resolvePath(list)));
    return relative(folder, resolve(folder, name)).split(sep).join("/");
  }

  /** In the nearest list with a proof that contains `name`. */
  async #listedAbove(name: string): Promise<FoundProof | undefined> {
    // Names stay relative, as typed.
    let up = dirname(name);
    for (let folder = dirname(resolve(this.#context.io.resolvePath(name)));;) {
      const list = join(up, LIST_NAME);
      if (await this.#isProvedList(list)) {
        const found = await this.#listedIn(list, name);
        if (found !== undefined) return found;
      }
      if (dirname(folder) === folder) return undefined;
      folder = dirname(folder);
      up = join(up, "..");
    }
  }

  #isProvedList(list: string): Promise<boolean> {
    return remembered(
      this.#proved,
      list,
      async () =>
        await kindOf(this.#context, list) === "file" &&
        await kindOf(this.#context, list + PROOF_SUFFIX) === "file",
    );
  }
}

/**
 * The proof of a file that the command line names, which may itself be a proof. `malformed_bundle` if
 * it has none or `list` does not list it, `file_failed`.
 */
export async function locateProof(
  context: CommandContext,
  name: string,
  list?: string,
): Promise<FoundProof> {
  const found = await new ProofFinder(context, list).find(name);
  if (list === undefined && found?.listed !== undefined && await carriesProof(context, name)) {
    return await proofNamed(context, name) ?? { proof: name };
  }
  if (found !== undefined) return found;
  if (list !== undefined && await kindOf(context, name) !== undefined) throw notListed(name, list);
  if (name !== STDIN && !await looksLikeProof(context, name)) {
    throw await noProof(context, name, "verify");
  }
  return { proof: name };
}

/** The proof of `name`, which is a file with a saved proof or a proof itself. Errors as {@linkcode locateProof}. */
export async function proofToUpgrade(context: CommandContext, name: string): Promise<string> {
  const beside = name + PROOF_SUFFIX;
  if (await kindOf(context, beside) === "file") return beside;
  const isNamed = PROOF_SUFFIXES.some((suffix) => name.endsWith(suffix));
  if (isNamed || await looksLikeProof(context, name)) return name;
  throw await noProof(context, name, "upgrade");
}

/** Whether a path from the folder of a list leaves it: a list of somebody else chooses its names. */
export function isOutside(path: string): boolean {
  return path === "" || path === ".." || path.startsWith("../");
}

/** The value of `key`, made once. */
export function remembered<T>(
  known: Map<string, Promise<T>>,
  key: string,
  make: () => Promise<T>,
): Promise<T> {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

function ambiguous(list: string, path: string): CountersignError {
  return new CountersignError(
    "malformed_text",
    `Cannot use "${list}": it lists "${path}" with two digests`,
  );
}

/** Why a named list proves nothing about a file. */
export function notListedText(list: string): string {
  return `${list} does not list it`;
}

function notListed(name: string, list: string): CountersignError {
  const other = name === STDIN ? "without --manifest" : `countersign verify ${fileWord(name)}`;
  return new CountersignError(
    "malformed_bundle",
    `Cannot verify "${name}": ${notListedText(list)} (for another proof: ${other})`,
  );
}

async function noProof(
  context: CommandContext,
  name: string,
  command: "verify" | "upgrade",
): Promise<CountersignError> {
  const file = fileWord(name);
  for (const suffix of command === "verify" ? OTHER_SUFFIXES : [TOKEN_SUFFIX]) {
    if (await kindOf(context, name + suffix) !== "file") continue;
    return new CountersignError(
      "malformed_bundle",
      `Cannot ${command} "${name}": no JSON proof is saved beside it, but "${name + suffix}" is ` +
        `there (${context.commandLine(`${command} ${fileWord(name + suffix)}`)})`,
    );
  }
  const elsewhere = command === "verify"
    ? `; with a proof elsewhere: countersign verify ${file} --proof PROOF`
    : "";
  return new CountersignError(
    "malformed_bundle",
    `Cannot ${command} "${name}": no proof is saved beside it (make one: ` +
      `${context.commandLine(`stamp --save ${file}`)}${elsewhere})`,
  );
}

function missing(name: string, proof: string): CountersignError {
  return new CountersignError(
    "file_failed",
    `Cannot read "${name}": there is no such file, only its proof (to verify the proof alone: ` +
      `countersign verify ${fileWord(proof)})`,
  );
}
