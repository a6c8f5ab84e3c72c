/**
 * Geometry of a plot: axes with ticks at round values, and a path through points.
 *
 * @module
 */

import type { Point } from "./growth_series.ts";

/** The values at the ends of an axis and at its ticks. */
export interface Axis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Steps of a time axis in seconds; longer steps are multiples of the last one. */
const TIME_STEPS = [
  1,
  2,
  5,
  10,
  15,
  30,
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28, 56, 112, 364].map((days) => days * DAY),
];

/** An axis over [min, max] with about `count` ticks at 1, 2 or 5 times a power of ten. */
export function valueAxis(min: number, max: number, count: number): Axis {
  const span = Math.max(max - min, 1);
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough)!);
  const from = Math.floor(min / step) * step;
  const to = Math.max(Math.ceil(max / step) * step, from + step);
  return { min: from, max: to, ticks: multiples(step, from, to) };
}

/** An axis of Unix seconds over exactly [min, max]; an empty range becomes one second. */
export function timeAxis(min: number, max: number, count: number): Axis {
  const to = Math.max(max, min + 1);
  const rough = (to - min) / count;
  const step = TIME_STEPS.find((s) => s >= rough) ?? Math.ceil(rough / (364 * DAY)) * 364 * DAY;
  return { min, max: to, ticks: multiples(step, min, to) };
}

function multiples(step: number, from: number, to: number): number[] {
  const ticks: number[] = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
  return ticks;
}

/** The coordinate of `value` between `from` and `to`, rounded to a tenth. */
export function scale(axis: Axis, value: number, [from, to]: readonly [number, number]): number {
  const share = (value - axis.min) / (axis.max - axis.min);
  return Math.round((from + share * (to - from)) * 10) / 10;
}

/** An SVG path that keeps each value until the next point. */
export function stepPath(placed: readonly Point[]): string {
  return placed.map(({ x, y }, i) => i === 0 ? `M${x} ${y}` : `H${x}V${y}`).join("");
}

/** "950", "12k" or "3.5M". */
export function axisText(value: number): string {
  const [divisor, unit] = ([[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]] as const)
    .find(([size]) => value >= 10 * size || (value >= size && value % (size / 10) === 0)) ??
    [1, ""];
  return `${Math.round((value / divisor) * 10) / 10}${unit}`;
}

/** The UTC label of a tick, as precise as an axis of `spanSeconds` needs. */
export function tickTimeText(seconds: number, spanSeconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return `${seconds} s`;
  const text = date.toISOString();
  if (spanSeconds <= 10 * MINUTE) return text.slice(11, 19);
  if (spanSeconds <= 2 * DAY) return text.slice(11, 16);
  return spanSeconds <= 300 * DAY ? text.slice(5, 10) : text.slice(0, 7);
}
