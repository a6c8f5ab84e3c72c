/**
 * JSON Schemas on the reference page: what a value may be, in words, with links to named ones.
 *
 * @module
 */

import { INTEGER_LIMIT } from "../../bytes.ts";
import { entriesOf, listOf, type Node, nodeOf, refOf, textOf } from "./document.ts";
import { type Content, type Markup, markup, prose } from "./markup.ts";

/** Where named schemas of one document stand on the page. */
export interface SchemaPlaces {
  /** Distinguishes the names of one document from those of the other. */
  readonly prefix: string;
}

/** The fragment of the schema `name`. */
export function schemaId({ prefix }: SchemaPlaces, name: string): string {
  return `${prefix}-${name}`;
}

/** What a value of `schema` is, as a phrase. */
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
  if (type === "array") return markup`list of ${typePhrase(nodeOf(schema, "items"), places)}`;
  return markup`${type}${bounds(schema)}`;
}

/** The members of an object's schema as a table; nothing for other schemas. */
export function memberTable(schema: Node, places: SchemaPlaces): Content {
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

/** A named schema: heading, meaning, members or alternatives, example. */
export function schemaSection(name: string, schema: Node, places: SchemaPlaces): Markup {
  const members = memberTable(schema, places);
  return markup`<section class="schema" id="${schemaId(places, name)}">
<h4>${name}</h4>
<p>${prose(textOf(schema, "description"))}</p>
${members ?? markup`<p>${typePhrase(schema, places)}</p>`}
${exampleOf(schema)}
</section>`;
}

/** The example of `holder`, folded; nothing where there is none. AsyncAPI has a list of them. */
export function exampleOf(holder: Node): Content {
  const list = holder["examples"];
  const value = holder["example"] ?? (Array.isArray(list) ? list[0] : undefined);
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return markup`<details><summary>Example</summary><pre tabindex="0">${text}</pre></details>`;
}

/** The unnamed object that a member is, may be, or is a list of. */
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

/** Limits of a number, a text or a list; those that every integer has are left out. */
function bounds(schema: Node): Content {
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
