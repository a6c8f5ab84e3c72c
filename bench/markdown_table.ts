/**
 * Tables in Markdown that are also legible in a terminal.
 *
 * @module
 */

/**
 * `rows` under `header`, all with the same number of cells: the first column left-aligned, the rest
 * right.
 */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = header.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]!.length))
  );
  const line = (cells: readonly string[]) =>
    `| ${
      cells.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
      ).join(" | ")
    } |`;
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`
  );
  return [line(header), line(rule), ...rows.map(line)].join("\n");
}

/** `value` with three digits, or whole above them. */
export function threeDigits(value: number): string {
  if (!Number.isFinite(value)) return "-";
  return value >= 100 ? Math.round(value).toString() : value.toPrecision(3);
}
