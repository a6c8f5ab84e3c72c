/**
 * Saves a text that the page holds as a file.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import { Icon } from "./icon.tsx";

interface DownloadButtonProps {
  readonly fileName: string;
  readonly text: string;
  readonly primary?: boolean;
  readonly children: Child;
}

/** A button with what it saves as its name. */
export function DownloadButton({ fileName, text, primary = false, children }: DownloadButtonProps) {
  return (
    <button
      type="button"
      class={primary ? "button button-primary" : "button"}
      onClick={() => saveText(fileName, text)}
    >
      <Icon name="download" />
      <span>{children}</span>
    </button>
  );
}

function saveText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
