/**
 * Adds the logs of published lists to the `logs_file` of a witness: once by a command, or at an interval
 * while the witness runs.
 *
 * @module
 */

import { setImmediate } from "node:timers/promises";
import { textAtUrl } from "../../client/text_at_url.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { encodeLogsFile, parseLogsFile, readLogsFile } from "../../config/followed_logs.ts";
import { invalid, namingFile } from "../../config/validation.ts";
import type { WitnessNode } from "../../config/witness_node.ts";
import { screenPublicKey } from "../../proof/crypto/ed25519_key.ts";
import { expectedError } from "../../base/errors.ts";
import { type ListedLog, type LogList, parseLogList } from "../../proof/format/log_list.ts";
import { encodeVkey } from "../../proof/format/note_key.ts";
import { Condition, errorDetails, type Report } from "../../base/report.ts";
import type { WitnessedLog } from "../../witness/ports.ts";
import { replaceFile } from "../replaced_file.ts";
import { withChangeLock } from "../change_lock.ts";

/** The keys are public, and the witness may run as another user. */
export const LOGS_FILE_MODE = 0o644;

/** After a failure, lists are read again this soon. */
const RETRY_SECONDS = 300;

/** The beginning of messages about lists. */
export const LIST_FAILURE = "Cannot get log list";

/** The effect of a list, as origins of logs. */
interface MergedLogs {
  readonly added: readonly string[];
  /** Known logs with a new quota. */
  readonly updated: readonly string[];
  /** Known logs for which the list has another key. */
  readonly refused: readonly string[];
  /** Logs of the file that the list does not have. */
  readonly kept: readonly string[];
}

export interface ImportedList extends MergedLogs {
  readonly listed: number;
  readonly skipped: LogList["skipped"];
}

/**
 * Adds the logs of the list `text` to `logsFile`, all of them or none. `name` says where the list is from.
 *
 * @throws `malformed_text`, `invalid_configuration` if the file would have more than `maxLogs` logs.
 */
export async function importLogList(
  { logs: configured, maxLogs }: Pick<WitnessNode, "logs" | "maxLogs">,
  logsFile: string,
  name: string,
  text: string,
  signal?: AbortSignal,
): Promise<ImportedList> {
  const list = namingFile(name, () => parseLogList(text));
  const { logs: listed, skipped } = await screened(list, signal);
  const merged = await withChangeLock(`${logsFile}.lock`, async (confirm) => {
    const further = await readLogsFile(logsFile);
    const { logs, ...result } = mergeList(listed, { configured, further });
    if (result.added.length > 0 && logs.length > maxLogs) {
      throw invalid(
        `log list "${name}"`,
        `with it, "${logsFile}" would have ${logs.length} logs, and max_logs is ${maxLogs}. ` +
          "Remove logs from the file, or raise max_logs of the witness",
      );
    }
    const written = encodeLogsFile(logs);
    parseLogsFile(written, logsFile);
    if (written !== encodeLogsFile(further)) {
      await replaceFile(logsFile, written, LOGS_FILE_MODE, confirm);
    }
    return result;
  });
  return { ...merged, listed: listed.length, skipped };
}

/** Keys between two turns of the event loop, in which the witness signs: the check of a key takes about 1 ms. */
const KEYS_AT_ONCE = 4;

/** Moves logs with weak keys to `skipped`: the witness's file may not have them. */
async function screened({ logs, skipped }: LogList, signal?: AbortSignal): Promise<LogList> {
  const usable: ListedLog[] = [];
  const weak: LogList["skipped"][number][] = [];
  for (const [i, log] of logs.entries()) {
    if (i % KEYS_AT_ONCE === 0) await setImmediate();
    signal?.throwIfAborted();
    try {
      screenPublicKey(log.key.publicKey);
      usable.push(log);
    } catch (error) {
      weak.push({ vkey: encodeVkey(log.key), reason: expectedError(error).message });
    }
  }
  return { logs: usable, skipped: [...skipped, ...weak] };
}

/** A list adds logs and changes quotas. It changes no key and removes no log: lists are not signed. */
function mergeList(
  listed: readonly ListedLog[],
  { configured, further }: {
    readonly configured: readonly WitnessedLog[];
    readonly further: readonly WitnessedLog[];
  },
): MergedLogs & { readonly logs: readonly WitnessedLog[] } {
  const logs = new Map(further.map((log) => [log.origin, log]));
  const fixedLogs = new Map(configured.map((log) => [log.origin, log]));
  const added: string[] = [];
  const updated: string[] = [];
  const refused: string[] = [];
  for (const { origin, key, queriesPerDay } of listed) {
    const fixed = fixedLogs.get(origin);
    const known = fixed ?? logs.get(origin);
    if (known === undefined) {
      added.push(origin);
      logs.set(origin, { origin, keys: [key], ...(queriesPerDay && { queriesPerDay }) });
    } else if (!known.keys.some((one) => encodeVkey(one) === encodeVkey(key))) {
      refused.push(origin);
    } else if (fixed === undefined && queriesPerDay && queriesPerDay !== known.queriesPerDay) {
      updated.push(origin);
      logs.set(origin, { ...known, queriesPerDay });
    }
  }
  const named = new Set(listed.map(({ origin }) => origin));
  const kept = further.map(({ origin }) => origin).filter((origin) => !named.has(origin));
  return { logs: [...logs.values()], added, updated, refused, kept };
}

/**
 * Imports the lists of `node` now and at its interval, until `signal` aborts. Reports failures, and retries
 * after {@linkcode RETRY_SECONDS}.
 */
export async function refreshLogLists(
  node: Pick<WitnessNode, "logs" | "logsFile" | "maxLogs" | "logLists">,
  report: Report,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<void> {
  const { logLists, logsFile } = node;
  if (logLists === undefined || logsFile === undefined) return;
  const conditions = new Map(logLists.urls.map((url) => [url, new Condition({ clock, report })]));
  const reported = new Map<string, string>();
  while (!signal.aborted) {
    let pauseSeconds = logLists.intervalSeconds;
    for (const [url, condition] of conditions) {
      try {
        const text = await textAtUrl(url, { failure: LIST_FAILURE, clock, signal });
        const { added, updated, refused } = await importLogList(node, logsFile, url, text, signal);
        condition.ended(`The log list ${url} works again`);
        if (added.length + updated.length > 0) {
          const counts = `${added.length} new logs, ${updated.length} new quotas`;
          report(`Log list ${url}: ${counts}`, { level: "info" });
        }
        const others = refused.join("\n");
        if (others !== "" && others !== reported.get(url)) {
          const example = JSON.stringify(refused[0]);
          report(
            `Log list ${url}: refused another key for ${refused.length} logs, such as ${example} ` +
              "(accept it with witness follow)",
          );
        }
        reported.set(url, others);
      } catch (cause) {
        if (signal.aborted) return;
        pauseSeconds = Math.min(pauseSeconds, RETRY_SECONDS);
        const error = expectedError(cause);
        condition.holds(error.message, { level: "warning", ...errorDetails(error) });
      }
    }
    await clock.sleep(pauseSeconds * 1000, signal);
  }
}
