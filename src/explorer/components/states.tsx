/**
 * What the page shows while it loads something, where there is nothing, and after a failure.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import { failureText } from "../failure.ts";
import { type Loaded, useOutage } from "../hooks.ts";
import { Alert } from "./alert.tsx";
import { Button } from "./button.tsx";

/** Something is loading. */
export function Spinner({ label }: { readonly label: string }) {
  return (
    <p class="spinner" role="status">
      <span class="spinner-mark" aria-hidden="true"></span>
      <span>{label}</span>
    </p>
  );
}

/** A bar with its label above; `max` is unknown where it is 0. */
export function Progress({ label, value, max }: {
  readonly label: string;
  readonly value: number;
  readonly max: number;
}) {
  return (
    <label class="progress">
      <span>{label}</span>
      {max > 0 ? <progress value={value} max={max}></progress> : <progress></progress>}
    </label>
  );
}

/** There is nothing; `children` explain. */
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
  /** What failed, such as "Cannot show the batches". */
  readonly title?: string;
  readonly retry?: (() => void) | undefined;
}

/** A failure in plain words, with its code and the original message. */
export function Failure({ error, title, retry }: FailureProps) {
  const text = failureText(error);
  return (
    <Alert tone="bad" icon="warning" live title={title ?? text.title}>
      {title !== undefined && <p>{text.title}.</p>}
      <p>{text.advice}</p>
      <p class="failure-code">
        <code>{text.code}</code> {text.detail}
      </p>
      {retry !== undefined && <Button onClick={retry}>Try again</Button>}
    </Alert>
  );
}

interface LoadedViewProps<T> {
  readonly loaded: Loaded<T>;
  /** Completes "Cannot show" and "Loading". */
  readonly what: string;
  readonly retry: () => void;
  readonly render: (value: T) => Child;
}

/** The value, a spinner or the failure. A failed reload keeps the last value on the page. */
export function LoadedView<T>({ loaded, what, retry, render }: LoadedViewProps<T>) {
  return (
    <>
      {loaded.state === "failed" && (
        <Failure error={loaded.error} title={`Cannot show ${what}`} retry={retry} />
      )}
      {loaded.value !== undefined
        ? render(loaded.value)
        : loaded.state === "loading"
        ? <Loading what={what} />
        : null}
    </>
  );
}

/** `what` is loading, as soon as the gateway answers. */
export function Loading({ what }: Pick<LoadedViewProps<unknown>, "what">) {
  return useOutage() === undefined
    ? <Spinner label={`Loading ${what}`} />
    : <p class="muted">Waiting for the gateway to show {what}.</p>;
}
