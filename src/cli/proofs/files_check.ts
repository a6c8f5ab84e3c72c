/**
 * `verify` of folders and of several files: one line for each file, and a summary.
 *
 * @module
 */

import { basename, dirname, join } from "node:path";
import { CountersignError, hasCode } from "../../base/errors.ts";
import type { TimeBracket } from "../../proof/verify/time_bracket.ts";
import { type Level, NOT_PROVEN } from "../../proof/verify/verdict.ts";
import type { CommandContext } from "../command_context.ts";
import { inParallel } from "../in_parallel.ts";
import { hashContent, kindOf } from "../input_file.ts";
import { type ErrorJson, errorJson, isFailed, type Line, linesByReason } from "../output.ts";
import { fileWord } from "../shell_word.ts";
import { type ShownSource, sourceJson, sourceText } from "../trusted_network.ts";
import { briefClosing, closingLines } from "../verdict_report.ts";
import type { BundleChecker, BundleFindings } from "./bundle_check.ts";
import { bundleStatement, type BundleSubject, isAccepted, subjectOf } from "./bundle_report.ts";
import { OTHER_FORMATS, PROOF_SUFFIX, skippedText, walkFolder } from "./file_walk.ts";
import { listedClause, outsideText } from "./listed_files.ts";
import {
  type FoundProof,
  isOutside,
  LIST_NAME,
  notListedText,
  ProofFinder,
  readBundle,
  remembered,
} from "./saved_proofs.ts";

/** Enough to keep disk and processor busy. */
const CONCURRENCY = 4;

/** `unproved`: without a proof; `missing`: only its proof or its line in a list exists. */
type FileStatus = "valid" | "invalid" | "unproved" | "missing" | "failed";

const WORDS: Readonly<Record<FileStatus, string>> = {
  valid: "VALID",
  invalid: "INVALID",
  unproved: "NO PROOF",
  missing: "MISSING",
  failed: "FAILED",
};

interface FileResult {
  readonly file: string;
  readonly status: FileStatus;
  readonly statement: string;
  readonly found?: FoundProof | undefined;
  readonly findings?: BundleFindings | undefined;
  readonly subject?: BundleSubject | undefined;
  readonly error?: CountersignError;
}

export interface ManyOptions {
  readonly files: readonly string[];
  readonly manifest?: string | undefined;
  readonly hidden: boolean;
  readonly verbose: boolean;
}

/** Exits 1 if a file is not proved. */
export async function checkFiles(
  context: CommandContext,
  options: ManyOptions,
  checker: BundleChecker,
): Promise<number> {
  const finder = new ProofFinder(context, options.manifest);
  const { names, failures } = await namesOf(context, options, finder);
  if (names.size + failures.length === 0) {
    throw new CountersignError(
      "file_failed",
      `Cannot verify ${options.files.map((name) => `"${name}"`).join(", ")}: no files there`,
    );
  }
  // A file of a list is hashed once, though the list is compared with it, too.
  const hashes = new Map<string, Promise<string>>();
  const hashOf = (file: string) => remembered(hashes, file, () => hashContent(context, file));
  const { manifest } = options;
  const absence = manifest === undefined ? "no saved proof" : notListedText(manifest);
  const parts = { finder, checker, hashOf, absence };
  const verifier = new FileVerifier(context, parts);
  const results: FileResult[] = [];
  await inParallel(names, CONCURRENCY, async (name, i) => {
    results[i] = await verifier.verify(name);
  });
  // The order of the files must not matter: a chain may refuse what was accepted before it was known.
  const again = new FileVerifier(context, parts);
  for (const [i, name] of [...names].entries()) {
    const { findings } = results[i]!;
    if (findings === undefined || await checker.isCurrent(findings)) continue;
    results[i] = await again.verify(name);
  }
  results.push(...failures);
  const judged = withBlame(results);
  report(context, judged, options);
  return judged.every(({ status }) => status === "valid") ? 0 : 1;
}

/**
 * A list is invalid if one of its files is not as listed, unless the line of that file says the same:
 * one fault counts once. The line of a file that another proof covers says otherwise.
 */
function withBlame(results: readonly FileResult[]): readonly FileResult[] {
  const statuses = new Map(results.map(({ file, status }) => [file, status]));
  return results.map((result) => {
    const { findings, subject } = result;
    const list = subject?.list;
    if (findings === undefined || !list?.looked_at) return result;
    const isCounted = list.results.every(({ file, status }) =>
      status === "valid" || statuses.get(file) === status
    );
    if (!isCounted || !isAccepted(findings, { ...subject, list: undefined })) return result;
    return { ...result, status: "valid" };
  });
}

interface NamedFiles {
  readonly names: ReadonlySet<string>;
  readonly failures: readonly FileResult[];
}

/** The named files, those in the named folders, and those in the checksum lists of the folders. */
async function namesOf(
  context: CommandContext,
  { files, manifest, hidden }: ManyOptions,
  finder: ProofFinder,
): Promise<NamedFiles> {
  const names = new Set<string>();
  const failures: FileResult[] = [];
  const left = proofsOfOthers(files);
  const inOtherFormats = files.filter((name) => left.has(name) && !name.endsWith(PROOF_SUFFIX));
  if (inOtherFormats.length > 0) {
    context.output.note(`Skipped: ${inOtherFormats.length} proofs in other formats`);
  }
  for (const name of files) {
    if (left.has(name)) continue;
    if (await kindOf(context, name) !== "folder") {
      names.add(name);
      continue;
    }
    // The folder has replaced the file of this proof.
    if (left.has(name + PROOF_SUFFIX)) names.add(name + PROOF_SUFFIX);
    const walked = await walkFolder(context, name, { hidden });
    for (const file of walked.files) names.add(file);
    // A proof without its file is verified alone, or reported.
    for (const proof of [...walked.proofs, ...walked.loneProofs]) {
      if (!names.has(proof.slice(0, -PROOF_SUFFIX.length))) names.add(proof);
    }
    const lists = walked.proofs.map((proof) => proof.slice(0, -PROOF_SUFFIX.length))
      .filter((file) => names.has(file) && basename(file) === LIST_NAME);
    for (const list of manifest === undefined ? lists : [manifest]) {
      // A file that is no list is reported by itself: its line says that no listed file was looked at.
      const listed = await finder.list(list).catch((error) => {
        if (list === manifest || !hasCode(error, "malformed_text")) throw error;
      });
      if (listed === undefined) continue;
      for (const path of listed.keys()) {
        const file = join(dirname(list), path);
        if (isOutside(path)) failures.push(outsideResult(list, path));
        else if (await kindOf(context, file) === "special") {
          failures.push(failedResult(file, notRegular(file)));
        } else names.add(file);
      }
    }
    for (const { name: file, error } of walked.failures) failures.push(failedResult(file, error));
    const skipped = skippedText(walked);
    if (skipped !== undefined) context.output.note(`Skipped in ${name}: ${skipped}`);
  }
  // A missing file that a list names is reported by its own name, not by its proof's as well.
  for (const name of [...names]) {
    if (name.endsWith(PROOF_SUFFIX) && names.has(name.slice(0, -PROOF_SUFFIX.length))) {
      names.delete(name);
    }
  }
  return { names, failures };
}

/** The proofs among `files` whose files are also there, as a shell expands `*`. */
function proofsOfOthers(files: readonly string[]): ReadonlySet<string> {
  const named = new Set(files);
  const suffixes = [PROOF_SUFFIX, ...Object.values(OTHER_FORMATS)];
  return new Set(
    files.filter((name) =>
      suffixes.some((suffix) => name.endsWith(suffix) && named.has(name.slice(0, -suffix.length)))
    ),
  );
}

/** A list names any path; a device or pipe may never end. */
function notRegular(file: string): CountersignError {
  return new CountersignError("file_failed", `Cannot read "${file}": it is not a regular file`);
}

class FileVerifier {
  readonly #context: CommandContext;
  readonly #finder: ProofFinder;
  readonly #checker: BundleChecker;
  readonly #hashOf: (file: string) => Promise<string>;
  /** Why a file has no proof. */
  readonly #absence: string;
  /** By name of the list. */
  readonly #checked = new Map<string, Promise<Checked>>();

  constructor(
    context: CommandContext,
    { finder, checker, hashOf, absence }: {
      readonly finder: ProofFinder;
      readonly checker: BundleChecker;
      readonly hashOf: (file: string) => Promise<string>;
      readonly absence: string;
    },
  ) {
    this.#context = context;
    this.#finder = finder;
    this.#checker = checker;
    this.#hashOf = hashOf;
    this.#absence = absence;
  }

  async verify(file: string): Promise<FileResult> {
    try {
      if (file.endsWith(PROOF_SUFFIX) && namedHash(file) === undefined) {
        const name = file.slice(0, -PROOF_SUFFIX.length);
        const kind = await kindOf(this.#context, name);
        if (kind === undefined) return missing(name);
        if (kind !== "file") return failedResult(name, notRegular(name));
      }
      if (await kindOf(this.#context, file) === undefined) return missing(file);
      const found = await this.#finder.find(file);
      if (found === undefined) return { file, status: "unproved", statement: this.#absence };
      const { findings, subject } = await this.#check(found);
      return {
        file,
        found,
        findings,
        subject,
        status: isAccepted(findings, subject) ? "valid" : "invalid",
        statement: bundleStatement(findings, subject) + listedClause(subject.list),
      };
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error;
      return failedResult(file, error);
    }
  }

  async #check(found: FoundProof): Promise<Checked> {
    const { listed, content } = found;
    if (listed === undefined) return await this.#checkBundle(found);
    const list = await remembered(
      this.#checked,
      content!,
      () => this.#checkBundle({ proof: found.proof, content: content! }, false),
    );
    const { file } = listed;
    if (await kindOf(this.#context, file) !== "file") throw notRegular(file);
    const hash = await this.#hashOf(file);
    const subject = { ...list.subject, listed: { file, hash, matches: hash === listed.hash } };
    return { findings: list.findings, subject };
  }

  async #checkBundle(found: FoundProof, looksAtListed = true): Promise<Checked> {
    const bundle = await readBundle(this.#context, found.proof, {
      failure: "Cannot verify",
      instead: () => `verify it alone: countersign verify ${fileWord(found.proof)}`,
    });
    const subject = await subjectOf(this.#context, found, {
      looksAtListed,
      hashOf: this.#hashOf,
    });
    const hash = subject.content === undefined ? namedHash(found.proof) : subject.content.hash;
    const hashes = hash === undefined ? [] : [hash];
    const toCheck = { bundle, hashes, file: found.proof };
    return { findings: await this.#checker.check(toCheck), subject };
  }
}

interface Checked {
  readonly findings: BundleFindings;
  readonly subject: BundleSubject;
}

function failedResult(file: string, error: CountersignError): FileResult {
  // The line begins with the name.
  const statement = error.message.replace(`Cannot read "${file}": `, "");
  return { file, status: "failed", statement, error };
}

function outsideResult(list: string, path: string): FileResult {
  const file = join(dirname(list), path);
  return { file, status: "failed", statement: outsideText(list, file) };
}

function missing(file: string): FileResult {
  return {
    file,
    status: "missing",
    statement: "there is no such file",
  };
}

/** The hash that a proof is named by, as `stamp --save --hash` does. */
function namedHash(proof: string): string | undefined {
  const name = basename(proof).slice(0, -PROOF_SUFFIX.length).toLowerCase();
  return /^[0-9a-f]{64}$/.test(name) ? name : undefined;
}

function report(
  { output }: CommandContext,
  results: readonly FileResult[],
  { verbose }: ManyOptions,
): void {
  const counts = { valid: 0, invalid: 0, unproved: 0, missing: 0, failed: 0 };
  for (const { status } of results) counts[status]++;
  output.result({
    valid: results.every(({ status }) => status === "valid"),
    counts,
    results: results.map(resultJson),
    not_proven: NOT_PROVEN,
  }, ({ counts, results }) => [
    ...(verbose ? results.map(resultLine) : briefResults(results)),
    summaryLine(counts, results.length),
    ...sourceLines(results),
    ...(verbose ? closingLines() : [briefClosing]),
  ]);
}

/** Each configuration once, as far as it was followed at last. */
function sourceLines(results: readonly ShownResult[]): readonly string[] {
  const sources = results.flatMap(({ configuration }) => configuration ?? []);
  const lines = sources.map((source) => [source.network_id, sourceText(source)] as const);
  return [...new Map(lines)].map(([id, source]) => `configuration of ${id}: ${source}`);
}

/** A reason that many files share, such as a network without a pin, is one line. */
function briefResults(results: readonly ShownResult[]): readonly Line[] {
  return [
    ...results.filter((result) => !isFailed(result)).map(resultLine),
    ...linesByReason(results.filter(isFailed), resultLine, WORD_WIDTH),
  ];
}

/** Of the first word of a line, with the spaces after it. */
const WORD_WIDTH = `${WORDS.unproved}  `.length;

function resultLine({ file, status, statement }: ShownResult): Line {
  const word = WORDS[status].padEnd(WORDS.unproved.length);
  const text = `${word}  ${status === "valid" ? statement : `${file}: ${statement}`}`;
  return { text, accent: status === "valid" ? "green" : "red" };
}

function summaryLine(counts: Readonly<Record<FileStatus, number>>, total: number): string {
  const others = [
    [counts.invalid, "invalid"],
    [counts.unproved, "without a proof"],
    [counts.missing, "missing"],
    [counts.failed, "not verified"],
  ] as const;
  const problems = others.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const proved = `${counts.valid} of ${total} files are proved`;
  return problems.length === 0 ? proved : `${proved}; ${problems.join(", ")}`;
}

/** A result as JSON. */
interface ShownResult {
  readonly file: string;
  readonly valid: boolean;
  readonly status: FileStatus;
  readonly statement: string;
  readonly proof?: string | undefined;
  readonly manifest?: string | undefined;
  readonly level?: Level | undefined;
  readonly hash?: string | undefined;
  readonly network_id?: string | undefined;
  readonly configuration?: ShownSource | undefined;
  readonly time?: TimeBracket | undefined;
  readonly error?: ErrorJson | undefined;
}

function resultJson(result: FileResult): ShownResult {
  const { file, status, statement, found, findings, error } = result;
  return {
    file,
    valid: status === "valid",
    status,
    statement,
    proof: found?.proof,
    manifest: found?.listed && found.content,
    ...(findings !== undefined && {
      level: findings.verdict.level,
      hash: found?.listed?.hash ?? findings.bundle.signed_attestation.attestation.hash,
      network_id: findings.trusted.network.id,
      configuration: sourceJson(findings.trusted),
      time: findings.verdict.time,
    }),
    error: error && errorJson(error),
  };
}
