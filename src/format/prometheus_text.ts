/**
 * Metrics in the text format of Prometheus, version 0.0.4, as an operator listener answers them: the
 * samples alone. Comments say nothing here, and a time of its own is no sample of ours.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";

/** One line of a page. */
export interface MetricSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** May be infinite, or not a number. */
  readonly value: number;
}

/** A page of ours has some hundred lines for each dozen of witnesses and peers. */
const MAX_SAMPLES = 100_000;

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
/** One label and what ends it; its value is escaped. */
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\n"])*)"(,|$)/y;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const SPECIAL: Readonly<Record<string, number>> = { "+Inf": Infinity, "-Inf": -Infinity, NaN };

/** The samples of a page in their order; `operator_refused` where a line is none. */
export function parsePrometheusText(text: string): MetricSample[] {
  const samples: MetricSample[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    if (samples.length === MAX_SAMPLES) throw refused(`at most ${MAX_SAMPLES} samples`, "more");
    samples.push(readSample(line));
  }
  return samples;
}

function readSample(line: string): MetricSample {
  const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
  if (name === undefined || value === undefined) throw refused("name, labels and value", "another");
  return { name, labels: labelsOf(labels), value: valueOf(value) };
}

function labelsOf(text: string): Map<string, string> {
  const labels = new Map<string, string>();
  for (let at = 0; at < text.length; at = LABEL.lastIndex) {
    LABEL.lastIndex = at;
    const [, name, value] = LABEL.exec(text) ?? [];
    if (name === undefined || value === undefined || labels.has(name)) {
      throw refused("labels in quotes, each once,", "others");
    }
    labels.set(name, value.replace(/\\(.)/g, (_, escaped) => escaped === "n" ? "\n" : escaped));
  }
  return labels;
}

function valueOf(text: string): number {
  if (Object.hasOwn(SPECIAL, text)) return SPECIAL[text]!;
  if (!NUMBER.test(text)) throw refused("a number", "another text");
  return Number(text);
}

function refused(required: string, found: string): CountersignError {
  return new CountersignError(
    "operator_refused",
    `Cannot read metrics: ${required} required on each line, found ${found}`,
  );
}
