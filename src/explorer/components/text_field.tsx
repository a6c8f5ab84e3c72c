/**
 * A field for one line of text, with a hint or what is wrong with the text, and a button.
 *
 * @module
 */

import { useId } from "hono/jsx/dom";
import { Icon, type IconName } from "./icon.tsx";

interface TextFieldProps {
  readonly label: string;
  readonly text: string;
  readonly hint: string;
  readonly fault: string | undefined;
  readonly onText: (text: string) => void;
  /** Text of the button. */
  readonly action: string;
  readonly icon?: IconName;
  /** Hides the text, as a password. */
  readonly secret?: boolean;
}

/** For a form of class `field`. */
export function TextField(
  { label, text, hint, fault, onText, action, icon, secret = false }: TextFieldProps,
) {
  const id = useId();
  return (
    <>
      <label for={id}>{label}</label>
      <div class="field-row">
        <input
          id={id}
          class="input mono"
          type={secret ? "password" : "text"}
          value={text}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-invalid={fault === undefined ? undefined : "true"}
          aria-describedby={`${id}-hint`}
          onInput={(event: Event) => onText((event.target as HTMLInputElement).value)}
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
        <span>{fault ?? hint}</span>
      </p>
    </>
  );
}
