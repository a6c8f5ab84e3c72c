/**
 * Plots with two logarithmic axes, as SVG.
 *
 * @module
 */

/** One line. Points with a coordinate that is not above 0 are left out. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** One plot: its lines share both axes. */
export interface LogPlot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly Series[];
}

const WIDTH = 860;
const PLOT_HEIGHT = 400;
/** Room for the axes, for the title, and for the legend to the right. */
const MARGIN = { left: 76, top: 44, bottom: 56, right: 250 };
const FONT = "ui-sans-serif, system-ui, 'DejaVu Sans', sans-serif";
/** The palette of Okabe and Ito, which the colour-blind tell apart, without its yellow. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"];
/** Lines of one colour differ in their dashes. */
const DASHES = ["", "7 4", "2 3"];

/** Exponents of 10 around all values. */
interface Decades {
  readonly first: number;
  readonly last: number;
}

/** `plots` above one another under `caption`, as an SVG document. */
export function logPlotSvg(caption: string, plots: readonly LogPlot[]): string {
  const top = 34;
  const height = top + plots.length * PLOT_HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" ` +
    `viewBox="0 0 ${WIDTH} ${height}" font-family="${FONT}" font-size="13">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(16, 24, caption, { fill: "#444444", "font-size": "12" }),
    ...plots.map((plot, i) =>
      `<g transform="translate(0 ${top + i * PLOT_HEIGHT})">\n${drawPlot(plot)}\n</g>`
    ),
    "</svg>\n",
  ].join("\n");
}

function drawPlot(plot: LogPlot): string {
  const series = plot.series.map(({ name, points }) => ({
    name,
    points: points.filter(([x, y]) => x > 0 && y > 0),
  }));
  const points = series.flatMap(({ points }) => points);
  const x = decadesOf(points.map(([x]) => x));
  const y = decadesOf(points.map(([, y]) => y));
  return [
    text(MARGIN.left, 24, plot.title, { "font-size": "16", "font-weight": "600" }),
    ...drawGrid(x, y),
    text((MARGIN.left + WIDTH - MARGIN.right) / 2, PLOT_HEIGHT - 14, plot.xLabel, middle),
    text(0, 0, plot.yLabel, {
      ...middle,
      transform: `translate(18 ${(MARGIN.top + PLOT_HEIGHT - MARGIN.bottom) / 2}) rotate(-90)`,
    }),
    ...series.flatMap((each, i) => drawSeries(each, i, { x, y })),
  ].join("\n");
}

const middle = { "text-anchor": "middle" };

/** The decades of `values`; at least one, so that an axis has a length. */
function decadesOf(values: readonly number[]): Decades {
  const logs = values.map(Math.log10);
  const first = Math.floor(Math.min(...logs, Infinity));
  const last = Math.ceil(Math.max(...logs, -Infinity));
  if (!Number.isFinite(first)) return { first: 0, last: 1 };
  return { first, last: Math.max(last, first + 1) };
}

/** Where a value lies on the horizontal axis, and on the vertical one. */
function xOf(value: number, { first, last }: Decades): number {
  const length = WIDTH - MARGIN.left - MARGIN.right;
  return MARGIN.left + length * (Math.log10(value) - first) / (last - first);
}

function yOf(value: number, { first, last }: Decades): number {
  const length = PLOT_HEIGHT - MARGIN.top - MARGIN.bottom;
  return PLOT_HEIGHT - MARGIN.bottom - length * (Math.log10(value) - first) / (last - first);
}

/** A line at every power of ten, and a fainter one at its multiples in between. */
function drawGrid(x: Decades, y: Decades): string[] {
  const lines: string[] = [];
  const bottom = PLOT_HEIGHT - MARGIN.bottom;
  const right = WIDTH - MARGIN.right;
  for (const { value, isPower } of ticksOf(x)) {
    const at = xOf(value, x);
    lines.push(line(at, MARGIN.top, at, bottom, isPower));
    if (isPower) lines.push(text(at, bottom + 18, shortNumber(value), middle));
  }
  for (const { value, isPower } of ticksOf(y)) {
    const at = yOf(value, y);
    lines.push(line(MARGIN.left, at, right, at, isPower));
    if (isPower) {
      lines.push(text(MARGIN.left - 8, at + 4, shortNumber(value), { "text-anchor": "end" }));
    }
  }
  return lines;
}

function ticksOf({ first, last }: Decades): { value: number; isPower: boolean }[] {
  const ticks = [];
  for (let exponent = first; exponent < last; exponent++) {
    for (let digit = 1; digit < 10; digit++) {
      ticks.push({ value: digit * 10 ** exponent, isPower: digit === 1 });
    }
  }
  return [...ticks, { value: 10 ** last, isPower: true }];
}

function drawSeries(
  { name, points }: Series,
  place: number,
  { x, y }: { readonly x: Decades; readonly y: Decades },
): string[] {
  const colour = COLOURS[place % COLOURS.length]!;
  const dash = DASHES[Math.floor(place / COLOURS.length) % DASHES.length]!;
  const at = points.map(([px, py]) => [round(xOf(px, x)), round(yOf(py, y))] as const);
  const stroke = `stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"`;
  const legendX = WIDTH - MARGIN.right + 18;
  const legendY = MARGIN.top + 10 + 24 * place;
  return [
    `<polyline fill="none" ${stroke} points="${at.map((each) => each.join(",")).join(" ")}"/>`,
    ...at.map(([cx, cy], i) =>
      `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${colour}"><title>${
        escape(`${name}: ${points[i]![1]} at ${points[i]![0]}`)
      }</title></circle>`
    ),
    `<line x1="${legendX}" y1="${legendY}" x2="${legendX + 26}" y2="${legendY}" ${stroke}/>`,
    text(legendX + 34, legendY + 4, name, {}),
  ];
}

function line(x1: number, y1: number, x2: number, y2: number, isPower: boolean): string {
  const ends = `x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"`;
  return `<line ${ends} stroke="${isPower ? "#b0b0b0" : "#ececec"}" stroke-width="1"/>`;
}

function text(x: number, y: number, content: string, attributes: Record<string, string>): string {
  const rest = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`).join("");
  return `<text x="${round(x)}" y="${round(y)}"${rest}>${escape(content)}</text>`;
}

/** The text of a power of ten. */
function shortNumber(value: number): string {
  if (value >= 1e9) return `${value / 1e9} G`;
  if (value >= 1e6) return `${value / 1e6} M`;
  if (value >= 1e3) return `${value / 1e3} k`;
  return value >= 1 ? String(value) : value.toFixed(Math.max(0, -Math.floor(Math.log10(value))));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escape(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
