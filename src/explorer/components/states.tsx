/**
 * What stands where there is nothing to show yet, nothing at all, or a failure.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import { failureText } from "../failure.ts";
import { Alert } from "./alert.tsx";

/** Something is on its way. */
export function Spinner({ label }: { readonly label: string }) {
  return (
    <p class="spinner" role="status">
      <span class="spinner-mark" aria-hidden="true"></span>
      <span>{label}</span>
    </p>
  );
}

/** There is nothing; `children` say what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: Child }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  /** What was to be done, such as "The batches cannot be shown". */
  readonly title?: string;
  readonly retry?: (() => void) | undefined;
}

/** A failure in plain words, with its code and what the gateway said. */
export function Failure({ error, title, retry }: FailureProps) {
  const text = failureText(error);
  return (
    <Alert tone="bad" icon="warning" live title={title ?? text.title}>
      {title === undefined ? null : <p>{text.title}.</p>}
      <p>{text.advice}</p>
      <p class="failure-code">
        <code>{text.code}</code> {text.detail}
      </p>
      {retry === undefined
        ? null
        : <button type="button" class="button" onClick={retry}>Try again</button>}
    </Alert>
  );
}
