/**
 * The report of one call of the load tool, and its output.
 *
 * @module
 */

import { systemIo } from "../../src/server/io.ts";
import { type Machine, machineLine } from "../machine.ts";
import type { MachineLimit } from "./machine_limits.ts";
import type { OverloadReport } from "./overload.ts";
import { limitTable, overloadTable, rowTable, sthLine } from "./report.ts";
import type { Row } from "./row.ts";
import type { SthLatency } from "./sth_latency.ts";

/** The JSON output. */
export interface LoadReport {
  readonly machine: Machine;
  readonly url: string;
  readonly network: string;
  /** The source of the keys that verify answers. */
  readonly pinned: "file" | "gateway";
  readonly scheme: string;
  /** Attestations before the first row. */
  readonly treeSize: number;
  readonly rows: readonly Row[];
  readonly overloads: readonly OverloadReport[];
  readonly sth?: SthLatency;
  readonly limits: readonly MachineLimit[];
}

/** True if all answers were right and nothing accepted was lost. */
export function isRight({ rows, overloads }: LoadReport): boolean {
  return rows.every((row) => faultsOf(row).length === 0) &&
    overloads.every(({ errors }) => Object.keys(errors).length === 0);
}

/** Prints `report` to standard output. */
export function printReport(report: LoadReport, asJson: boolean): void {
  if (asJson) return systemIo.out(JSON.stringify(report, undefined, 2));
  const { machine, url, scheme, treeSize, rows, overloads, sth, limits } = report;
  const parts = [
    `Gateway ${url}, ${scheme}, ${treeSize} attestations before the first row\n${
      machineLine(machine)
    }`,
  ];
  if (rows.length > 0) parts.push(rowTable(rows));
  for (const overload of overloads) parts.push(overloadTable(overload));
  if (sth !== undefined) parts.push(sthLine(sth));
  if (limits.length > 0) parts.push(limitTable(limits));
  const faults = rows.flatMap(faultsOf);
  if (faults.length > 0) parts.push(faults.join("\n"));
  systemIo.out(parts.join("\n\n"));
}

function faultsOf({ scenario, connections, errors, failures, accepted, confirmed }: Row): string[] {
  const found = Object.entries(errors).map(([what, count]) => `${count} times ${what}`);
  found.push(...failures);
  if (confirmed !== undefined && confirmed < accepted) {
    found.push(`${accepted} accepted, but ${confirmed} confirmed`);
  }
  return found.map((fault) => `${scenario} on ${connections}: ${fault}`);
}
