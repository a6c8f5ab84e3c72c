/**
 * Prints and writes the report of a run of the suite.
 *
 * @module
 */

import { brokenMusts, type JudgedClause, type Report } from "../../logs/conformance/report.ts";
import { replaceFile } from "../../server/replaced_file.ts";
import type { CommandContext } from "../command_context.ts";
import { FILE, optional } from "../options.ts";
import type { Line } from "../output.ts";
import { reportPage } from "./report_page.ts";

export const htmlOption = optional("--html", FILE, "Also write the report as one HTML file.");

const PAGE_MODE = 0o644;

/** Returns 1 if a clause of level MUST or FORMAT is broken. */
export async function finish(
  report: Report,
  html: string | undefined,
  { io, output }: CommandContext,
): Promise<number> {
  if (html !== undefined) await replaceFile(io.resolvePath(html), reportPage(report), PAGE_MODE);
  output.result(report, reportText);
  return brokenMusts(report).length > 0 ? 1 : 0;
}

function reportText(report: Report): Line[] {
  const broken = brokenMusts(report);
  const lacking = report.clauses.filter(({ level, verdict }) =>
    level === "SHOULD" && verdict === "fail"
  );
  const unclear = report.clauses.filter(({ verdict }) => verdict === "unclear");
  return [
    broken.length === 0 ? { text: `No MUST failed: ${report.target}`, accent: "green" } : {
      text: `${broken.length} clauses of level MUST or FORMAT failed: ${report.target}`,
      accent: "red",
    },
    ...Object.entries(report.summary).map(([level, { pass, fail, unclear, not_testable }]) =>
      `${
        level.padEnd(6)
      }  ${pass} pass, ${fail} fail, ${unclear} unclear, ${not_testable} not testable`
    ),
    ...report.notes,
    ...[...broken, ...lacking, ...unclear].flatMap(clauseLines),
  ];
}

function clauseLines({ id, section, level, verdict, sentence, checks }: JudgedClause): string[] {
  const shown = checks.filter((check) => check.verdict !== "pass");
  return [
    "",
    `${verdict.toUpperCase()}  ${level}  ${id}, section "${section}"`,
    `  ${sentence}`,
    ...(checks.length === 0 ? ["  No check reached this clause."] : []),
    ...shown.flatMap(({ check, reason, command }) => [
      `  ${check}: ${reason}`,
      ...(command === undefined
        ? []
        : [`    ${command.length > 1_000 ? "(command in the JSON)" : command}`]),
    ]),
  ];
}
