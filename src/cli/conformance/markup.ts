/**
 * HTML templates that escape every interpolated value except {@linkcode Markup}.
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

/** A fragment of HTML. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

/** A value to interpolate; `undefined` becomes the empty string. */
export type MarkupContent = Markup | string | number | undefined | readonly MarkupContent[];

/** Tag for template literals of HTML. */
export function markup(parts: TemplateStringsArray, ...contents: readonly MarkupContent[]): Markup {
  const [first = "", ...rest] = parts;
  return new Markup(first + rest.map((part, i) => htmlOf(contents[i]) + part).join(""));
}

/** Text in which words between backticks become `<code>`. */
export function prose(text: string): Markup {
  const pieces = text.split("`").map((piece, i) =>
    i % 2 === 1 ? markup`<code>${piece}</code>` : piece
  );
  return markup`${pieces}`;
}

function htmlOf(content: MarkupContent): string {
  if (content === undefined) return "";
  if (content instanceof Markup) return content.html;
  if (typeof content === "object") return content.map(htmlOf).join("");
  return String(content).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
