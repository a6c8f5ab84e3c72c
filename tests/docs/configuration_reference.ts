/**
 * Writes docs/configuration.md from the members that the parsers take: `deno task configuration`.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { ANCHOR_PROVIDERS } from "../../src/gateway/anchors/providers.ts";
import { API_KEY_FILE } from "../../src/config/api_keys.ts";
import { ISSUER } from "../../src/config/issuer_node.ts";
import { MONITOR_MEMBERS } from "../../src/config/monitor_node.ts";
import type { Member, Members } from "../../src/config/members.ts";
import { NETWORK_MEMBERS, PUBLIC_NETWORK_MEMBERS } from "../../src/config/network_members.ts";
import { ENCRYPTED_KEY_MEMBERS, REMOTE_KEY_MEMBERS } from "../../src/config/key_reference.ts";
import { SIGNER_MEMBERS } from "../../src/config/signer_node.ts";
import { WITNESS_MEMBERS } from "../../src/config/witness_node.ts";
import { Schema } from "../../src/proof/format/schema.ts";
import type { JsonObject } from "../../src/proof/format/strict_json.ts";

/** The files, in the order of the document. */
export const FILES:
  readonly (readonly [name: string, what: string, members: Members | Schema<unknown>])[] = [
    [
      "network.json",
      "The gateway's configuration, which `init` and `network assemble` make. Secret: it has tokens.",
      NETWORK_MEMBERS,
    ],
    [
      "network.public.json",
      "The public configuration, which verifiers pin. Other members are ignored.",
      PUBLIC_NETWORK_MEMBERS,
    ],
    [
      "A key file that names an encrypted key",
      "Instead of the key (signer.md). Secret, as any key file.",
      ENCRYPTED_KEY_MEMBERS,
    ],
    [
      "A key file that names a signer",
      "Instead of the key (signer.md). Secret, as any key file.",
      REMOTE_KEY_MEMBERS,
    ],
    ["signer.json", "The configuration of a signer (signer.md). Secret.", SIGNER_MEMBERS],
    ["witness.json", "The configuration of one witness. Secret: it has a token.", WITNESS_MEMBERS],
    [
      "monitor.json",
      "The configuration of a monitor of logs (monitor.md). It has no secret.",
      MONITOR_MEMBERS,
    ],
    [
      "issuer.json",
      "The configuration of an issuer of tokens, which `issuer` makes. Secret, as its folder is.",
      ISSUER,
    ],
    [
      "api-keys.json",
      "The API keys of a private gateway, which `api-key` makes. It has hashes and no secret.",
      API_KEY_FILE,
    ],
  ];

/** The largest integer of a file. */
const MOST = Number.MAX_SAFE_INTEGER;

const INTRODUCTION = `# Configuration

All members of all configuration files. The programs read them by the same schemas from which this
page is made (\`deno task configuration\`).

- \`countersign config check FILE...\` checks files before they are used: members, keys, tokens, and
  whether the files of one network fit together.
- Files are JSON, each member at most once. Unknown members are refused.
- Paths are relative to the file. Numbers are integers.
- A secret is in a file of mode 0600 (\`..._file\`) or in a variable (\`..._env\`) whose name begins
  with \`COUNTERSIGN_TOKEN_\`.
`;

/** The text of docs/configuration.md. */
export function configurationReference(): string {
  const sections = FILES.flatMap(([name, what, members]) => [
    `## ${name}\n\n${wrapped(what)}\n`,
    ...tablesOf(members, ""),
  ]);
  return [INTRODUCTION, ...sections].join("\n");
}

function tablesOf(members: Members | Schema<unknown>, path: string): string[] {
  if (members instanceof Schema) return schemaTables(members.describe({}), path);
  const rows = Object.entries(members).map(([name, member]) => rowOf(name, member));
  const own = table(["member", "value", "default", "meaning"], rows);
  const nested = Object.entries(members).flatMap(([name, { type, members: inner }]) => {
    if (inner === undefined) return [];
    const below = `${path}${name}${type.startsWith("list") ? "[]" : ""}`;
    const tables = tablesOf(inner, `${below}.`);
    return [`### ${below}\n`, ...tables, ...(name === "anchors" ? [providers()] : [])];
  });
  return [own, ...nested];
}

function rowOf(name: string, { type, help, isOptional, standard }: Member): string[] {
  return [`\`${name}\``, type, isOptional ? standard ?? "none" : "needed", help];
}

/** The tables of an object, and below it of the objects in its members. */
function schemaTables(schema: JsonObject, path: string): string[] {
  const members = Object.entries(schema.properties as Record<string, JsonObject>);
  const needed = new Set(schema.required as readonly string[]);
  const rows = members.map(([name, member]) => [
    `\`${name}\``,
    phraseOf(member),
    needed.has(name) ? "needed" : defaultOf(member),
    `${member.description}`.replace(/, Unix seconds$/, "").replace(/([^.])$/, "$1."),
  ]);
  const nested = members.flatMap(([name, member]) => {
    const below = member.type === "array" ? member.items as JsonObject : member;
    if (below.properties === undefined) return [];
    const at = `${path}${name}${member.type === "array" ? "[]" : ""}`;
    return [`### ${at}\n`, ...schemaTables(below, `${at}.`)];
  });
  return [table(["member", "value", "default", "meaning"], rows), ...nested];
}

function defaultOf({ default: standard }: JsonObject): string {
  if (standard === undefined || ["[]", "{}"].includes(JSON.stringify(standard))) return "none";
  return typeof standard === "object" ? `\`${JSON.stringify(standard)}\`` : String(standard);
}

/** What a value is, for the reader. */
function phraseOf(schema: JsonObject): string {
  const { type, title, format, minimum, maximum, pattern } = schema;
  if (typeof title === "string") return title;
  if (Array.isArray(schema.enum)) return schema.enum.join(", ");
  if (schema.const !== undefined) return String(schema.const);
  switch (type) {
    case "array":
      return `list of ${boundsOf(schema)}${phraseOf(schema.items as JsonObject)}s`;
    case "boolean":
      return "true or false";
    case "integer":
      if (`${schema.description}`.endsWith("Unix seconds")) return "Unix seconds";
      if (maximum !== MOST) return `${minimum} to ${maximum}`;
      return minimum === 0 ? "number" : `${minimum} or more`;
    case "string": {
      if (format === "uri") return "URL";
      const [, digits] = /^\^\[0-9a-f\]\{(\d+)\}\$$/.exec(`${pattern}`) ?? [];
      return digits === undefined ? "text" : `${digits} hex digits`;
    }
    default:
      return "object";
  }
}

function boundsOf({ minItems, maxItems }: JsonObject): string {
  if (maxItems === undefined) return "";
  return minItems === undefined ? `at most ${maxItems} ` : `${minItems} to ${maxItems} `;
}

function providers(): string {
  const rows = ANCHOR_PROVIDERS.map(({ name, members: { required, optional } }) => [
    `\`${name}\``,
    quotedNames(required),
    quotedNames(optional),
  ]);
  return `The members depend on the provider ([external anchors](operating.md#external-anchors)):\n\n${
    table(["provider", "needed", "optional"], rows)
  }`;
}

function quotedNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** A table as `deno fmt` leaves it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |\n`;
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("");
}

function wrapped(text: string): string {
  return text.replace(/(.{1,100})( |$)/g, "$1\n").trimEnd();
}

if (import.meta.main) {
  const file = fileURLToPath(new URL("../../docs/configuration.md", import.meta.url));
  await Deno.writeTextFile(file, configurationReference());
}
