/**
 * The operating system's request to stop, as an AbortSignal.
 *
 * @module
 */

/** Aborts with the first SIGINT or SIGTERM. */
export interface StopSignal extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Listens until it is disposed of. Later signals change nothing: under `deno task` one Ctrl-C
 * arrives twice, and stopping takes a bounded time.
 */
export function stopOnSignals(): StopSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  // Windows has no SIGTERM; there it is Ctrl-Break.
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
