/**
 * Renders JSON Schemas on the reference page in words, with links to named schemas.
 *
 * @module
 */

import { INTEGER_LIMIT } from "../../bytes.ts";
import { entriesOf, listOf, type Node, nodeOf, refOf, textOf } from "./document.ts";
import { type Markup, markup, type MarkupContent, prose } from "./markup.ts";

/** Fragment ids of the named schemas of one document. */
export interface SchemaPlaces {
  /** Differs between the two documents, so that their ids differ. */
  readonly prefix: string;
}

/** The fragment id of the schema `name`. */
export function schemaId({ prefix }: SchemaPlaces, name: string): string {
  return `${prefix}-${name}`;
}

export function typePhrase(schema: Node, places: SchemaPlaces): Markup {
  const ref = refOf(schema);
  if (ref !== undefined) return markup`<a href="#${schemaId(places, ref)}">${ref}</a>`;
  const alternatives = [...listOf(schema, "anyOf"), ...listOf(schema, "oneOf")];
  if (alternatives.length > 0) return joined(alternatives, " or ", places);
  const [whole] = listOf(schema, "allOf");
  if (whole !== undefined) return typePhrase(whole, places);
  if ("const" in schema) return markup`<code>${JSON.stringify(schema["const"])}</code>`;
  const values = schema["enum"];
  if (Array.isArray(values)) return codes(values.map((value) => JSON.stringify(value)));
  const type = [schema["type"]].flat().join(" or ");
  if (type === "array") {
    const items = nodeOf(schema, "items");
    const phrase = typePhrase(items, places);
    return "anyOf" in items ? markup`list of (${phrase})` : markup`list of ${phrase}`;
  }
  return markup`${type}${bounds(schema)}`;
}

/** The members of an object schema as a table; `undefined` for other schemas. */
export function memberTable(schema: Node, places: SchemaPlaces): MarkupContent {
  const members = entriesOf(schema, "properties");
  if (members.length === 0) return undefined;
  const required = schema["required"];
  const names = new Set<unknown>(Array.isArray(required) ? required : []);
  const rows = members.map(([name, member]) => {
    const part = partOf(member);
    return markup`<tr><th scope="row"><code>${name}</code>${
      names.has(name) ? undefined : markup` <span class="note">optional</span>`
    }</th><td>${typePhrase(member, places)}</td><td>${prose(textOf(member, "description"))}${
      part && memberTable(part, places)
    }</td></tr>`;
  });
  return markup`<div class="wide"><table><thead><tr><th scope="col">Member</th>
<th scope="col">Value</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** A named schema: heading, description, members or alternatives, example. */
export function schemaSection(name: string, schema: Node, places: SchemaPlaces): Markup {
  const members = memberTable(schema, places);
  return markup`<section class="schema" id="${schemaId(places, name)}">
<h4>${name}</h4>
<p>${prose(textOf(schema, "description"))}</p>
${members ?? markup`<p>${typePhrase(schema, places)}</p>`}
${exampleOf(schema)}
</section>`;
}

/** The collapsed example of `holder`, if it has one. AsyncAPI has a list of examples. */
export function exampleOf(holder: Node): MarkupContent {
  const list = holder["examples"];
  const value = holder["example"] ?? (Array.isArray(list) ? list[0] : undefined);
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return markup`<details><summary>Example</summary><pre tabindex="0">${text}</pre></details>`;
}

/** The inline object schema in a member, in its items or in its alternatives. */
function partOf(member: Node): Node | undefined {
  const candidates = [member, nodeOf(member, "items"), ...listOf(member, "anyOf")];
  return candidates.find((candidate) => "properties" in candidate);
}

function joined(schemas: readonly Node[], word: string, places: SchemaPlaces): Markup {
  return markup`${
    schemas.map((schema, i) => [i > 0 ? word : undefined, typePhrase(schema, places)])
  }`;
}

function codes(texts: readonly string[]): Markup {
  return markup`${
    texts.map((text, i) => [i > 0 ? " or " : undefined, markup`<code>${text}</code>`])
  }`;
}

/** Limits of a value, except the limit of all integers. */
function bounds(schema: Node): MarkupContent {
  const { minimum, maximum, pattern, minLength, maxLength, format } = schema;
  const ends = [
    typeof minimum === "number" ? ` from ${minimum}` : undefined,
    typeof maximum === "number" && maximum < INTEGER_LIMIT - 1 ? ` to ${maximum}` : undefined,
    typeof minLength === "number" ? `, at least ${minLength} characters` : undefined,
    typeof maxLength === "number" ? `, at most ${maxLength}` : undefined,
    typeof format === "string" ? `, ${format}` : undefined,
  ];
  const shape = typeof pattern === "string"
    ? markup` <code class="pattern">${pattern}</code>`
    : undefined;
  return [...ends, shape];
}
