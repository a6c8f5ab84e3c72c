/**
 * Writes docs/configuration.md from the members that the parsers take: `deno task configuration`.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { API_KEY_FILE } from "../../src/config/api_keys.ts";
import { ISSUER } from "../../src/config/issuer_node.ts";
import { ENCRYPTED_KEY, REMOTE_KEY } from "../../src/config/key_reference.ts";
import { MONITOR } from "../../src/config/monitor_node.ts";
import { NETWORK } from "../../src/config/operator_network.ts";
import { SIGNER } from "../../src/config/signer_node.ts";
import { TIMESTAMP_REMOTE_KEY } from "../../src/config/timestamp_key_reference.ts";
import { WITNESS } from "../../src/config/witness_node.ts";
import {
  NETWORK_MEMBERS,
  PEER_MEMBERS,
  POLICY_MEMBERS,
  WITNESS_MEMBERS,
} from "../../src/proof/format/network.ts";
import { list, object, oneOf, type Schema, TEXT } from "../../src/proof/format/schema.ts";
import type { JsonObject } from "../../src/proof/format/strict_json.ts";

const { succession: _, ...PUBLIC_MEMBERS } = NETWORK_MEMBERS;

/** `network.public.json`, which `parseNetwork()` reads by its signature scheme. */
const PUBLIC_NETWORK = object({
  ...PUBLIC_MEMBERS,
  signature_scheme: oneOf(["ed25519", "bls"]).with({ description: "Scheme of all witnesses" }),
  witnesses: list(object({
    ...WITNESS_MEMBERS,
    pubkey: TEXT.with({
      title: "hex",
      description: "Its public key: 32 bytes for ed25519, 96 for bls",
    }),
  })).with({ description: "The witnesses" }),
  federation: object({
    ...POLICY_MEMBERS,
    peer_networks: list(object(PEER_MEMBERS)).with({
      description: "Networks that cosign our tree heads",
    }),
  }).with({ description: "Networks that watch this one" }).optional(),
});

/** The files, in the order of the document. */
export const FILES: readonly (readonly [name: string, what: string, schema: Schema<unknown>])[] = [
  [
    "network.json",
    "The gateway's configuration, which `init` and `network assemble` make. Secret: it has tokens.",
    NETWORK,
  ],
  [
    "network.public.json",
    "The public configuration, which verifiers pin. Other members are ignored.",
    PUBLIC_NETWORK,
  ],
  [
    "A key file that names an encrypted key",
    "Instead of the key (signer.md). Secret, as any key file.",
    ENCRYPTED_KEY,
  ],
  [
    "A key file that names a signer",
    "Instead of the key (signer.md). Secret, as any key file.",
    REMOTE_KEY,
  ],
  [
    "A key file of a time-stamp authority that names a signer",
    "Instead of the key (signer.md). Secret, as any key file.",
    TIMESTAMP_REMOTE_KEY,
  ],
  ["signer.json", "The configuration of a signer (signer.md). Secret.", SIGNER],
  ["witness.json", "The configuration of one witness. Secret: it has a token.", WITNESS],
  [
    "monitor.json",
    "The configuration of a monitor of logs (monitor.md). It has no secret.",
    MONITOR,
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
  const sections = FILES.flatMap(([name, what, schema]) => [
    `## ${name}\n\n${wrapped(what)}\n`,
    ...tables(schema.describe(COMPONENTS), ""),
  ]);
  return [INTRODUCTION, ...sections].join("\n");
}

/** Schemas that others name. */
const COMPONENTS: Record<string, JsonObject> = {};

/** The tables of an object, and below it of the objects in its members. */
function tables(schema: JsonObject, path: string): string[] {
  const [first, ...others] = alternativesOf(schema);
  return [
    ...objectTables(first!, path),
    ...others.flatMap((other) => ["or\n", ...objectTables(other, path)]),
  ];
}

function objectTables(schema: JsonObject, path: string): string[] {
  const members = Object.entries(schema.properties as Record<string, JsonObject>);
  const needed = new Set(schema.required as readonly string[]);
  const rows = members.map(([name, member]) => [
    `\`${name}\``,
    phraseOf(member),
    needed.has(name) ? "needed" : defaultOf(member),
    helpOf(member),
  ]);
  const nested = members.flatMap(([name, member]) => {
    const below = member.type === "array" ? member.items as JsonObject : member;
    if (alternativesOf(below).length === 0) return [];
    const at = `${path}${name}${member.type === "array" ? "[]" : ""}`;
    return [`### ${at}\n`, ...tables(below, `${at}.`)];
  });
  return [table(["member", "value", "default", "meaning"], rows), ...nested];
}

/** The objects that a value may be, if it is written here. */
function alternativesOf(schema: JsonObject): readonly JsonObject[] {
  const all = (schema.anyOf ?? [schema]) as readonly JsonObject[];
  return all.filter(({ properties }) => properties !== undefined);
}

function helpOf(schema: JsonObject): string {
  const { description } = { ...named(schema), ...schema };
  return `${description}`.replace(/, Unix seconds$/, "").replace(/([^.])$/, "$1.");
}

/** The schema that `schema` refers to. */
function named({ $ref }: JsonObject): JsonObject {
  return $ref === undefined ? {} : COMPONENTS[`${$ref}`.replace(/^.*\//, "")]!;
}

function defaultOf({ default: standard }: JsonObject): string {
  if (standard === undefined || ["[]", "{}"].includes(JSON.stringify(standard))) return "none";
  return typeof standard === "object" ? `\`${JSON.stringify(standard)}\`` : String(standard);
}

/** What a value is, for the reader. */
function phraseOf(schema: JsonObject): string {
  const { type, title, format, minimum, maximum, pattern, anyOf, $ref } = schema;
  if (typeof title === "string") return title;
  if (typeof $ref === "string") return named(schema).type === "string" ? wordsOf($ref) : "object";
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(phraseOf))].join(" or ");
  if (Array.isArray(schema.enum)) return schema.enum.join(", ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
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

/** Such as `network id` of `#/components/schemas/NetworkId`. */
function wordsOf($ref: string): string {
  return $ref.replace(/^.*\//, "").replace(/\B[A-Z]/g, " $&").toLowerCase();
}

function boundsOf({ minItems, maxItems }: JsonObject): string {
  if (maxItems === undefined) return "";
  return minItems === undefined ? `at most ${maxItems} ` : `${minItems} to ${maxItems} `;
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
