/**
 * Finds an attestation by its hash.
 *
 * @module
 */

import { useId, useState } from "hono/jsx/dom";
import { HASH_LENGTH, isHex } from "../../bytes.ts";
import { Icon } from "../components/icon.tsx";
import { hrefOf } from "../route.ts";

/** A form that leads to the attestation of a hash. */
export function LookUp() {
  const id = useId();
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const find = (event: Event) => {
    event.preventDefault();
    // People copy hashes from tools that print capitals.
    const hash = text.trim().toLowerCase();
    if (!isHex(hash, HASH_LENGTH)) return setWrong(true);
    location.hash = hrefOf({ page: "attestation", hash });
  };
  return (
    <form class="field look-up" onSubmit={find} role="search" aria-label="Attestation">
      <label for={id}>Find an attestation</label>
      <div class="field-row">
        <input
          id={id}
          class="input mono"
          type="text"
          value={text}
          placeholder="SHA-256, 64 hexadecimal digits"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-invalid={isWrong ? "true" : undefined}
          aria-describedby={isWrong ? `${id}-fault` : undefined}
          onInput={(event: Event) => {
            setText((event.target as HTMLInputElement).value);
            setWrong(false);
          }}
        />
        <button type="submit" class="button">
          <Icon name="search" />
          <span>Look up</span>
        </button>
      </div>
      {isWrong
        ? (
          <p id={`${id}-fault`} class="field-error" role="alert">
            <Icon name="warning" />
            <span>A SHA-256 hash has 64 digits of 0 to 9 and a to f; this text is another.</span>
          </p>
        )
        : null}
    </form>
  );
}
