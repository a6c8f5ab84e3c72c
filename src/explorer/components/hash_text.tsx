/**
 * Hashes and keys. Where the space is too small, CSS shortens them in the middle.
 *
 * @module
 */

import { CopyButton } from "./copy_button.tsx";

const END_LENGTH = 8;

interface HashTextProps {
  readonly text: string;
  /** Adds a button "Copy …". */
  readonly what?: string;
  readonly href?: string;
}

/** The document contains the whole text, so that it can be read out, searched and selected. */
export function HashText({ text, what, href }: HashTextProps) {
  const shown = (
    <>
      <span class="hash-start">{text.slice(0, -END_LENGTH)}</span>
      <span class="hash-end">{text.slice(-END_LENGTH)}</span>
    </>
  );
  return (
    <span class="hash-line">
      {href === undefined
        ? <span class="hash" title={text}>{shown}</span>
        : <a class="hash" title={text} href={href}>{shown}</a>}
      {what !== undefined && <CopyButton text={text} what={what} />}
    </span>
  );
}

/** All digits of a hash in groups of eight, for comparison by eye. */
export function WholeHash({ text, what }: Required<Pick<HashTextProps, "text" | "what">>) {
  return (
    <span class="whole-hash">
      <code>
        {text.match(/.{1,8}/g)?.map((group, i) => <span key={i}>{group}</span>)}
      </code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
