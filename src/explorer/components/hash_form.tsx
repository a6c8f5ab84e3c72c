/**
 * A form with one field for a SHA-256 hash.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { readPastedHash } from "../hashing/pasted_hash.ts";
import { TextField } from "./text_field.tsx";

interface HashFormProps {
  readonly label: string;
  /** Text of the button. */
  readonly action: string;
  /** Gets 64 lowercase hex digits. */
  readonly onHash: (hash: string) => void;
}

/** Shows what is wrong with a text that is no hash. */
export function HashForm({ label, action, onHash }: HashFormProps) {
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
  const input = (text: string) => {
    setText(text);
    setFault(undefined);
  };
  const hint = "64 hexadecimal digits, or a line of sha256sum";
  return (
    <form class="field" onSubmit={submit} noValidate>
      <TextField {...{ label, text, hint, fault, action }} onText={input} />
    </form>
  );
}
