/**
 * Renders the OpenAPI document on the reference page: operations by tag, errors, schemas, headers.
 *
 * @module
 */

import { entriesOf, listOf, type Node, nodeOf, textOf } from "./document.ts";
import { errorLine, errorSection, isAnswer } from "./error_view.ts";
import { type Markup, markup, type MarkupContent, prose } from "./markup.ts";
import { type Operation, samplesOf } from "./samples.ts";
import {
  exampleOf,
  memberTable,
  type SchemaPlaces,
  schemaSection,
  typePhrase,
} from "./schema_view.ts";

const PLACES: SchemaPlaces = { prefix: "schema" };
/** Links to every operation, by tag. */
export function openApiNavigation(document: Node): Markup {
  const groups = byTag(document).map(([tag, operations]) => {
    const links = operations.map(({ id, method, path }) =>
      markup`<li><a href="#${id}"><span class="method">${method}</span> ${path}</a></li>`
    );
    return markup`<h2><a href="#tag-${textOf(tag, "name")}">${headingOf(tag)}</a></h2>
<ul>${links}</ul>`;
  });
  return markup`<h2><a href="#quick-start">Quick start</a></h2>${groups}
<h2><a href="#errors">Errors</a></h2><h2><a href="#schemas">Schemas</a></h2>
<h2><a href="#headers">Headers</a></h2>`;
}

/** All operations, errors, schemas and headers. */
export function openApiSections(document: Node): Markup {
  const { title, version, description } = nodeOf(document, "info");
  const common = entriesOf(document, "x-common-headers");
  const schemas = entriesOf(nodeOf(document, "components"), "schemas");
  const groups = byTag(document);
  const operations = groups.flatMap(([, members]) => members);
  const errorsOf = errorLine(operations);
  return markup`<section id="http">
<h2>HTTP interface</h2>
<p>${String(title)}, version ${String(version)}: <a href="/openapi.json">openapi.json</a></p>
<p>${prose(String(description))}</p>
${
    groups.map(([tag, members]) => {
      const name = textOf(tag, "name");
      return markup`<section id="tag-${name}"><h3>${headingOf(tag)}</h3>
<p>${prose(textOf(tag, "description"))}</p>
${
        members.map((operation) => operationSection(document, operation, errorsOf(operation)))
      }</section>`;
    })
  }
${errorSection(operations)}
<section id="schemas"><h3>Schemas</h3>
${
    schemas.toSorted(([a], [b]) => a < b ? -1 : 1).map(([name, schema]) =>
      schemaSection(name, schema, PLACES)
    )
  }</section>
<section class="operation" id="headers"><h3>Response headers of all routes</h3>
${headerTable(common)}</section></section>`;
}

/** The name of a tag as a heading: `Events`, `C2SP`. */
function headingOf(tag: Node): string {
  const name = textOf(tag, "name");
  return name === "c2sp" ? "C2SP" : name.charAt(0).toUpperCase() + name.slice(1);
}

function byTag(document: Node): [Node, Operation[]][] {
  const operations = entriesOf(document, "paths").flatMap(([path, item]) =>
    Object.keys(item).map((method) => {
      const value = nodeOf(item, method);
      return { method: method.toUpperCase(), path, id: textOf(value, "operationId"), value };
    })
  );
  return listOf(document, "tags").map((tag) => [
    tag,
    operations.filter(({ value }) => [value["tags"]].flat().includes(tag["name"])),
  ]);
}

function operationSection(document: Node, operation: Operation, errors: MarkupContent): Markup {
  const { method, path, id, value } = operation;
  const content = nodeOf(nodeOf(value, "requestBody"), "content");
  const [body] = Object.entries(content);
  const answers = entriesOf(value, "responses").filter(([, answer]) => isAnswer(answer));
  const headers = new Map(answers.flatMap(([, answer]) => entriesOf(answer, "headers")));
  return markup`<section class="operation" id="${id}">
<h4><span class="method">${method}</span> <code>${path}</code></h4>
<p class="summary">${textOf(value, "summary")}</p>
<p>${prose(textOf(value, "description"))}</p>
${samplesOf(document, operation)}
${parameterTable(listOf(value, "parameters"))}
${body && markup`<p>Body: <code>${body[0]}</code>, ${mediaSchema(body[1] as Node)}</p>`}
${answers.map(answerSection)}
${errors}
${
    headers.size > 0
      ? markup`<details><summary>Response headers</summary>${headerTable([...headers])}</details>`
      : undefined
  }
</section>`;
}

function parameterTable(parameters: readonly Node[]): MarkupContent {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map((parameter) => {
    const schema = nodeOf(parameter, "schema");
    const isRequired = parameter["required"] === true;
    return markup`<tr><th scope="row"><code>${
      textOf(parameter, "name")
    }</code> <span class="note">${textOf(parameter, "in")}${
      isRequired ? "" : ", optional"
    }</span></th><td>${typePhrase(schema, PLACES)}</td><td>${
      prose(textOf(schema, "description"))
    }</td></tr>`;
  });
  return table(["Parameter", "Value", "Meaning"], rows);
}

function answerSection([status, answer]: [string, Node]): Markup {
  const bodies = entriesOf(answer, "content").map(([type, { schema }]) => {
    const node = (schema ?? {}) as Node;
    return markup`<p><code>${type}</code>, ${typePhrase(node, PLACES)}</p>${
      memberTable(node, PLACES)
    }${exampleOf(node)}`;
  });
  return markup`<div class="response"><h5><span class="status status-${
    status[0]
  }">${status}</span> ${prose(textOf(answer, "description"))}</h5>${bodies}</div>`;
}

function mediaSchema(media: Node): Markup {
  const schema = nodeOf(media, "schema");
  return markup`${typePhrase(schema, PLACES)}`;
}

function headerTable(headers: readonly [string, Node][]): Markup {
  const rows = headers.map(([name, header]) =>
    markup`<tr><th scope="row"><code>${name}</code>${
      header["required"] === true ? undefined : markup` <span class="note">not always</span>`
    }</th><td>${typePhrase(nodeOf(header, "schema"), PLACES)}</td><td>${
      prose(textOf(header, "description"))
    }</td></tr>`
  );
  return table(["Header", "Value", "Meaning"], rows);
}

function table(columns: readonly string[], rows: readonly Markup[]): Markup {
  const head = columns.map((column) => markup`<th scope="col">${column}</th>`);
  return markup`<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
