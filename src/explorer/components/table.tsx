/**
 * Tables that scroll sideways by themselves, so that no page does.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";

/** One column. */
export interface Column {
  readonly name: string;
  /** Aligned at its end, in digits of one width. */
  readonly numeric?: boolean;
}

/** One row: `key` tells it from the others. */
export interface Row {
  readonly key: string | number;
  readonly cells: readonly Child[];
}

interface TableProps {
  /** What the table shows, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** The first cell of a row is its header. */
export function Table({ caption, columns, rows }: TableProps) {
  return (
    <div class="table-scroll" role="region" aria-label={caption} tabindex={0}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, numeric }) => (
              <th key={name} scope="col" class={numeric ? "numeric" : undefined}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, i) => {
                const style = columns[i]?.numeric ? "numeric" : undefined;
                return i === 0
                  ? <th key={i} scope="row" class={style}>{cell}</th>
                  : <td key={i} class={style}>{cell}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
