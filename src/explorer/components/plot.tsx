/**
 * A plot of values over time, drawn as SVG, with a table of the same values.
 *
 * @module
 */

import { useId, useState } from "hono/jsx/dom";
import type { Point } from "../growth_series.ts";
import {
  type Axis,
  axisText,
  scale,
  stepPath,
  tickTimeText,
  timeAxis,
  valueAxis,
} from "../plot_scale.ts";
import { momentText } from "../../base/moment_text.ts";
import { Table } from "./table.tsx";

const WIDTH = 460;
const HEIGHT = 190;
const FRAME = { left: 44, right: WIDTH - 14, top: 10, bottom: HEIGHT - 24 };

/** Half the width of a time label. */
const HALF_LABEL = 36;

/** More marks than this would merge into a line. */
const MAX_MARKS = 60;
const MAX_ROWS = 100;

interface PlotProps {
  readonly title: string;
  /** Describes the plot for readers who do not see it. */
  readonly summary: string;
  readonly valueName: string;
  /** Oldest first. Steps take two or more, stems one or more. */
  readonly points: readonly Point[];
  /** A line from value to value, or one stem for each value. */
  readonly shape: "steps" | "stems";
  /** Starts the value axis at 0. */
  readonly fromZero?: boolean;
  readonly valueText: (value: number) => string;
}

export function Plot(props: PlotProps) {
  const { title, summary, points, valueName, valueText } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <figure class="plot">
      <figcaption>
        <span class="plot-title">{title}</span>
        <span class="muted small">{summary}</span>
      </figcaption>
      <Drawing {...props} />
      <details
        class="plot-table"
        onToggle={(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}
      >
        <summary>Show as a table</summary>
        {isOpen && (
          <Table
            caption={title}
            rows={points.toReversed().slice(0, MAX_ROWS)}
            columns={[
              ["Time", ({ x }) => momentText(x)],
              [valueName, ({ y }) => valueText(y), "numeric"],
            ]}
          />
        )}
        {isOpen && points.length > MAX_ROWS && (
          <p class="muted small">{`The latest ${MAX_ROWS} of ${points.length}.`}</p>
        )}
      </details>
    </figure>
  );
}

function Drawing({ title, summary, points, shape, fromZero = false, valueText }: PlotProps) {
  const id = useId();
  const times = points.map(({ x }) => x);
  const values = points.map(({ y }) => y);
  const least = fromZero || shape === "stems" ? 0 : Math.min(...values);
  const timeline = timeAxis(Math.min(...times), Math.max(...times), 4);
  const axis = valueAxis(least, Math.max(...values), 4);
  const placed = points.map(({ x, y }) => ({ x: xOf(timeline, x), y: yOf(axis, y) }));
  const line = stepPath(placed);
  return (
    <svg
      class="plot-drawing"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-labelledby={`${id}-title ${id}-summary`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-summary`}>{summary}</desc>
      <Grid timeline={timeline} axis={axis} />
      {shape === "steps"
        ? (
          <>
            <path class="plot-area" d={`${line}V${FRAME.bottom}H${placed[0]?.x ?? 0}Z`} />
            <path class="plot-line" d={line} />
          </>
        )
        : (
          <path
            class="plot-stems"
            d={placed.map(({ x, y }) => `M${x} ${FRAME.bottom}V${y}`).join("")}
          />
        )}
      {placed.length > MAX_MARKS
        ? null
        : placed.map(({ x, y }, i) => (
          <circle key={i} class="plot-mark" cx={x} cy={y} r={2.5}>
            <title>{`${momentText(points[i]!.x)}: ${valueText(points[i]!.y)}`}</title>
          </circle>
        ))}
    </svg>
  );
}

function xOf(timeline: Axis, time: number): number {
  return scale(timeline, time, [FRAME.left, FRAME.right]);
}

function yOf(axis: Axis, value: number): number {
  return scale(axis, value, [FRAME.bottom, FRAME.top]);
}

function Grid({ timeline, axis }: { readonly timeline: Axis; readonly axis: Axis }) {
  const { left, right } = FRAME;
  return (
    <g class="plot-grid">
      {axis.ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={right} y1={yOf(axis, tick)} y2={yOf(axis, tick)} />
          <text class="plot-value" x={left - 6} y={yOf(axis, tick) + 4}>{axisText(tick)}</text>
        </g>
      ))}
      {timeline.ticks.map((tick) => {
        const x = xOf(timeline, tick);
        const isLast = x > right - HALF_LABEL;
        return (
          <text
            key={tick}
            class={isLast ? "plot-time plot-time-last" : "plot-time"}
            x={isLast ? right : x}
            y={HEIGHT - 6}
          >
            {tickTimeText(tick, timeline.max - timeline.min)}
          </text>
        );
      })}
    </g>
  );
}
