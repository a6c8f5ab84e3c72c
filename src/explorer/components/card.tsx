/**
 * A titled section of a page.
 *
 * @module
 */

import { type Child, useId } from "hono/jsx/dom";

interface CardProps {
  readonly title: Child;
  /** Badges and buttons next to the title. */
  readonly aside?: Child;
  readonly children?: Child;
}

/** A landmark, named by its title. */
export function Card({ title, aside, children }: CardProps) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id} tabindex={-1}>{title}</h2>
        {aside !== undefined && <div class="card-aside">{aside}</div>}
      </div>
      <div class="card-body">{children}</div>
    </section>
  );
}
