/**
 * Tables that scroll sideways inside the page.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";

/** A column: its name, the cell of a row, and `numeric` to align digits at the end. */
export type Column<T> = readonly [
  name: string,
  cell: (row: T, index: number) => Child,
  align?: "numeric",
];

interface TableProps<T> {
  /** The accessible name. */
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** Identifies a row; its index by default. */
  readonly keyOf?: (row: T) => string | number;
}

/** The first cell of a row is its header. */
export function Table<T>({ caption, columns, rows, keyOf }: TableProps<T>) {
  return (
    <div class="table-scroll" role="region" aria-label={caption} tabindex={0}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(([name, , align]) => <th key={name} scope="col" class={align}>{name}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={keyOf?.(row) ?? i}>
              {columns.map(([name, cell, align], column) =>
                column === 0
                  ? <th key={name} scope="row" class={align}>{cell(row, i)}</th>
                  : <td key={name} class={align}>{cell(row, i)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
