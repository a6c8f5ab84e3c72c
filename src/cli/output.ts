/**
 * The output of commands: one JSON document, or lines of text.
 *
 * @module
 */

import { styleText } from "node:util";
import { CountersignError, type ErrorCode } from "../base/errors.ts";
import type { TreeHead } from "../proof/format/tree_head.ts";
import { GatewayRefusal } from "../proof/format/gateway_refusal.ts";
import { printable, printableJson } from "../proof/format/printable_text.ts";
import type { CliIo } from "../server/io.ts";
import { LogContradiction } from "../client/log_contradiction.ts";

export type OutputFormat = "text" | "json";

export type Accent = "green" | "red";

/** A line of text; control characters are escaped. */
export type Line = string | { readonly text: string; readonly accent: Accent };

/** A run that ended by its time limit or a signal. Its message says how to continue. */
export class RunEnded extends CountersignError {}

/** `pin_differs`: what was stated is not the configuration of the pinned network `id`. */
export class PinDiffers extends CountersignError {
  readonly id: string;

  constructor(id: string, message: string) {
    super("pin_differs", message);
    this.id = id;
  }
}

/** Options whose value is the URL of a log, in place of `--gateway`. */
export type LogOption = "--from" | "--mirror";

/** `gateway_unreachable`: no answer at the URL that `option` named. */
export class LogUnreachable extends CountersignError {
  readonly option: LogOption;

  constructor(option: LogOption, cause: CountersignError) {
    super(cause.code, cause.message, { cause });
    this.option = option;
  }
}

/**
 * The reader of a command's lines has closed the pipe. No CountersignError: whoever catches one would report
 * it.
 */
export class OutputClosed extends Error {}

/** Prints results to standard output, everything else to standard error. */
export class Output {
  readonly format: OutputFormat;
  readonly #io: CliIo;
  readonly #colour: boolean;
  #isCut = false;

  constructor(io: CliIo, options: { readonly format: OutputFormat; readonly colour: boolean }) {
    this.#io = io;
    this.format = options.format;
    this.#colour = options.colour;
  }

  /** True if the reader of standard output went before it had all. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /**
   * Prints `value` as JSON, or the lines that `text` makes of it alone: text says nothing that JSON does
   * not. Called once in a run.
   */
  result<T>(value: T, text: (value: T) => readonly Line[]): void {
    if (this.format === "json") this.#out(printableJson(JSON.stringify(value, undefined, 2)));
    else this.#lines(text(value));
  }

  /**
   * Like {@linkcode result} for the text of a JSON document that was strictly parsed as `value`. The text
   * is printed unchanged.
   */
  document<T>(document: string, value: T, text: (value: T) => readonly Line[]): void {
    if (this.format === "json") this.raw(document);
    else this.#lines(text(value));
  }

  /** Prints a document that has one form: of JSON that was strictly parsed, or of another format. */
  raw(document: string): void {
    this.#out(printableJson(document.trimEnd()));
  }

  /**
   * Prints one of many results on one line: the strictly parsed JSON `text`, or `line`. Throws
   * {@linkcode OutputClosed}.
   */
  item(text: string, line: string): void {
    if (this.format === "json") this.#out(printableJson(text.replace(/\s*\n\s*/g, " ")));
    else this.#lines([line]);
    if (this.#isCut) throw new OutputClosed();
  }

  /** Prints a note to standard error. */
  note(text: string): void {
    this.#io.err(`countersign: ${printable(text)}`);
  }

  /** Reports why a run failed. */
  failure(error: CountersignError): void {
    if (this.format === "json") return this.result({ error: errorJson(error) }, () => []);
    this.#io.err(`countersign: ${printable(error.message)}`);
    if (error instanceof LogContradiction) {
      this.#io.err(`  remembered  ${headText(error.known)}`);
      this.#io.err(`  now         ${headText(error.seen)}`);
      this.#io.err(`  evidence    ${printable(error.evidence)}`);
    }
    if (error instanceof GatewayRefusal && error.requestId !== undefined) {
      this.#io.err(`  request     ${error.requestId} (for the gateway's operator)`);
    }
    const hint = hintOf(error);
    if (hint !== undefined) this.#io.err(hint);
  }

  #lines(lines: readonly Line[]): void {
    const texts = lines.map((line) =>
      typeof line === "string" ? printable(line) : this.#paint(line.accent, printable(line.text))
    );
    // In one piece: a reader that closes after the first line has read it whole, and changes no exit code.
    if (texts.length > 0) this.#out(texts.join("\n"));
  }

  #out(text: string): void {
    this.#io.out(text);
    this.#isCut ||= this.#io.isOutputClosed;
  }

  #paint(accent: Accent, text: string): string {
    return this.#colour ? styleText(accent, text, { validateStream: false }) : text;
  }
}

/** What to do next, unless the message says it. */
function hintOf(error: CountersignError): string | undefined {
  if (error instanceof RunEnded) return undefined;
  if (error instanceof LogUnreachable) return `Check the URL of ${error.option}.`;
  if (error instanceof PinDiffers) {
    return "A network that changes its keys shows a succession from the old ones; this one does not. " +
      "Ask its operator. If the change is right, stop trusting the network that you trusted so far: " +
      `countersign network --unpin ${error.id}`;
  }
  return error.code === "gateway_unreachable"
    ? "Name another gateway with --gateway URL or COUNTERSIGN_GATEWAY."
    : undefined;
}

/** The `error` member of a JSON result. */
export interface ErrorJson {
  readonly code: ErrorCode;
  readonly message: string;
  readonly refusal?: {
    readonly status: number;
    readonly code?: string | undefined;
    readonly request_id?: string | undefined;
  };
  readonly contradiction?: Pick<LogContradiction, "known" | "seen" | "evidence"> | undefined;
}

export function errorJson(error: CountersignError): ErrorJson {
  return {
    code: error.code,
    message: error.message,
    ...(error instanceof GatewayRefusal && {
      refusal: {
        status: error.status,
        code: error.reason,
        request_id: error.requestId,
      },
    }),
    ...(error instanceof LogContradiction && {
      contradiction: { known: error.known, seen: error.seen, evidence: error.evidence },
    }),
  };
}

/**
 * `failed`, in groups of one reason. Two errors have one reason if their messages differ in digests and in
 * commands to paste alone, or with `exact` if they are equal. A refused proof is in no group with others:
 * each has to be named.
 */
export function byReason<T extends { readonly error: Pick<ErrorJson, "code" | "message"> }>(
  failed: readonly T[],
  { exact = false }: { readonly exact?: boolean } = {},
): readonly (readonly T[])[] {
  const reasons = new Map<string, T[]>();
  for (const one of failed) {
    const { code, message } = one.error;
    const reason = exact || code === "proof_refused"
      ? message
      : message.replace(/[0-9a-f]{64}|countersign [^)]*/g, "");
    const known = reasons.get(reason);
    if (known === undefined) reasons.set(reason, [one]);
    else known.push(one);
  }
  return [...reasons.values()];
}

/** A line for the first failure of each reason, and the number of the others under it, from `column` on. */
export function linesByReason<T extends { readonly error: ErrorJson }>(
  failed: readonly T[],
  lineOf: (one: T) => Line,
  column: number,
): readonly Line[] {
  return byReason(failed).flatMap(([first, ...others]) => [
    lineOf(first!),
    ...(others.length === 0
      ? []
      : [`${" ".repeat(column)}and ${others.length} more for the same reason`]),
  ]);
}

export function isFailed<T extends { readonly error?: ErrorJson | undefined }>(
  result: T,
): result is T & { readonly error: ErrorJson } {
  return result.error !== undefined;
}

function headText(head: TreeHead): string {
  return `size ${head.tree_size}, root ${head.root_hash}, ${timeText(head.timestamp)}`;
}

/** Columns under `head`, one line for each of `rows`. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const table = [head, ...rows];
  const widths = head.map((_, i) => Math.max(...table.map((row) => row[i]!.length)));
  return table.map((row) => row.map((cell, i) => cell.padEnd(widths[i]!)).join("  ").trimEnd());
}

/** "2026-01-01T00:00:00Z" for Unix seconds; the number itself if it is out of range. */
export function timeText(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString().replace(".000Z", "Z");
}
