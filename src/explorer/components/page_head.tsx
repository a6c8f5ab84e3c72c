/**
 * The head of a page: its title, which gets the focus after navigation, and one sentence.
 *
 * @module
 */

import { type Child, useRef } from "hono/jsx/dom";
import { useEffect } from "../effect.ts";
import { hrefOf } from "../route.ts";

interface PageHeadProps {
  readonly title: string;
  /** Shows a link to Explore above the title. */
  readonly isBelowExplore?: boolean;
  readonly children?: Child;
}

let isFirstPage = true;

/** Exactly one on every page. */
export function PageHead({ title, isBelowExplore = false, children }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} - Countersign`;
    // The first page leaves the focus at the top of the document.
    if (!isFirstPage) heading.current?.focus();
    isFirstPage = false;
  }, [title]);
  return (
    <>
      {isBelowExplore && (
        <nav class="back-link" aria-label="Breadcrumb">
          <a href={hrefOf({ page: "explore" })}>Explore</a>
        </nav>
      )}
      <header class="page-head">
        <h1 ref={heading} tabindex={-1}>{title}</h1>
        {children !== undefined && <p class="lead">{children}</p>}
      </header>
    </>
  );
}
