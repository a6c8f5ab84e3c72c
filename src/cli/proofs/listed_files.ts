/**
 * The files that a checksum list names: a proof of the list says nothing about them until they are
 * compared with it.
 *
 * @module
 */

import { basename, dirname, join } from "node:path";
import { expectedError } from "../../base/errors.ts";
import { looksLikeChecksums } from "../../proof/format/checksum_list.ts";
import type { CommandContext } from "../command_context.ts";
import { inParallel } from "../in_parallel.ts";
import { beginOf, kindOf, STDIN } from "../input_file.ts";
import { type ErrorJson, errorJson, type Line } from "../output.ts";
import { shellWord } from "../shell_word.ts";
import { isOutside, LIST_NAME, ProofFinder } from "./saved_proofs.ts";

/** `failed`: it could not be read, or was not looked at. */
type ListedStatus = "valid" | "invalid" | "missing" | "failed";

interface ListedFinding {
  /** As typed: below the folder of the list. */
  readonly file: string;
  readonly status: ListedStatus;
  readonly statement: string;
  readonly error?: ErrorJson | undefined;
}

/**
 * Findings about the files of a list, or why a file that seems to be a list was not read as one: the
 * member `listed_files` of a JSON report.
 */
export type ListFindings =
  | {
    readonly looked_at: true;
    readonly counts: Readonly<Record<ListedStatus, number>>;
    readonly results: readonly ListedFinding[];
  }
  | { readonly looked_at: false; readonly reason: string };

/** Enough to recognise a list. */
const BEGIN_BYTES = 1 << 16;
/** Enough to keep disk and processor busy. */
const CONCURRENCY = 4;

/**
 * Compares the files that `list` names with their digests; `undefined` if it does not look like a list.
 * No file outside of its folder is read. `file_failed` for the list.
 */
export async function checkListedFiles(
  context: CommandContext,
  list: string,
  hashOf: (file: string) => Promise<string>,
): Promise<ListFindings | undefined> {
  if (await kindOf(context, list) !== "file") return undefined;
  const begin = new TextDecoder().decode(await beginOf(context, list, BEGIN_BYTES));
  if (basename(list) !== LIST_NAME && !looksLikeChecksums(begin)) return undefined;
  let listed: ReadonlyMap<string, string>;
  try {
    listed = await new ProofFinder(context).list(list);
  } catch (error) {
    return { looked_at: false, reason: expectedError(error).message };
  }
  const results: ListedFinding[] = [];
  await inParallel(listed, CONCURRENCY, async ([path, hash], i) => {
    results[i] = await compare(context, list, { path, hash, hashOf });
  });
  const counts = { valid: 0, invalid: 0, missing: 0, failed: 0 };
  for (const { status } of results) counts[status]++;
  return { looked_at: true, counts, results };
}

async function compare(
  context: CommandContext,
  list: string,
  { path, hash, hashOf }: {
    readonly path: string;
    readonly hash: string;
    readonly hashOf: (file: string) => Promise<string>;
  },
): Promise<ListedFinding> {
  const file = join(dirname(list), path);
  if (isOutside(path)) {
    return { file, status: "failed", statement: outsideText(list, file) };
  }
  try {
    const kind = path === STDIN ? "special" : await kindOf(context, file);
    if (kind === undefined) {
      return { file, status: "missing", statement: "there is no such file" };
    }
    // A device or pipe may never end.
    if (kind !== "file") return { file, status: "failed", statement: "it is not a regular file" };
    return await hashOf(file) === hash
      ? { file, status: "valid", statement: `as ${list} lists it` }
      : { file, status: "invalid", statement: `it has changed: ${list} lists another digest` };
  } catch (caught) {
    const error = expectedError(caught);
    return { file, status: "failed", statement: error.message, error: errorJson(error) };
  }
}

/** Says why the listed `file` was not read. */
export function outsideText(list: string, file: string): string {
  return `not looked at, outside the folder of ${list} (look at it: ` +
    `countersign verify --manifest ${shellWord(list)} ${shellWord(file)})`;
}

/** Whether no listed file is changed, missing or unread. */
export function areListedAccepted(findings: ListFindings | undefined): boolean {
  return findings === undefined || !findings.looked_at ||
    findings.results.every(({ status }) => status === "valid");
}

/** "1 changed, 2 missing, 1 not verified" of the findings that are not accepted. */
function problemsText(counts: Readonly<Record<ListedStatus, number>>): string {
  return ([["invalid", "changed"], ["missing", "missing"], ["failed", "not verified"]] as const)
    .map(([status, words]) => [counts[status], words] as const)
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words}`)
    .join(", ");
}

/** What the first line of a report adds about the files of a list. */
export function listedHeadline(list: string, findings: ListFindings): string {
  if (!findings.looked_at) {
    return `: ${list} itself; the files that it lists were not looked at (${findings.reason})`;
  }
  const { counts, results: files } = findings;
  if (!areListedAccepted(findings)) {
    const number = files.length === 1 ? "1 file" : `${files.length} files`;
    return `: ${problemsText(counts)} of ${number} that ${list} lists`;
  }
  const number = files.length === 1 ? "the file" : `the ${files.length} files`;
  return `: ${list} and ${number} that it lists`;
}

/** Ends the statement about a list among other files. */
export function listedClause(findings: ListFindings | undefined): string {
  if (findings === undefined) return "";
  if (!findings.looked_at) {
    return `; the files that it lists were not looked at (${findings.reason})`;
  }
  const { counts, results: files } = findings;
  const problems = files.filter(({ status }) => status !== "valid");
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return problems.length === 0
    ? `; its ${count} ${files.length === 1 ? "is" : "are"} as listed`
    : `; of its ${count}, ${problemsText(counts)} (${problems.map(({ file }) => file).join(", ")})`;
}

const WORDS = {
  valid: "VALID   ",
  invalid: "INVALID ",
  missing: "MISSING ",
  failed: "FAILED  ",
} as const;

/** One line for each file that is not accepted, or for `all`. */
export function listedLines(findings: ListFindings, all: boolean): readonly Line[] {
  if (!findings.looked_at) return [];
  return findings.results.filter(({ status }) => all || status !== "valid")
    .map(({ file, status, statement }) => {
      const text = `${WORDS[status]}  ${file}: ${statement}`;
      return { text, accent: status === "valid" ? "green" : "red" };
    });
}
