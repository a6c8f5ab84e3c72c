/**
 * Formats the figures of `top` as lines that fit the terminal.
 *
 * @module
 */

import { printable } from "../../format/printable_text.ts";
import type { AnchorFigures, Figures, TopFigures } from "./top_figures.ts";

const NAME_WIDTH = 30;
const COLUMN_WIDTH = 12;
const GAP = "   ";
const MAX_ROUTES = 10;

/** Lines of at most `columns` characters; `where` is the URL of the source. */
export function topLines(figures: TopFigures, where: string, columns: number): string[] {
  const { source, seconds, ready, reasons } = figures;
  const state = ready ? "ready" : `NOT READY: ${reasons.join(", ")}`;
  const lines = [
    `countersign ${where}   ${state}${seconds === undefined ? "" : `   over ${number(seconds)} s`}`,
    ...(source === "operator"
      ? []
      : ["Public status only: --operator URL shows rates, latencies, queues and memory."]),
    "",
    ...figureLines("head", figures.head, columns),
    ...figureLines("jobs", figures.jobs, columns),
    ...figureLines("queues", figures.queues, columns),
    ...figureLines("rounds", figures.rounds, columns),
    ...figureLines("process", figures.process, columns),
    ...figureLines("threads", figures.threads, columns),
    ...figureLines("refusals", perSecond(figures.refusals), columns),
    ...table("ROUTE", ["per s", "5xx per s", "p50", "p99"], routeRows(figures)),
    ...table("WITNESS", ["state", "p50", "p99", "fails per s"], witnessRows(figures)),
    ...table("PEER", ["state", "size", "age"], figures.peers.map(anchorRow)),
    ...table("ANCHOR", ["state", "size", "age"], figures.anchors.map(anchorRow)),
    ...table(
      "FOREIGN WITNESS",
      ["state", "size", "age", "behind", "retry in"],
      foreignRows(figures),
    ),
  ];
  // By code points, so that no surrogate pair is split.
  return lines.map((line) => [...printable(line)].slice(0, columns).join(""));
}

/** The figures of one group, wrapped; a hyphen if there are none. */
function figureLines(head: string, figures: Figures, columns: number): string[] {
  const lines = [head.padEnd(COLUMN_WIDTH)];
  for (const [name, value] of Object.entries(figures)) {
    const word = `${label(name)} ${text(name, value)}`;
    const { length } = lines.at(-1)!;
    const isFull = length > COLUMN_WIDTH && length + word.length > columns;
    if (isFull) lines.push(" ".repeat(COLUMN_WIDTH));
    lines.push(`${lines.pop()}${word}${GAP}`);
  }
  return Object.keys(figures).length === 0 ? [`${lines[0]}-`] : lines.map((line) => line.trimEnd());
}

/** Adds `_per_second` to the names of rates. */
function perSecond(rates: Figures): Figures {
  return Object.fromEntries(
    Object.entries(rates).map(([name, rate]) => [`${name}_per_second`, rate]),
  );
}

function label(name: string): string {
  if (name === "per_second") return "rate";
  return name.replace(/_per_second$|_bytes$/, "").replaceAll("_", " ");
}

/** A figure in the unit that its name implies. */
function text(name: string, value: number): string {
  if (name.endsWith("_bytes")) return `${number(value / 1024 ** 2)} MiB`;
  if (name.endsWith("per_second")) return `${number(value)}/s`;
  if (name.endsWith("age")) return `${number(value)} s`;
  if (/(^|_)p\d+$/.test(name)) return duration(value);
  return number(value);
}

function routeRows({ routes, source }: TopFigures): string[][] {
  if (source === "gateway") return [];
  return routes.slice(0, MAX_ROUTES).map(({ route, per_second, errors_per_second, p50, p99 }) => [
    route,
    number(per_second),
    number(errors_per_second),
    duration(p50),
    duration(p99),
  ]);
}

function witnessRows({ witnesses }: TopFigures): string[][] {
  return witnesses.map(({ id, healthy, p50, p99, failures_per_second: failures }) => [
    id,
    healthy ? "healthy" : "FAILING",
    duration(p50),
    duration(p99),
    number(failures),
  ]);
}

function anchorRow({ id, failing, tree_size, age }: AnchorFigures): string[] {
  return [
    id,
    failing ? "FAILING" : "ok",
    number(tree_size),
    age === undefined ? "-" : `${number(age)} s`,
  ];
}

function foreignRows(
  { foreign_witnesses: witnesses, foreign_quorum_behind: quorum }: TopFigures,
): string[][] {
  const rows = witnesses.map((witness) => [
    ...anchorRow(witness),
    number(witness.behind),
    witness.retry === undefined ? "-" : `${number(witness.retry)} s`,
  ]);
  if (quorum !== undefined) {
    rows.push(["policy", quorum === 0 ? "met" : "behind", "", "", number(quorum)]);
  }
  return rows;
}

/** Empty without rows. */
function table(name: string, heads: readonly string[], rows: readonly string[][]): string[] {
  if (rows.length === 0) return [];
  const line = ([first, ...rest]: readonly string[]) =>
    `${first!.padEnd(NAME_WIDTH)} ${rest.map((cell) => cell.padStart(COLUMN_WIDTH)).join("")}`;
  return ["", line([name, ...heads]), ...rows.map(line)];
}

function duration(seconds: number | undefined): string {
  if (seconds === undefined) return "-";
  return seconds < 1 ? `${number(seconds * 1000)} ms` : `${number(seconds)} s`;
}

/** Three significant digits. */
function number(value: number | undefined): string {
  if (value === undefined) return "-";
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
