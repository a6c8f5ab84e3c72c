/**
 * What a process uses, as Linux counts it. Deno itself reads nothing below /proc, so programs do.
 *
 * @module
 */

import assert from "node:assert/strict";
import { runTool } from "./tools.ts";

/** A running process. */
export interface Process {
  readonly pid: number;
}

async function printed(program: string, path: string): Promise<string> {
  const { code, stdout, stderr } = await runTool(program, [path], { cwd: "/" });
  assert.equal(code, 0, stderr);
  return stdout;
}

export async function descriptorsOf({ pid }: Process): Promise<number> {
  return (await printed("ls", `/proc/${pid}/fd`)).split("\n").length;
}

/** Bytes of resident memory. */
export async function memoryOf({ pid }: Process): Promise<number> {
  const status = await printed("cat", `/proc/${pid}/status`);
  return Number(/^VmRSS:\s+([0-9]+) kB$/m.exec(status)![1]) * 1024;
}
