/**
 * Resource usage of a process of this machine, from proc(5); `undefined` if unknown or unreadable.
 *
 * @module
 */

/** Milliseconds in a tick: USER_HZ is 100 on every Linux that Deno runs on. */
const TICK_MS = 10;

/** Milliseconds of processor time of all threads: `utime` and `stime`. */
export function cpuMsOf(pid: number): number | undefined {
  return ticksOf(read(`/proc/${pid}/stat`));
}

/** Milliseconds of processor time of all ended processes that this one started: `cutime` and `cstime`. */
export function childrenCpuMs(): number | undefined {
  return ticksOf(read(`/proc/${Deno.pid}/stat`), CHILDREN_FIELD);
}

/** Milliseconds of processor time of each thread that still runs, by its id. */
export function threadCpuMsOf(pid: number): ReadonlyMap<string, number> {
  const threads = new Map<string, number>();
  for (const id of namesIn(`/proc/${pid}/task`) ?? []) {
    const ms = ticksOf(read(`/proc/${pid}/task/${id}/stat`));
    if (ms !== undefined) threads.set(id, ms);
  }
  return threads;
}

/** Of a process, and of its children, after the name (proc_pid_stat(5)). */
const OWN_FIELD = 11;
const CHILDREN_FIELD = 13;

function ticksOf(stat: string | undefined, field = OWN_FIELD): number | undefined {
  if (stat === undefined) return undefined;
  // The name in parentheses may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return TICK_MS * (Number(fields[field]) + Number(fields[field + 1]));
}

/** Bytes that are resident: `VmRSS`. */
export function residentBytesOf(pid: number): number | undefined {
  const kibibytes = /^VmRSS:\s*([0-9]+) kB$/m.exec(read(`/proc/${pid}/status`) ?? "")?.[1];
  return kibibytes === undefined ? undefined : 1024 * Number(kibibytes);
}

/** File descriptors that are open. */
export function descriptorsOf(pid: number): number | undefined {
  return namesIn(`/proc/${pid}/fd`)?.length;
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
  threadCpuMs(): ReadonlyMap<string, number>;
  residentBytes(): number | undefined;
}

/** The process of this machine with this id. */
export function measuredProcess(pid: number): MeasuredProcess {
  return {
    cpuMs: () => cpuMsOf(pid),
    threadCpuMs: () => threadCpuMsOf(pid),
    residentBytes: () => residentBytesOf(pid),
  };
}

/** The usage of several processes together since the meter was created. */
export class CpuMeter {
  readonly #processes: readonly MeasuredProcess[];
  readonly #before: readonly (number | undefined)[];
  readonly #threadsBefore: readonly ReadonlyMap<string, number>[];

  constructor(processes: readonly MeasuredProcess[]) {
    this.#processes = processes;
    this.#before = processes.map((process) => process.cpuMs());
    this.#threadsBefore = processes.map((process) => process.threadCpuMs());
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

  /** Milliseconds of the one thread that used most: it bounds the rate. `undefined` if unknown. */
  busiestThreadMs(): number | undefined {
    const used = this.#processes.flatMap((process, i) =>
      [...process.threadCpuMs()].map(([id, ms]) => ms - (this.#threadsBefore[i]!.get(id) ?? 0))
    );
    return used.length === 0 ? undefined : Math.max(...used);
  }
}

function namesIn(folder: string): string[] | undefined {
  if (Deno.build.os !== "linux") return undefined;
  try {
    return Array.from(Deno.readDirSync(folder), ({ name }) => name);
  } catch (error) {
    if (isUntold(error)) return undefined;
    throw error;
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
