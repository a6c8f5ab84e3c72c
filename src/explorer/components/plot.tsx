/**
 * A small plot over time, and the same values as a table for those who do not see it.
 *
 * @module
 */

import { useId, useState } from "hono/jsx/dom";
import type { Point } from "../growth_series.ts";
import {
  axisText,
  type Frame,
  place,
  placePoints,
  type PlotAxes,
  stepPath,
  tickTimeText,
  timeAxis,
  valueAxis,
} from "../plot_scale.ts";
import { timeText } from "../text.ts";
import { Table } from "./table.tsx";

const WIDTH = 460;
const HEIGHT = 190;
const FRAME: Frame = { left: 44, right: WIDTH - 14, top: 10, bottom: HEIGHT - 24 };

/** Half of what the label of a time takes. */
const LABEL_ROOM = 36;

/** Above so many points, marks would be one line. */
const MAX_MARKS = 60;
const MAX_ROWS = 100;

interface PlotProps {
  /** What is plotted. */
  readonly title: string;
  /** The whole of it in a sentence. */
  readonly summary: string;
  readonly valueName: string;
  /** Oldest first. */
  readonly points: readonly Point[];
  /** A line from value to value, or a stem for each. */
  readonly shape: "steps" | "stems";
  /** Whether the value axis begins at 0. */
  readonly fromZero?: boolean;
  readonly valueText: (value: number) => string;
}

/** A figure; `points` are at least two for steps, and one for stems. */
export function Plot(props: PlotProps) {
  const { title, summary } = props;
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
        {isOpen ? <Values {...props} /> : null}
      </details>
    </figure>
  );
}

function Values({ title, valueName, points, valueText }: PlotProps) {
  const rows = points.toReversed().slice(0, MAX_ROWS);
  return (
    <>
      <Table
        caption={title}
        columns={[{ name: "Time" }, { name: valueName, numeric: true }]}
        rows={rows.map(({ x, y }, i) => ({ key: i, cells: [timeText(x), valueText(y)] }))}
      />
      {points.length > MAX_ROWS
        ? <p class="muted small">{`The latest ${MAX_ROWS} of ${points.length}.`}</p>
        : null}
    </>
  );
}

function Drawing({ title, summary, points, shape, fromZero = false, valueText }: PlotProps) {
  const id = useId();
  const axes = axesOf(points, fromZero || shape === "stems");
  const placed = placePoints(points, axes, FRAME);
  return (
    <svg
      class="plot-drawing"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-labelledby={`${id}-title ${id}-summary`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-summary`}>{summary}</desc>
      <Grid axes={axes} />
      {shape === "steps"
        ? (
          <>
            <path class="plot-area" d={areaPath(placed)} />
            <path class="plot-line" d={stepPath(placed)} />
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
            <title>{`${timeText(points[i]!.x)}: ${valueText(points[i]!.y)}`}</title>
          </circle>
        ))}
    </svg>
  );
}

function axesOf(points: readonly Point[], fromZero: boolean): PlotAxes {
  const times = points.map(({ x }) => x);
  const values = points.map(({ y }) => y);
  return {
    x: timeAxis(Math.min(...times), Math.max(...times), 4),
    y: valueAxis(fromZero ? 0 : Math.min(...values), Math.max(...values), 4),
  };
}

function areaPath(placed: readonly Point[]): string {
  const [first, last] = [placed[0], placed.at(-1)];
  if (first === undefined || last === undefined) return "";
  return `${stepPath(placed)}V${FRAME.bottom}H${first.x}Z`;
}

function Grid({ axes }: { readonly axes: PlotAxes }) {
  const { left, right, top, bottom } = FRAME;
  const span = axes.x.max - axes.x.min;
  return (
    <g class="plot-grid">
      {axes.y.ticks.map((tick) => {
        const y = place(axes.y, tick, [bottom, top]);
        return (
          <g key={tick}>
            <line x1={left} x2={right} y1={y} y2={y} />
            <text class="plot-value" x={left - 6} y={y + 4}>{axisText(tick)}</text>
          </g>
        );
      })}
      {axes.x.ticks.map((tick) => {
        const x = place(axes.x, tick, [left, right]);
        return (
          <text
            key={tick}
            class={x > right - LABEL_ROOM ? "plot-time plot-time-last" : "plot-time"}
            x={x > right - LABEL_ROOM ? right : x}
            y={HEIGHT - 6}
          >
            {tickTimeText(tick, span)}
          </text>
        );
      })}
    </g>
  );
}
