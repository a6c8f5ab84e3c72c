/**
 * Buttons between pages of a table.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import { Button } from "./button.tsx";

interface PagerProps {
  /** The accessible name. */
  readonly label: string;
  /** Texts of the two buttons. */
  readonly names?: readonly [back: string, on: string];
  /** Undefined at the first page. */
  readonly onBack: (() => void) | undefined;
  /** Undefined at the last page. */
  readonly onNext: (() => void) | undefined;
  /** The range on show. */
  readonly children?: Child;
}

/** Nothing where one page holds everything. */
export function Pager({ label, names, onBack, onNext, children }: PagerProps) {
  if (onBack === undefined && onNext === undefined) return null;
  const [back, next] = names ?? ["Newer", "Older"];
  return (
    <nav class="pager" aria-label={label}>
      <Button disabled={onBack === undefined} onClick={() => onBack?.()}>{back}</Button>
      <span class="muted small">{children}</span>
      <Button disabled={onNext === undefined} onClick={() => onNext?.()}>{next}</Button>
    </nav>
  );
}
