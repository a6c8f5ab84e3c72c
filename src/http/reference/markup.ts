/**
 * HTML as a value: whatever is put into it is escaped, unless it is HTML itself.
 *
 * @module
 */

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A piece of a page. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

/** What may stand in a piece; nothing is left of `undefined`. */
export type Content = Markup | string | number | undefined | readonly Content[];

/** The tag of template literals that are HTML. */
export function markup(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  const [first = "", ...rest] = parts;
  return new Markup(first + rest.map((part, i) => htmlOf(contents[i]) + part).join(""));
}

/** A text of ours, in which words between backticks are code. */
export function prose(text: string): Markup {
  const pieces = text.split("`").map((piece, i) =>
    i % 2 === 1 ? markup`<code>${piece}</code>` : piece
  );
  return markup`${pieces}`;
}

function htmlOf(content: Content): string {
  if (content === undefined) return "";
  if (content instanceof Markup) return content.html;
  if (typeof content === "object") return content.map(htmlOf).join("");
  return String(content).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
