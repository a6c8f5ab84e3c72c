/**
 * The configuration of an issuer, `issuer.json`:
 *
 *     {"name", "url"?, "rotation": {"lifetime_seconds", "overlap_seconds"},
 *      "api_keys": [{"name", "sha256", "per_day"?} ...], "work"?: {"bits"}}
 *
 * Unknown members are refused.
 *
 * @module
 */

import { HASH_LENGTH } from "../bytes.ts";
import { Fields } from "../format/fields.ts";
import { isIssuerName } from "../format/issuer_directory.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import type { ApiKey } from "../tokens/api_keys.ts";
import type { Rotation } from "../tokens/key_schedule.ts";
import { MAX_WORK_BITS } from "../format/work_proof.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import { deepFreeze, integerIn, invalid, namingFile } from "./validation.ts";

/** One issuer, checked and frozen. */
export interface IssuerNode {
  /** `issuer_name` of challenges. */
  readonly name: string;
  /** The URL that gateways give to clients. */
  readonly url?: string;
  readonly rotation: Rotation;
  readonly apiKeys: readonly ApiKey[];
  /** Zero bits of a proof of work; absent if none is accepted. */
  readonly workBits?: number;
}

const CODE = "malformed_configuration";
const ROTATION_MEMBERS: Members = {
  lifetime_seconds: required("number", "How long a key signs."),
  overlap_seconds: required(
    "1 to lifetime_seconds",
    "How long the next key is published before it signs.",
  ),
};

const API_KEY_MEMBERS: Members = {
  name: required("text", "Name of the key, for the log."),
  sha256: required("64 hex digits", "SHA-256 of the key; `issuer --new-api-key` makes both."),
  per_day: optional("1 or more", "Tokens a day.", { standard: "unlimited" }),
};

const WORK_MEMBERS: Members = {
  bits: required(`1 to ${MAX_WORK_BITS}`, "Zero bits that a proof of work needs."),
};

/** Members of `issuer.json`. */
export const ISSUER_MEMBERS: Members = {
  name: required("host or host:port", "Name in the challenges of gateways."),
  url: optional("URL", "Address for clients, which gateways publish."),
  rotation: required("object", "Rotation of keys.", ROTATION_MEMBERS),
  api_keys: required(
    "list of objects",
    "Keys of clients that get tokens without work.",
    API_KEY_MEMBERS,
  ),
  work: optional("object", "Give tokens for proofs of work.", { members: WORK_MEMBERS }),
};

/**
 * The configuration of JSON `text`, read from the file at absolute path `file`.
 * `malformed_configuration`, `invalid_configuration`.
 */
export function parseIssuerNode(text: string, file: string): IssuerNode {
  return namingFile(file, () => readIssuerNode(text, file));
}

function readIssuerNode(text: string, file: string): IssuerNode {
  const fields = Fields.parse(text, { where: file, code: CODE }, ...namesOf(ISSUER_MEMBERS));
  const name = fields.text("name");
  if (!isIssuerName(name)) {
    throw invalid(file, "name must be a host, or a host and a port such as issuer.example:8070");
  }
  const apiKeys = fields.list("api_keys").map((entry, i) =>
    readApiKey(fields.within(entry, `api_keys[${i}]`, ...namesOf(API_KEY_MEMBERS)))
  );
  if (new Set(apiKeys.map((key) => key.name)).size !== apiKeys.length) {
    throw invalid(file, "two API keys have the same name");
  }
  if (apiKeys.length === 0 && !fields.has("work")) {
    throw invalid(
      file,
      "clients have no way to get tokens: add the member work or an entry to api_keys",
    );
  }
  return deepFreeze({
    name,
    ...(fields.has("url") && {
      url: parseServiceUrl(fields.text("url"), { insecure: true }).href,
    }),
    rotation: readRotation(fields.object("rotation", ...namesOf(ROTATION_MEMBERS))),
    apiKeys,
    ...(fields.has("work") && {
      workBits: integerIn(
        fields.object("work", ...namesOf(WORK_MEMBERS)),
        "bits",
        1,
        MAX_WORK_BITS,
      ),
    }),
  });
}

function readRotation(fields: Fields): Rotation {
  const lifetimeSeconds = fields.integer("lifetime_seconds");
  const overlapSeconds = fields.integer("overlap_seconds");
  if (overlapSeconds < 1 || overlapSeconds > lifetimeSeconds) {
    throw invalid(
      fields.where,
      `overlap_seconds ${overlapSeconds} is not from 1 to the lifetime, ${lifetimeSeconds}`,
    );
  }
  return { lifetimeSeconds, overlapSeconds };
}

function readApiKey(fields: Fields): ApiKey {
  const sha256 = fields.hex("sha256", HASH_LENGTH);
  const name = fields.text("name");
  if (name === "") throw invalid(fields.where, "name is empty");
  if (!fields.has("per_day")) return { name, sha256 };
  const perDay = fields.integer("per_day");
  if (perDay >= 1) return { name, sha256, perDay };
  throw invalid(fields.where, "per_day must be at least 1");
}
