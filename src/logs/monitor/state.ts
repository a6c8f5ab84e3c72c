/**
 * The state of a monitor, `state.json`: how far each log was followed, and the findings. It is written
 * whole after each poll, so that a run that ends at any point is continued.
 *
 * @module
 */

import { CountersignError, expectedError, tryParse } from "../../base/errors.ts";
import { parseLogCheckpoint } from "../../proof/format/log_checkpoint.ts";
import { parseNote } from "../../proof/format/note.ts";
import { COUNT, HASH, list, object, type Of, TEXT } from "../../proof/format/schema.ts";
import type { AcceptedCheckpoint } from "../publishing/ports.ts";
import { SUCCESSION_LINK } from "../../proof/format/succession.ts";
import { FINDING } from "./findings.ts";

const VERSION = 1;

/** A checkpoint that was verified when it was stored. */
const CHECKPOINT = TEXT.map(
  (text) => tryParse(() => storedCheckpoint(text)) && text,
  "a checkpoint",
);

const VIEW_STATE = object({
  name: TEXT,
  /** The last accepted checkpoint, and since when the view shows it. */
  checkpoint: CHECKPOINT.optional(),
  since: COUNT,
  /** Largest size that the view has shown. */
  largest: COUNT,
  /** A checkpoint that is not compared with the log yet, because no view showed its tree. */
  pending: CHECKPOINT.optional(),
  /** The subject of the finding that the view shows another history. */
  forked: TEXT.optional(),
});

const WATCHED_STATE = object({
  hash: HASH,
  /** Index of the entry. */
  index: COUNT.optional(),
  /** Number of entry bundles that are still to be searched. */
  left: COUNT.optional(),
});

const LOG_STATE = object({
  origin: TEXT,
  /** The largest head of the history that is followed. */
  checkpoint: CHECKPOINT.optional(),
  /** The chain that was followed, from epoch 0 on. It was verified, and is again at every start. */
  succession: list(SUCCESSION_LINK).optional(),
  /** The next entry bundle to read again, and the next watched hash. */
  next_bundle: COUNT,
  next_watched: COUNT,
  views: list(VIEW_STATE),
  watched: list(WATCHED_STATE),
});

const STATE = object({
  version: COUNT,
  /** Unix seconds of the last poll. */
  at: COUNT,
  logs: list(LOG_STATE),
  findings: list(FINDING),
});

export type ViewState = Of<typeof VIEW_STATE>;
export type WatchedState = Of<typeof WATCHED_STATE>;
export type LogState = Of<typeof LOG_STATE>;
export type MonitorState = Of<typeof STATE>;

/** The JSON text, indented. */
export function encodeMonitorState(state: Omit<MonitorState, "version">): string {
  return `${JSON.stringify({ version: VERSION, ...state }, undefined, 1)}\n`;
}

/** Reads the state in `file`. `store_corrupt`; `format_unsupported` for that of a newer program. */
export function parseMonitorState(text: string, file: string): MonitorState {
  const code = "store_corrupt";
  const newer = /^\s*\{\s*"version":\s*(\d+)/.exec(text)?.[1];
  if (newer !== undefined && Number(newer) > VERSION) {
    throw new CountersignError(
      "format_unsupported",
      `Cannot read "${file}": a newer program wrote it (version ${newer}); use that program`,
    );
  }
  try {
    const state = STATE.parseText(text, { where: "state of monitor", code }, Infinity);
    if (state.version === VERSION) return state;
    throw new CountersignError(code, `Version ${state.version} is unknown`);
  } catch (cause) {
    throw new CountersignError(
      code,
      `Cannot use "${file}": it is damaged (${expectedError(cause).message}). Restore it from a ` +
        "backup; or keep it aside as it is, and start again: the monitor then trusts the heads and " +
        "successions that the logs show first, and alerts again of what still holds",
      { cause },
    );
  }
}

/** A checkpoint that was accepted when it was stored; `malformed_text` if it cannot be read. */
export function storedCheckpoint(text: string): AcceptedCheckpoint {
  const { origin, size, root } = parseLogCheckpoint(parseNote(text).text);
  return { text, origin, size, root };
}
