/**
 * The machine of a measurement.
 *
 * @module
 */

import { cpus, totalmem } from "node:os";

/** Enough to decide whether two results are comparable. */
export interface Machine {
  readonly date: string;
  readonly deno: string;
  readonly v8: string;
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
}

/** This machine, today. */
export function thisMachine(): Machine {
  const { deno, v8 } = Deno.version;
  return {
    date: new Date().toISOString().slice(0, 10),
    deno,
    v8,
    system: `${Deno.build.os} ${Deno.osRelease()} ${Deno.build.arch}`,
    processor: cpus()[0]?.model ?? "unknown processor",
    cores: navigator.hardwareConcurrency,
    memoryBytes: totalmem(),
  };
}

/** One line about `machine`. */
export function machineLine(machine: Machine): string {
  const gibibytes = (machine.memoryBytes / 2 ** 30).toFixed(0);
  return `${machine.date}, Deno ${machine.deno}, V8 ${machine.v8}, ${machine.cores} cores of ` +
    `${machine.processor}, ${gibibytes} GiB, ${machine.system}`;
}
