/**
 * Renders the AsyncAPI document on the reference page: channels, operations, messages, schemas.
 *
 * @module
 */

import { entriesOf, listOf, type Node, nodeOf, refOf, resolved, textOf } from "./document.ts";
import { type Markup, markup, type MarkupContent, prose } from "./markup.ts";
import {
  exampleOf,
  memberTable,
  type SchemaPlaces,
  schemaSection,
  typePhrase,
} from "./schema_view.ts";

const PLACES: SchemaPlaces = { prefix: "event-schema" };

/** Links to every channel. */
export function asyncApiNavigation(document: Node): Markup {
  const links = entriesOf(document, "channels").map(([name, channel]) =>
    markup`<li><a href="#channel-${name}">${textOf(channel, "address") || name}</a></li>`
  );
  return markup`<h2><a href="#events">Event streams</a></h2><ul>${links}</ul>`;
}

/** All channels, messages and schemas. */
export function asyncApiSections(document: Node): Markup {
  const { title, version, description } = nodeOf(document, "info");
  const components = nodeOf(document, "components");
  return markup`<section id="events">
<h2>Event streams</h2>
<p>${String(title)}, version ${String(version)}: <a href="/asyncapi.json">asyncapi.json</a></p>
<p>${prose(String(description ?? ""))}</p>
${entriesOf(document, "channels").map(([name, channel]) => channelSection(document, name, channel))}
<section><h3>Messages</h3>${
    entriesOf(components, "messages").map(([name, message]) => messageSection(name, message))
  }</section>
<section><h3>Schemas of events</h3>${
    entriesOf(components, "schemas").toSorted(([a], [b]) => a < b ? -1 : 1)
      .map(([name, schema]) => schemaSection(name, schema, PLACES))
  }</section></section>`;
}

function channelSection(document: Node, name: string, channel: Node): Markup {
  const operations = entriesOf(document, "operations").filter(([, operation]) =>
    refOf(nodeOf(operation, "channel")) === name
  );
  const messages = entriesOf(channel, "messages").map(([key, message]) => {
    const target = refOf(message) ?? key;
    return markup`<li><a href="#message-${target}">${target}</a>: ${
      prose(meaningOf(resolved(document, message)))
    }</li>`;
  });
  return markup`<section class="operation" id="channel-${name}">
<h3><code>${textOf(channel, "address") || name}</code></h3>
<p class="summary">${textOf(channel, "title")}</p>
<p>${prose(textOf(channel, "description"))}</p>
${entriesOf(nodeOf(channel, "bindings"), "ws").map(([part, schema]) => bindingTable(part, schema))}
${operations.map(([, operation]) => operationLine(operation))}
<ul>${messages}</ul>
</section>`;
}

function bindingTable(part: string, schema: Node): MarkupContent {
  const members = memberTable(schema, PLACES);
  return members && markup`<h4>${part}</h4>${members}`;
}

function operationLine(operation: Node): Markup {
  const action = textOf(operation, "action");
  return markup`<p><span class="method">${action}</span> ${prose(meaningOf(operation))}</p>`;
}

function messageSection(name: string, message: Node): Markup {
  const payload = nodeOf(message, "payload");
  const [example] = listOf(message, "examples");
  return markup`<section class="schema" id="message-${name}">
<h4>${name}</h4>
<p>${prose(meaningOf(message))}</p>
${memberTable(payload, PLACES) ?? markup`<p>${typePhrase(payload, PLACES)}</p>`}
${example && exampleOf({ example: example["payload"] })}
</section>`;
}

/** The summary of a message or operation, or else its description or title. */
function meaningOf(node: Node): string {
  return textOf(node, "summary") || textOf(node, "description") || textOf(node, "title");
}
