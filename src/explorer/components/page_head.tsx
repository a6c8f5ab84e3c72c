/**
 * The head of a page: its title, which is focused after navigation, and one sentence about it.
 *
 * @module
 */

import { type Child, useEffect, useRef } from "hono/jsx/dom";

interface PageHeadProps {
  readonly title: string;
  readonly children?: Child;
}

let isFirstPage = true;

/** Exactly one on every page. */
export function PageHead({ title, children }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} - Countersign`;
    // A reader who just opened the page starts at its top; one who moved on is told where to.
    if (!isFirstPage) heading.current?.focus();
    isFirstPage = false;
  }, [title]);
  return (
    <header class="page-head">
      <h1 ref={heading} tabindex={-1}>{title}</h1>
      {children === undefined ? null : <p class="lead">{children}</p>}
    </header>
  );
}
