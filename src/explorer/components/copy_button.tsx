/**
 * A button that copies a text.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { Icon } from "./icon.tsx";
import { useEffect } from "../effect.ts";

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  readonly text: string;
  /** Completes the name of the button, "Copy …". */
  readonly what: string;
  /** Shows the name next to the icon. */
  readonly named?: boolean;
}

export function CopyButton({ text, what, named = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | undefined>(undefined);
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const name = `Copy ${what}`;
  return (
    <button
      type="button"
      class={named ? "button" : "icon-button"}
      aria-label={named ? undefined : name}
      title={named ? undefined : name}
      onClick={() => copyText(text).then((done) => setOutcome(done ? "copied" : "failed"))}
    >
      <Icon name={outcome === "copied" ? "check" : outcome === "failed" ? "cross" : "copy"} />
      {named && <span>{name}</span>}
      <span class="visually-hidden" role="status">
        {outcome === "copied" ? "Copied" : outcome === "failed" ? "Cannot copy" : ""}
      </span>
    </button>
  );
}

/** `navigator.clipboard` exists only in secure contexts; elsewhere a selection is copied. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "visually-hidden";
    const { activeElement } = document;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (activeElement instanceof HTMLElement) activeElement.focus();
    return done;
  }
}
