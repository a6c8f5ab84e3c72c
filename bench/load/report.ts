/**
 * The results of a load run, as tables.
 *
 * @module
 */

import { markdownTable, threeDigits } from "../markdown_table.ts";
import type { MachineLimit } from "./machine_limits.ts";
import type { OverloadPhase, OverloadReport } from "./overload.ts";
import type { Quantiles, Row } from "./row.ts";
import type { SthLatency } from "./sth_latency.ts";

const HEADER = [
  "scenario",
  "conns",
  "hashes/s",
  "wrk/s",
  "wrk p50 ms",
  "echo/s",
  "of echo",
  "p50 ms",
  "p99 ms",
  "p99.9 ms",
  "refused/s",
  "errors",
  "gateway us",
  "busiest thread us",
  "generator us",
  "RSS MiB",
  "verified",
];

const WITNESSES_COLUMN = HEADER.indexOf("generator us");

/** The rows as one table, with an explanation of its columns. */
export function rowTable(rows: readonly Row[]): string {
  const hasWitnesses = rows.some(({ cpuMicroseconds }) => cpuMicroseconds.witnesses !== undefined);
  const header = hasWitnesses ? HEADER.toSpliced(WITNESSES_COLUMN, 0, "witnesses us") : HEADER;
  const cells = rows.map((row) => cellsOf(row, hasWitnesses));
  const notes = [
    "us: microseconds of processor time of all threads for a hash. busiest thread: of the gateway's " +
    "thread that used most, which bounds the rate. of echo: rate by the mean of a " +
    "bare server's, before and after, with the same requests, answer size and header fields.",
  ];
  if (rows.some(({ wrk }) => wrk !== undefined)) {
    notes.push(
      "wrk: the same load from wrk, which costs less of a shared machine and checks nothing.",
    );
  }
  if (rows.some(({ loop }) => loop === "closed")) {
    notes.push(
      "Closed loop: latencies are service times, not corrected for coordinated omission. --rate " +
        "gives those that are.",
    );
  }
  if (rows.some(({ loop }) => loop === "open")) {
    notes.push(
      "Open loop: latencies count from when a request was due, corrected for coordinated omission.",
    );
  }
  return [markdownTable(header, cells), "", ...notes].join("\n");
}

/** One row as a line of progress. */
export function rowLine(row: Row): string {
  const cells = cellsOf(row, false);
  return HEADER.map((title, i) => i < 2 ? cells[i] : `${title} ${cells[i]}`).join("  ");
}

function cellsOf(row: Row, hasWitnesses: boolean): string[] {
  const { latencyMs, cpuMicroseconds, errors, failures } = row;
  const wrong = Object.values(errors).reduce((sum, count) => sum + count, 0);
  const lost = row.dropped + row.unanswered;
  const cells = [
    row.dueRate === undefined ? row.scenario : `${row.scenario} at ${threeDigits(row.dueRate)}/s`,
    String(row.connections),
    threeDigits(row.rate),
    threeDigits(row.wrk?.rate ?? NaN),
    threeDigits(row.wrk?.p50Ms ?? NaN),
    threeDigits(row.echoRate ?? NaN),
    threeDigits(row.rate / (row.echoRate ?? NaN)),
    threeDigits(latencyMs.p50),
    threeDigits(latencyMs.p99),
    threeDigits(latencyMs.p999),
    threeDigits(row.refused.rate),
    String(wrong + lost),
    threeDigits(cpuMicroseconds.gateway ?? NaN),
    threeDigits(cpuMicroseconds.busiestThread ?? NaN),
    threeDigits(cpuMicroseconds.generator ?? NaN),
    threeDigits((row.residentBytes ?? NaN) / 2 ** 20),
    `${row.verified - failures.length}/${row.verified}`,
  ];
  return hasWitnesses
    ? cells.toSpliced(WITNESSES_COLUMN, 0, threeDigits(cpuMicroseconds.witnesses ?? NaN))
    : cells;
}

/** The limits of the machine as one table. */
export function limitTable(limits: readonly MachineLimit[]): string {
  return markdownTable(
    ["the machine alone", "per second", "p50 ms", "p99 ms", "processor us"],
    limits.map(({ name, perSecond, p50Ms, p99Ms, cpuMicroseconds = NaN }) => [
      name,
      threeDigits(perSecond),
      threeDigits(p50Ms),
      threeDigits(p99Ms),
      threeDigits(cpuMicroseconds),
    ]),
  );
}

/** An overload: its phases and its course. */
export function overloadTable(report: OverloadReport): string {
  const { scenario, connections, sustainedRate, sustainedMs, overloaded, after } = report;
  const phase = (name: string, part: OverloadPhase) => [
    name,
    threeDigits(part.dueRate),
    threeDigits(part.acceptedRate),
    threeDigits(part.refusedRate),
    threeDigits(part.droppedRate),
    threeDigits(part.acceptedMs.p50),
    threeDigits(part.acceptedMs.p99),
    threeDigits(part.refusedMs.p99),
  ];
  const sustained = [
    "closed loop",
    "-",
    threeDigits(sustainedRate),
    "-",
    "-",
    threeDigits(sustainedMs.p50),
    threeDigits(sustainedMs.p99),
    "-",
  ];
  const phases = markdownTable([
    `overload: ${scenario} on ${connections}`,
    "due/s",
    "accepted/s",
    "refused/s",
    "not sent/s",
    "p50 ms",
    "p99 ms",
    "refused p99 ms",
  ], [sustained, phase("overloaded", overloaded), phase("after it", after)]);
  return [
    phases,
    "",
    `Recovered ${report.recoveryMs} ms after the overload. Refused without Retry-After: ` +
    `${report.refusedWithoutRetryAfter}. Unanswered: ${report.unanswered}. Memory: ${
      memoryOf(report)
    }.`,
  ].join("\n");
}

/** Resident memory at the start, at its maximum and at the end. */
function memoryOf({ moments }: OverloadReport): string {
  const bytes = moments.flatMap(({ residentBytes }) => residentBytes ?? []);
  if (bytes.length === 0) return "not told";
  const mebibytes = (value: number) => threeDigits(value / 2 ** 20);
  return `${mebibytes(bytes[0]!)} MiB at first, ${mebibytes(Math.max(...bytes))} at most, ` +
    `${mebibytes(bytes.at(-1)!)} at the end`;
}

/** The time until a signed tree head, as a line. */
export function sthLine({ posts, coveredMs, confirmedMs }: SthLatency): string {
  const quantiles = ({ p50, p99 }: Quantiles) =>
    `${threeDigits(p50)} ms at the median, ${threeDigits(p99)} ms at p99`;
  return `From POST to a signed tree head, of ${posts}: ${quantiles(coveredMs)}; ` +
    `to the signed attestation: ${quantiles(confirmedMs)}.`;
}
