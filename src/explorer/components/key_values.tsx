/**
 * Named values, one under the other.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";

/** A name and its value. */
export type KeyValue = readonly [name: string, value: Child];

/** Items that are `undefined` are left out, so that lists can be written with conditions. */
export function KeyValues({ items }: { readonly items: readonly (KeyValue | undefined)[] }) {
  return (
    <dl class="key-values">
      {items.filter((item) => item !== undefined).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
