/**
 * Compares the WebAssembly core with all alternatives in tables: the minimum processor time over
 * several rounds, and its ratio to ours.
 *
 *     deno task bench:core [--rounds 7] [--only TEXT] [--json]
 *
 * @module
 */

import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { systemIo } from "../src/server/io.ts";
import { blsTrials, loadBlsContenders } from "./bls_contenders.ts";
import { BLS_OPERATIONS, type BlsOperation } from "./bls_operations.ts";
import { BATCH_OPERATION, hashingTrials, TREE_OPERATIONS } from "./hashing_operations.ts";
import { interleaved, type Timing, type Trial } from "./interleaved.ts";
import { markdownTable, threeDigits } from "./markdown_table.ts";

/** An operation and its times by name, ours first. */
interface Row {
  readonly operation: string;
  readonly times: ReadonlyMap<string, Timing>;
}

interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly remarks: readonly string[];
}

/** Operations with their implementations. Trials are created when they are measured. */
type Operations = readonly (readonly [operation: string, trials: () => readonly Trial[]])[];

async function measure(operations: Operations, rounds: number, only: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [operation, trials] of operations) {
    if (!operation.includes(only)) continue;
    systemIo.err(operation);
    rows.push({ operation, times: await interleaved(trials(), rounds) });
  }
  return rows;
}

/** Milliseconds, and the ratio to the first. */
function cell(timing: Timing | undefined, first: Timing): string {
  if (timing === undefined) return "-";
  const ratio = timing === first ? "" : ` (${threeDigits(timing.least / first.least)}x)`;
  return `${threeDigits(timing.least)}${ratio}`;
}

function tableOf(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap(({ times }) => [...times.keys()]))];
  return markdownTable(
    ["ms", ...names],
    rows.map(({ operation, times }) => {
      const [first] = times.values();
      return [operation, ...names.map((name) => cell(times.get(name), first!))];
    }),
  );
}

/** The machine, the date and the load, without which times mean nothing. */
function circumstances(): string {
  const [load] = Deno.loadavg();
  const processors = cpus();
  return [
    new Date().toISOString().slice(0, 10),
    `Deno ${Deno.version.deno} (V8 ${Deno.version.v8})`,
    `${Deno.build.os} ${Deno.build.arch}`,
    `${processors.length} x ${processors[0]?.model ?? "unknown"}`,
    `load ${load?.toFixed(2)}`,
  ].join(", ");
}

function inMarkdown(where: string, rounds: number, sections: readonly Section[]): string {
  const parts = sections.filter(({ rows }) => rows.length > 0).map(({ title, rows, remarks }) =>
    [`## ${title}`, tableOf(rows), remarks.map((remark) => `- ${remark}`).join("\n")]
      .join("\n\n").trimEnd()
  );
  const note =
    `Processor time of all threads, the least of ${rounds} rounds in turns; in parentheses, ` +
    "as a multiple of the first column.";
  return [`${where}.`, note, ...parts].join("\n\n");
}

function inJson(where: string, rounds: number, sections: readonly Section[]): string {
  const plain = sections.map((section) => ({
    ...section,
    rows: section.rows.map(({ operation, times }) => ({
      operation,
      times: Object.fromEntries(times),
    })),
  }));
  return JSON.stringify({ where, rounds, unit: "ms", sections: plain }, null, 2);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "7" },
      only: { type: "string", default: "" },
      json: { type: "boolean", default: false },
    },
  });
  const rounds = Number(values.rounds);
  const where = circumstances();
  const hashing: Operations = [...TREE_OPERATIONS, BATCH_OPERATION].map((operation) => [
    operation.name,
    () => hashingTrials(operation),
  ]);
  const { present, remarks } = await loadBlsContenders();
  const bls: Operations = Object.entries(BLS_OPERATIONS).map(([operation, name]) => [
    name,
    () => blsTrials(present, operation as BlsOperation),
  ]);
  const sections = [
    { title: "SHA-256", rows: await measure(hashing, rounds, values.only), remarks: [] },
    { title: "BLS12-381", rows: await measure(bls, rounds, values.only), remarks },
  ];
  systemIo.out((values.json ? inJson : inMarkdown)(where, rounds, sections));
}

await main();
