/**
 * Hashes, keys and names that are longer than their place: the middle gives way, the end stays.
 *
 * @module
 */

import { CopyButton } from "./copy_button.tsx";

const END_LENGTH = 8;

interface HashTextProps {
  readonly text: string;
  /** What it is, for the button that copies it; no button when left out. */
  readonly what?: string;
  /** Where it leads. */
  readonly href?: string;
}

/** The whole text stands in the document: it is read out, found and selected as one. */
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
      {what === undefined ? null : <CopyButton text={text} what={what} />}
    </span>
  );
}

/** A hash that is to be compared by eye: all of it, in groups of eight digits. */
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
