/**
 * A form with one field for a SHA-256 hash.
 *
 * @module
 */

import { useId, useState } from "hono/jsx/dom";
import { readPastedHash } from "../hashing/pasted_hash.ts";
import { Icon, type IconName } from "./icon.tsx";

interface HashFormProps {
  readonly label: string;
  /** Text of the button. */
  readonly action: string;
  readonly icon?: IconName;
  /** Makes the form a search landmark of this name. */
  readonly search?: string;
  /** Gets 64 lowercase hex digits. */
  readonly onHash: (hash: string) => void;
}

/** Shows what is wrong with a text that is no hash. */
export function HashForm({ label, action, icon, search, onHash }: HashFormProps) {
  const id = useId();
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string | undefined>(undefined);
  const submit = (event: Event) => {
    event.preventDefault();
    const pasted = readPastedHash(text);
    if ("fault" in pasted) return setFault(pasted.fault);
    setFault(undefined);
    setText("");
    onHash(pasted.hash);
  };
  const input = (event: Event) => {
    setText((event.target as HTMLInputElement).value);
    setFault(undefined);
  };
  return (
    <form
      class="field"
      onSubmit={submit}
      noValidate
      role={search === undefined ? undefined : "search"}
      aria-label={search}
    >
      <label for={id}>{label}</label>
      <div class="field-row">
        <input
          id={id}
          class="input mono"
          type="text"
          value={text}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-invalid={fault === undefined ? undefined : "true"}
          aria-describedby={`${id}-hint`}
          onInput={input}
        />
        <button type="submit" class="button">
          {icon !== undefined && <Icon name={icon} />}
          <span>{action}</span>
        </button>
      </div>
      <p
        id={`${id}-hint`}
        class={fault === undefined ? "field-hint" : "field-error"}
        role="status"
      >
        {fault !== undefined && <Icon name="warning" />}
        <span>{fault ?? "64 hexadecimal digits, or a line of sha256sum"}</span>
      </p>
    </form>
  );
}
