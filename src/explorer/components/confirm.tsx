/**
 * A choice that has consequences: what they are, and two buttons.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import { Alert } from "./alert.tsx";
import { Button } from "./button.tsx";

interface ConfirmProps {
  readonly title: string;
  readonly children: Child;
  /** Text of the button that goes ahead. */
  readonly accept: string;
  readonly onAccept: () => void;
  /** Text of the button that changes nothing. */
  readonly cancel: string;
  readonly onCancel: () => void;
}

export function Confirm({ title, children, accept, onAccept, cancel, onCancel }: ConfirmProps) {
  return (
    <Alert tone="warn" live title={title}>
      {children}
      <div class="row">
        <Button isRemoved onClick={onAccept}>{accept}</Button>
        <Button kind="quiet" isRemoved onClick={onCancel}>{cancel}</Button>
      </div>
    </Alert>
  );
}
