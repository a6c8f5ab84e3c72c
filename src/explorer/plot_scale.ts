/**
 * Geometry of a small plot: ticks at round values, and a path through points.
 *
 * @module
 */

import type { Point } from "./growth_series.ts";

/** An axis: what its ends stand for, and where its ticks are. */
export interface Axis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

/** The rectangle of a plot in its own units, y downwards. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Steps of a time axis in seconds; above them whole multiples of a week. */
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30],
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

/** An axis of Unix seconds over exactly [min, max], or a second more where they are the same. */
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

/** Where a value lies, to a tenth of a unit. */
export function place(axis: Axis, value: number, [from, to]: readonly [number, number]): number {
  const share = (value - axis.min) / (axis.max - axis.min);
  return Math.round((from + share * (to - from)) * 10) / 10;
}

/** Where each point lies in `frame`. */
export function placePoints(points: readonly Point[], axes: PlotAxes, frame: Frame): Point[] {
  return points.map(({ x, y }) => ({
    x: place(axes.x, x, [frame.left, frame.right]),
    y: place(axes.y, y, [frame.bottom, frame.top]),
  }));
}

/** Both axes of a plot. */
export interface PlotAxes {
  readonly x: Axis;
  readonly y: Axis;
}

/** A path in SVG's words that stays at a value until the next point: sizes change at once. */
export function stepPath(placed: readonly Point[]): string {
  return placed.map(({ x, y }, i) => i === 0 ? `M${x} ${y}` : `H${x}V${y}`).join("");
}

/** "950", "12k", "3.5M" of a value on an axis. */
export function axisText(value: number): string {
  const [divisor, unit] = ([[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]] as const)
    .find(([size]) => value >= 10 * size || (value >= size && value % (size / 10) === 0)) ??
    [1, ""];
  return `${Math.round((value / divisor) * 10) / 10}${unit}`;
}

/** A tick of a time axis that spans `spanSeconds`: in UTC, as exact as the span lets see. */
export function tickTimeText(seconds: number, spanSeconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return `${seconds} s`;
  const text = date.toISOString();
  if (spanSeconds <= 10 * MINUTE) return text.slice(11, 19);
  if (spanSeconds <= 2 * DAY) return text.slice(11, 16);
  return spanSeconds <= 300 * DAY ? text.slice(5, 10) : text.slice(0, 7);
}
