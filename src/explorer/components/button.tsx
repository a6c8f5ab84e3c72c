/**
 * Buttons, and the download of a text that the page holds.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps {
  readonly onClick: () => void;
  readonly kind?: "primary" | "quiet" | undefined;
  readonly icon?: IconName;
  readonly disabled?: boolean;
  /** The accessible name, where several buttons of a page have the same text. */
  readonly label?: string;
  /**
   * The click removes this button. The section's title gets the focus first, so that keyboard and
   * screen reader users keep their position.
   */
  readonly isRemoved?: boolean;
  readonly children: Child;
}

export function Button({ onClick, kind, icon, disabled, label, isRemoved, children }: ButtonProps) {
  return (
    <button
      type="button"
      class={kind === undefined ? "button" : `button button-${kind}`}
      disabled={disabled}
      aria-label={label}
      onClick={isRemoved ? focusingTitle(onClick) : onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

/** `act`, after the focus has moved to the title of the control's section. */
export function focusingTitle(act: () => void): (event: Event) => void {
  return ({ target }) => {
    if (target instanceof Element) {
      target.closest("section")?.querySelector<HTMLElement>("h2[tabindex]")?.focus();
    }
    act();
  };
}

interface DownloadButtonProps {
  readonly fileName: string;
  readonly text: string;
  readonly primary?: boolean;
  readonly onSaved?: () => void;
  readonly children: Child;
}

/** Saves `text` as a file. */
export function DownloadButton(
  { fileName, text, primary = false, onSaved, children }: DownloadButtonProps,
) {
  return (
    <Button
      icon="download"
      kind={primary ? "primary" : undefined}
      onClick={() => {
        saveFile(fileName, new Blob([text], { type: "application/json" }));
        onSaved?.();
      }}
    >
      {children}
    </Button>
  );
}

/** Starts the download of `content`. */
export function saveFile(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // The click has started the download, which keeps the content.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
