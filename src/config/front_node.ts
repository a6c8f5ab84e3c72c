/**
 * The `front.json` of a front on another machine than its gateway:
 *
 *     {"name", "gateways": [URL, ...], "gateway_token_file"? or "gateway_token_env"?, "gateway_ca_file"?,
 *      "store", "store_password_file"? or "store_password_env"?, "store_ca_file"?, "store_replica"?,
 *      "operator"?: {...}, "event_sockets"?: {...}, "api_keys"?: {...}}
 *
 * It has no key. Networks, limits and admission are those of the gateway. Paths are relative to the file.
 *
 * @module
 */

import { dirname, resolve } from "node:path";
import { Fields } from "../format/fields.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import { isFrontName } from "../format/names.ts";
import { API_KEYS_MEMBERS, type ApiKeySettings, readApiKeySettings } from "./api_keys.ts";
import { requireSecretSource, secretMembers, type SecretSource } from "./bearer_tokens.ts";
import {
  LISTENER_MEMBERS,
  type ListenerAddress,
  OPERATOR_MEMBERS,
  type OperatorListener,
  readEventSockets,
  readOperatorListener,
} from "./listeners.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import {
  parseStoreUrl,
  POSTGRES_MEMBERS,
  type PostgresDatabase,
  readPostgresDatabase,
} from "./store_database.ts";
import { invalid, namingFile } from "./validation.ts";

const CODE = "malformed_configuration";
const TOKEN = "gateway_token";
const CA_FILE = "gateway_ca_file";
const REPLICA = "store_replica";

/** Members of `front.json`. */
export const FRONT_MEMBERS: Members = {
  name: required("text", "Name of the front in logs and metrics: letters, digits and `._-`."),
  gateways: required(
    "list of URLs",
    "Operator listeners of the gateways that may become active. The token is sent nowhere else.",
  ),
  ...secretMembers(TOKEN, "the bearer token of these listeners"),
  [CA_FILE]: optional("path", "Certificates (PEM) to trust in the TLS of the gateways."),
  store: required("postgres://USER@HOST:PORT/DATABASE", "Database of the log. USER only reads."),
  ...POSTGRES_MEMBERS,
  [REPLICA]: optional(
    "postgres://USER@HOST:PORT/DATABASE",
    "Replica of the database for most reads; password and certificates as for `store`.",
  ),
  operator: optional("object", "Listener for operators of the front.", {
    members: OPERATOR_MEMBERS,
  }),
  event_sockets: optional("object", "Listener for event WebSockets.", {
    members: LISTENER_MEMBERS,
  }),
  api_keys: optional("object", "Keys of clients, as the gateway has them.", {
    members: API_KEYS_MEMBERS,
  }),
};

/** A front, checked and frozen. */
export interface FrontNode {
  readonly name: string;
  /** As `parseServiceUrl` writes them. */
  readonly gateways: readonly string[];
  readonly token: SecretSource;
  /** Absolute path. */
  readonly caFile?: string;
  readonly store: PostgresDatabase;
  readonly replica?: PostgresDatabase;
  readonly operator?: OperatorListener;
  readonly eventSockets?: ListenerAddress;
  readonly apiKeys?: ApiKeySettings;
}

/**
 * The configuration of JSON `text`, read from the file at absolute path `file`. `insecure` allows `http:` and
 * plain connections beyond loopback. `malformed_configuration`, `invalid_configuration`.
 */
export function parseFrontNode(
  text: string,
  file: string,
  { insecure = false }: { readonly insecure?: boolean } = {},
): FrontNode {
  return namingFile(file, () => readFrontNode(text, file, insecure));
}

function readFrontNode(text: string, file: string, insecure: boolean): FrontNode {
  const fields = Fields.parse(text, { where: file, code: CODE }, ...namesOf(FRONT_MEMBERS));
  const pathOf = (path: string) => resolve(dirname(file), path);
  const name = fields.text("name");
  if (!isFrontName(name)) {
    throw invalid(file, "name must have up to 64 letters, digits and ._-, and begin with no mark");
  }
  const gateways = fields.texts("gateways").map((url) => parseServiceUrl(url, { insecure }).href);
  if (gateways.length === 0) throw invalid(file, "gateways names none");
  const token = requireSecretSource(fields, TOKEN, pathOf);
  const store = readPostgresDatabase(fields, { pathOf, insecure });
  const operator = readOperatorListener(fields, pathOf);
  const eventSockets = readEventSockets(fields);
  const apiKeys = readApiKeySettings(fields, pathOf);
  return Object.freeze({
    name,
    gateways: Object.freeze(gateways),
    token,
    store,
    ...(fields.has(CA_FILE) && { caFile: pathOf(fields.text(CA_FILE)) }),
    ...(fields.has(REPLICA) && {
      replica: { ...store, ...parseStoreUrl(fields.text(REPLICA), { insecure }) },
    }),
    ...(operator !== undefined && { operator }),
    ...(eventSockets !== undefined && { eventSockets }),
    ...(apiKeys !== undefined && { apiKeys }),
  });
}
