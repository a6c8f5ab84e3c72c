/**
 * The effects of attacks as a table, and the bounds that they broke.
 *
 * @module
 */

import { type Machine, machineLine } from "../machine.ts";
import { markdownTable, threeDigits } from "../markdown_table.ts";
import {
  type AbusedGateway,
  type AbuseResult,
  DESCRIPTOR_TOLERANCE,
  type Parts,
} from "./abuse_run.ts";

/** How much slower the median of an honest client may become. */
const MOST_FACTOR = 3;

const HEADER = [
  "attack",
  "p50 ms",
  "factor",
  "p99 ms",
  "factor",
  "failed",
  "RSS MB",
  "descriptors",
  "sent",
  "accepted",
  "refused",
];

const NOTES = [
  "Three values: before, during and after the attack. Latencies are those of an honest client " +
  "beside the attacker, from when a hash was due until it is confirmed (10: until a tree head " +
  "covers it, and failed cosignatures of the gateway in parentheses). failed: the honest " +
  "client's hashes without a confirmation during the attack.",
  "RSS and descriptors are of the gateway (10: of a witness), the most of them during the attack. " +
  "sent, accepted, refused: the attacker's requests, streams or connections.",
];

/** All that one call of the tool found. */
export interface AbuseReport extends AbusedGateway {
  readonly machine: Machine;
  readonly results: readonly AbuseResult[];
}

/** The report in Markdown. */
export function abuseText({ machine, fronts, limits, results }: AbuseReport): string {
  const faults = results.flatMap((result) => [...timeFaults(result), ...resourceFaults(result)]);
  return [
    `# Abuse, ${machine.date}`,
    `${machineLine(machine)}, by \`deno task abuse\`; fronts: ${fronts}, limits of clients: ${
      limits ? "as in the rows" : "off"
    }.`,
    markdownTable(HEADER, results.map(cellsOf)),
    ...NOTES,
    faults.length === 0
      ? `Within all bounds: medians by a factor of ${MOST_FACTOR}, memory, descriptors.`
      : `Out of bounds:\n\n${faults.map((fault) => `- ${fault}`).join("\n")}`,
  ].join("\n\n") + "\n";
}

/** One row as a line of progress. */
export function abuseLine(result: AbuseResult): string {
  return HEADER.map((title, i) => i === 0 ? cellsOf(result)[i] : `${title} ${cellsOf(result)[i]}`)
    .join("  ");
}

/** How the honest client's median is out of its bound. */
export function timeFaults({ name, honest: { before, during } }: AbuseResult): string[] {
  const factor = during.p50Ms / before.p50Ms;
  if (factor <= MOST_FACTOR) return [];
  return [`${name}: the median is ${threeDigits(factor)} times the quiet one`];
}

/** How memory and descriptors are out of their bounds. */
export function resourceFaults({ name, held, mostGrownBytes }: AbuseResult): string[] {
  const { before, during, after } = held;
  const faults: string[] = [];
  const grown = during.residentBytes - before.residentBytes;
  if (!(grown < mostGrownBytes)) {
    faults.push(`${name}: ${megabytes(grown)} MB more, ${megabytes(mostGrownBytes)} allowed`);
  }
  const leaked = after.descriptors - before.descriptors;
  if (!(leaked <= DESCRIPTOR_TOLERANCE)) {
    faults.push(`${name}: ${leaked} descriptors more after the attack than before`);
  }
  return faults;
}

function cellsOf({ name, honest, held, attacker, cosignFailures }: AbuseResult): string[] {
  const latency = (quantile: "p50Ms" | "p99Ms") => [
    threeOf(honest, (part) => threeDigits(part[quantile])),
    threeDigits(honest.during[quantile] / honest.before[quantile]),
  ];
  return [
    cosignFailures === 0 ? name : `${name} (${cosignFailures})`,
    ...latency("p50Ms"),
    ...latency("p99Ms"),
    `${honest.during.failed} of ${honest.during.count}`,
    threeOf(held, ({ residentBytes }) => megabytes(residentBytes)),
    threeOf(held, ({ descriptors }) => String(descriptors)),
    String(attacker.sent),
    String(attacker.accepted),
    String(attacker.refused),
  ];
}

function threeOf<T>({ before, during, after }: Parts<T>, text: (part: T) => string): string {
  return [before, during, after].map(text).join(" / ");
}

function megabytes(bytes: number): string {
  return String(Math.round(bytes / 1e6));
}
