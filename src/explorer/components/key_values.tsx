/**
 * A list of named values.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";

/** `undefined` values are left out. */
export function KeyValues({ items }: { readonly items: Readonly<Record<string, Child>> }) {
  const shown = Object.entries(items).filter(([, value]) => value !== undefined);
  if (shown.length === 0) return null;
  return (
    <dl class="key-values">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
