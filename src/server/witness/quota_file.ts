/**
 * The file with the used quotas of logs, beside the state of a witness. It is saved once a minute and at
 * the stop, never for a request: a kill loses the last minute's counts.
 *
 * @module
 */

import { readFile, writeFile } from "node:fs/promises";
import type { Clock } from "../../base/clock.ts";
import type { LogQuotas } from "../../http/limits/log_quotas.ts";
import { errorText, type Report } from "../../base/report.ts";
import { systemCode } from "../../base/system_error.ts";

const SAVE_MS = 60_000;
const FILE_MODE = 0o600;

export interface QuotaFileOptions {
  readonly quotas: LogQuotas;
  /** Absolute path. */
  readonly path: string;
  readonly report: Report;
  readonly clock: Clock;
}

/** The file beside the state at `path`. */
export function quotaPath(path: string): string {
  return `${path}.quotas`;
}

/** Restores the counts. With a file that cannot be read, reports it and begins the day's counts again. */
export async function restoreQuotas({ quotas, path, report }: QuotaFileOptions): Promise<void> {
  try {
    quotas.restore(await readFile(path, "utf8"));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    report(`Cannot read "${path}" (${errorText(error)}): the used quotas of logs start again at 0`);
  }
}

/** Saves the counts at an interval, until `signal` aborts. Reports the first failure. */
export async function saveQuotas(options: QuotaFileOptions, signal: AbortSignal): Promise<void> {
  let saved = options.quotas.stored;
  let isFailing = false;
  while (!signal.aborted) {
    await options.clock.sleep(SAVE_MS, signal);
    const text = options.quotas.stored;
    if (text === saved) continue;
    try {
      // Not replaced in one step: no other file may be written, and the counts may be lost.
      await writeFile(options.path, text, { mode: FILE_MODE });
      saved = text;
      isFailing = false;
    } catch (error) {
      if (!isFailing) options.report(`Cannot save "${options.path}": ${errorText(error)}`);
      isFailing = true;
    }
  }
}
