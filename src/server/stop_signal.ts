/**
 * SIGINT, SIGTERM and the end of the process that started this one as an AbortSignal, and SIGUSR1.
 *
 * @module
 */

import process from "node:process";

export interface StopSignal extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Aborts on the first SIGINT or SIGTERM. Later signals are ignored: under `deno task`, one Ctrl-C
 * arrives twice. Stopping takes a bounded time.
 */
export function stopOnSignals(): StopSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  // Windows has Ctrl-Break instead of SIGTERM.
  const names = ["SIGINT", process.platform === "win32" ? "SIGBREAK" : "SIGTERM"] as const;
  for (const name of names) process.on(name, stop);
  // Node, which runs this program in Deno (`cli/deno_process.ts`), was killed.
  process.on("disconnect", stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of names) process.off(name, stop);
      process.off("disconnect", stop);
    },
  };
}

/** Calls `handOver` on each SIGUSR1, which Windows lacks. */
export function onHandOver(handOver: () => void): Disposable | undefined {
  if (Deno.build.os === "windows") return undefined;
  Deno.addSignalListener("SIGUSR1", handOver);
  return { [Symbol.dispose]: () => Deno.removeSignalListener("SIGUSR1", handOver) };
}
