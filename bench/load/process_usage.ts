/**
 * Resource usage of a process of this machine, from proc(5); `undefined` if unknown or unreadable.
 *
 * @module
 */

/** Milliseconds in a tick: USER_HZ is 100 on every Linux that Deno runs on. */
const TICK_MS = 10;

/** Milliseconds of processor time of all threads: `utime` and `stime`. */
export function cpuMsOf(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name in parentheses may contain spaces; the values are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return TICK_MS * (Number(fields[11]) + Number(fields[12]));
}

/** Bytes that are resident: `VmRSS`. */
export function residentBytesOf(pid: number): number | undefined {
  const kibibytes = /^VmRSS:\s*([0-9]+) kB$/m.exec(read(`/proc/${pid}/status`) ?? "")?.[1];
  return kibibytes === undefined ? undefined : 1024 * Number(kibibytes);
}

/** File descriptors that are open. */
export function descriptorsOf(pid: number): number | undefined {
  if (Deno.build.os !== "linux") return undefined;
  try {
    return Array.from(Deno.readDirSync(`/proc/${pid}/fd`)).length;
  } catch (error) {
    if (isUntold(error)) return undefined;
    throw error;
  }
}

/** `after - before`, of the known figures. */
export function differenceOf(
  before: number | undefined,
  after: number | undefined,
): number | undefined {
  return before === undefined || after === undefined ? undefined : after - before;
}

/** A measured process. */
export interface MeasuredProcess {
  cpuMs(): number | undefined;
  residentBytes(): number | undefined;
}

/** The process of this machine with this id. */
export function measuredProcess(pid: number): MeasuredProcess {
  return { cpuMs: () => cpuMsOf(pid), residentBytes: () => residentBytesOf(pid) };
}

/** The usage of several processes together since the meter was created. */
export class CpuMeter {
  readonly #processes: readonly MeasuredProcess[];
  readonly #before: readonly (number | undefined)[];

  constructor(processes: readonly MeasuredProcess[]) {
    this.#processes = processes;
    this.#before = processes.map((process) => process.cpuMs());
  }

  /** Milliseconds of processor time; `undefined` if one is unknown, or there is no process. */
  usedMs(): number | undefined {
    let sum: number | undefined;
    for (const [i, process] of this.#processes.entries()) {
      const used = differenceOf(this.#before[i], process.cpuMs());
      if (used === undefined) return undefined;
      sum = (sum ?? 0) + used;
    }
    return sum;
  }
}

function read(path: string): string | undefined {
  if (Deno.build.os !== "linux") return undefined;
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (isUntold(error)) return undefined;
    throw error;
  }
}

function isUntold(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable;
}
