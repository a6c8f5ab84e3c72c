/**
 * The configuration of an issuer, `issuer.json`.
 *
 * Unknown members are refused.
 *
 * @module
 */

import { HASH_LENGTH, INTEGER_LIMIT } from "../base/bytes.ts";
import { isIssuerName } from "../proof/format/issuer_directory.ts";
import { count, hex, list, type Of, TEXT } from "../proof/format/schema.ts";
import { parseServiceUrl } from "../proof/format/service_url.ts";
import { MAX_WORK_BITS } from "../proof/format/work_proof.ts";
import { integer, parseFile, settings } from "./settings.ts";
import { invalid, namingFile } from "./validation.ts";

const ROTATION = settings({
  lifetime_seconds: count("How long a key signs."),
  overlap_seconds: count("How long the next key is published before it signs.")
    .with({ title: "1 to lifetime_seconds" }),
}).convert((rotation, where) => {
  const { lifetimeSeconds, overlapSeconds } = rotation;
  if (overlapSeconds >= 1 && overlapSeconds <= lifetimeSeconds) return rotation;
  throw invalid(
    where,
    `overlap_seconds ${overlapSeconds} is not from 1 to the lifetime, ${lifetimeSeconds}`,
  );
});

const API_KEY = settings({
  name: TEXT.convert((name, where) => {
    if (name !== "") return name;
    throw invalid(where, "it is empty");
  }).with({ description: "Name of the key, for the log." }),
  sha256: hex(HASH_LENGTH, "SHA-256 of the key; `issuer --new-api-key` makes both."),
  per_day: integer(1, INTEGER_LIMIT - 1, "Tokens a day; without it, any number.").optional(),
});

/** The name of an issuer in challenges. */
export function issuerName(description: string) {
  return TEXT.convert((name, where) => {
    if (isIssuerName(name)) return name;
    throw invalid(where, "it must be a host, or a host and a port such as issuer.example:8070");
  }).with({ title: "host or host:port", description });
}

/** `issuer.json`. */
export const ISSUER = settings({
  name: issuerName("Name in the challenges of gateways."),
  url: TEXT.convert((text, where) =>
    namingFile(where, () => parseServiceUrl(text, { insecure: true }).href)
  )
    .with({ format: "uri", description: "Address for clients, which gateways publish." })
    .optional(),
  rotation: ROTATION.with({ description: "Rotation of keys." }),
  api_keys: list(API_KEY).with({
    description: "Keys of clients that get tokens without work.",
  }),
  work: settings({
    bits: integer(1, MAX_WORK_BITS, "Zero bits that a proof of work needs."),
  }).with({ description: "Give tokens for proofs of work." }).optional(),
}).convert((node, where) => {
  const { apiKeys, work } = node;
  if (new Set(apiKeys.map(({ name }) => name)).size !== apiKeys.length) {
    throw invalid(where, "two API keys have the same name");
  }
  if (apiKeys.length === 0 && work === undefined) {
    throw invalid(
      where,
      "clients have no way to get tokens: add the member work or an entry to api_keys",
    );
  }
  return node;
});

/** One issuer, checked and frozen. */
export type IssuerNode = Of<typeof ISSUER>;

/**
 * The configuration of JSON `text`, read from the file at absolute path `file`.
 * `malformed_configuration`, `invalid_configuration`.
 */
export function parseIssuerNode(text: string, file: string): IssuerNode {
  return parseFile(ISSUER, text, file);
}
