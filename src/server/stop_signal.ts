/**
 * SIGINT and SIGTERM as an AbortSignal.
 *
 * @module
 */

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
  const names: Deno.Signal[] = Deno.build.os === "windows"
    ? ["SIGINT", "SIGBREAK"]
    : ["SIGINT", "SIGTERM"];
  for (const name of names) Deno.addSignalListener(name, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of names) Deno.removeSignalListener(name, stop);
    },
  };
}

/** Resolves when `signal` aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
