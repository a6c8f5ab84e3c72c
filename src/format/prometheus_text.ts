/**
 * Reads samples in the text format of Prometheus, version 0.0.4. Comments are ignored; lines with a
 * timestamp are refused.
 *
 * @module
 */

import { errorBuilder } from "../errors.ts";

const refused = errorBuilder("operator_refused", "Cannot read metrics");

/** One line of a page. */
export interface MetricSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** May be infinite or NaN. */
  readonly value: number;
}

const MAX_SAMPLES = 100_000;

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
/** One label with an escaped value, and the comma or end of text after it. */
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\n"])*)"(,|$)/y;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const SPECIAL: Readonly<Record<string, number>> = { "+Inf": Infinity, "-Inf": -Infinity, NaN };

/** Parses the samples of a page, in order; `operator_refused`. */
export function parsePrometheusText(text: string): MetricSample[] {
  const samples: MetricSample[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    if (samples.length === MAX_SAMPLES) throw refused(`more than ${MAX_SAMPLES} samples`);
    samples.push(readSample(line));
  }
  return samples;
}

function readSample(line: string): MetricSample {
  const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
  if (name === undefined || value === undefined) throw refused("a line is not a sample");
  return { name, labels: labelsOf(labels), value: valueOf(value) };
}

function labelsOf(text: string): Map<string, string> {
  const labels = new Map<string, string>();
  for (let at = 0; at < text.length; at = LABEL.lastIndex) {
    LABEL.lastIndex = at;
    const [, name, value] = LABEL.exec(text) ?? [];
    if (name === undefined || value === undefined || labels.has(name)) {
      throw refused("malformed or duplicate label");
    }
    labels.set(name, value.replace(/\\(.)/g, (_, escaped) => escaped === "n" ? "\n" : escaped));
  }
  return labels;
}

function valueOf(text: string): number {
  if (Object.hasOwn(SPECIAL, text)) return SPECIAL[text]!;
  if (!NUMBER.test(text)) throw refused("a value is not a number");
  return Number(text);
}
