/**
 * The configuration of one witness node, `witness.json`:
 *
 *     {"id", "network_id", "key_file", "ml_dsa_key_file"?, "state_file", "token", "host", "port",
 *      "logs": [{"origin", "vkey"} ...], "network"?: {...}, "beacon"?: {"max_age_seconds"},
 *      "limits"?: {...} | "off"}
 *
 * The type of the key file determines the scheme. `witness_limits.ts` describes `limits`. Paths are
 * relative to the file. Unknown members are refused. `logs` has an entry for each key of a log.
 *
 * @module
 */

import { dirname, join, resolve, sep } from "node:path";
import { Fields } from "../proof/format/fields.ts";
import { parseServiceUrl } from "../proof/format/service_url.ts";
import { isNetworkId, isWitnessId } from "../proof/format/names.ts";
import { TRUST_CORE, type TrustCore } from "../proof/format/trust_core.ts";
import type { WitnessedLog } from "../witness/ports.ts";
import { BEACON_AGE } from "./beacon_relays.ts";
import type { NO_LIMITS } from "./gateway_limits.ts";
import { readToken } from "./bearer_tokens.ts";
import { LISTENER_MEMBERS, type ListenerAddress, readListenerAddress } from "./listeners.ts";
import { LOG_MEMBERS, readLogs } from "./followed_logs.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import { orOff } from "./settings.ts";
import { invalid, namingFile, optionalIntegerIn } from "./validation.ts";
import { WITNESS_LIMITS, type WitnessLimits } from "./witness_limits.ts";

/** One witness node, checked and frozen. */
export interface WitnessNode {
  readonly id: string;
  /** The network whose rounds it signs: the origin of one of `logs`. */
  readonly networkId: string;
  /** Absolute paths. */
  readonly keyFile: string;
  /** File of a further key; absent if the witness has none. */
  readonly mlDsaKeyFile?: string;
  readonly stateFile: string;
  /** Bearer token that gateways send. Secret. */
  readonly token: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly logs: readonly WitnessedLog[];
  /** Absolute path of the list of further logs; it may be missing. */
  readonly logsFile?: string;
  /** How many logs `logsFile` may have after the import of a list. */
  readonly maxLogs: number;
  /** Lists whose logs the witness adds to `logsFile`. */
  readonly logLists?: { readonly urls: readonly string[]; readonly intervalSeconds: number };
  /** Maximum age of a beacon, in seconds before its round; absent if beacons are optional. */
  readonly beaconMaxAgeSeconds?: number;
  /** Absolute path of the succession that the operator arms the witness with; it may be missing. */
  readonly successionFile?: string;
  /** Who signs in its network; absent if the witness does not know the others. */
  readonly network?: TrustCore;
  /** Listener for metrics. */
  readonly metrics?: ListenerAddress;
  /** The bastion through which strangers reach it. */
  readonly bastion?: WitnessBastion;
  /** Absent if not configured. */
  readonly limits?: WitnessLimits | typeof NO_LIMITS;
}

/** A bastion (c2sp.org/https-bastion). Paths are absolute. */
export interface WitnessBastion {
  readonly url: URL;
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile?: string;
}

const CODE = "malformed_configuration";
const DEFAULT_MAX_LOGS = 10_000;
const MOST_LOGS = 100_000;
const DEFAULT_LIST_SECONDS = 3_600;
const LEAST_LIST_SECONDS = 60;
const MOST_LIST_SECONDS = 604_800;

const LOG_LISTS_MEMBERS: Members = {
  urls: required("list of URLs", "Lists of logs (github.com/transparency-dev/witness-network)."),
  interval_seconds: optional(
    `${LEAST_LIST_SECONDS} to ${MOST_LIST_SECONDS}`,
    "Pause between two reads of the lists; at most 300 after a failure.",
    { standard: DEFAULT_LIST_SECONDS },
  ),
};

const BASTION_MEMBERS: Members = {
  url: required("URL", "Of the bastion."),
  cert_file: required(
    "path",
    "PEM: certificate of an Ed25519 key, which identifies the witness there.",
  ),
  key_file: required("path", "PEM: its private key. Not the witness's own key."),
  ca_file: optional("path", "PEM: authority of the bastion's certificate.", {
    standard: "public authorities",
  }),
};

/** Members of `witness.json`. */
export const WITNESS_MEMBERS: Members = {
  id: required("witness id", "Name of the witness, as in the network's configuration."),
  network_id: required("network id", "Network whose rounds it signs; one of `logs`."),
  key_file: required("path", "Its private key, which `keygen` makes."),
  ml_dsa_key_file: optional(
    "path",
    "A further private key, which `keygen --scheme ml-dsa-44` makes: tree heads then get a second cosignature.",
  ),
  state_file: required(
    "path",
    "The heads and hashes that it has signed; `init` or `witness --adopt` makes it.",
  ),
  token: required("text", "Bearer token that the gateway sends, at least 24 characters. Secret."),
  ...LISTENER_MEMBERS,
  logs: required("list of objects", "Logs whose tree heads it cosigns.", LOG_MEMBERS),
  logs_file: optional(
    "path",
    "Further logs, which `witness follow` writes. Read again when it has changed; the file may be missing.",
  ),
  max_logs: optional(
    `1 to ${MOST_LOGS}`,
    "How many logs `logs_file` may have. A list that would add more is refused whole.",
    { standard: DEFAULT_MAX_LOGS },
  ),
  log_lists: optional(
    "object",
    "Lists whose logs the witness adds to `logs_file`. It then writes to the folder of that file, which must not have the configuration, keys, certificates or succession.",
    { members: LOG_LISTS_MEMBERS },
  ),
  beacon: optional(
    "object",
    "Refuse rounds without a beacon. Without it, beacons are optional.",
    { members: BEACON_AGE },
  ),
  succession: optional(
    "path",
    "Finished succession that the witness may end its epoch by, or begin the next one. Read again for each request; the file may be missing.",
  ),
  network: optional(
    "object",
    "The trust core of its network (docs/protocol.md), which `init` and `network assemble` write: the witness " +
      "then completes rounds that others signed up to an hour ago.",
  ),
  bastion: optional(
    "object",
    "Bastion (c2sp.org/https-bastion) through which logs and monitors reach the witness.",
    { members: BASTION_MEMBERS },
  ),
  metrics: optional("object", "Listener for `GET /metrics`.", { members: LISTENER_MEMBERS }),
  limits: optional('object or "off"', "Budgets of clients that do not send the token.", {
    members: WITNESS_LIMITS,
  }),
};

/**
 * The configuration of JSON `text`, read from the file at absolute path `file`.
 * `malformed_configuration`, `invalid_configuration`, `invalid_key`.
 */
export function parseWitnessNode(text: string, file: string): WitnessNode {
  return namingFile(file, () => readWitnessNode(text, file));
}

function readWitnessNode(text: string, file: string): WitnessNode {
  const fields = Fields.parse(text, { where: file, code: CODE }, ...namesOf(WITNESS_MEMBERS));
  const beacon = fields.read("beacon", BEACON_AGE);
  const limits = fields.read("limits", orOff(WITNESS_LIMITS));
  const pathOf = (path: string) => resolve(dirname(file), path);
  const node: WitnessNode = {
    id: fields.text("id"),
    networkId: fields.text("network_id"),
    keyFile: pathOf(fields.text("key_file")),
    ...(fields.has("ml_dsa_key_file") && { mlDsaKeyFile: pathOf(fields.text("ml_dsa_key_file")) }),
    stateFile: pathOf(fields.text("state_file")),
    token: readToken(fields),
    host: fields.text("host"),
    port: fields.integer("port"),
    logs: readLogs(fields),
    ...(fields.has("logs_file") && { logsFile: pathOf(fields.text("logs_file")) }),
    maxLogs: optionalIntegerIn(fields, "max_logs", 1, MOST_LOGS) ?? DEFAULT_MAX_LOGS,
    ...(fields.has("log_lists") && { logLists: readLogLists(fields) }),
    ...(beacon !== undefined && { beaconMaxAgeSeconds: beacon.maxAgeSeconds }),
    ...(fields.has("succession") && { successionFile: pathOf(fields.text("succession")) }),
    ...(fields.has("network") && {
      network: TRUST_CORE.parse(fields.value("network"), { where: `${file}: network`, code: CODE }),
    }),
    ...(fields.has("bastion") && { bastion: readBastion(fields, pathOf) }),
    ...(fields.has("metrics") && {
      metrics: readListenerAddress(fields.object("metrics", ...namesOf(LISTENER_MEMBERS))),
    }),
    ...(limits !== undefined && { limits }),
  };
  if (!isWitnessId(node.id)) throw invalid(file, "id is not a valid witness id");
  if (node.network !== undefined && node.network.id !== node.networkId) {
    throw invalid(file, "network has another id than network_id");
  }
  if (node.host === "") throw invalid(file, "host is empty");
  if (node.port > 65_535) throw invalid(file, `port ${node.port} is not from 0 to 65535`);
  const own = node.logs.find((log) => log.origin === node.networkId);
  if (own === undefined) throw invalid(file, "logs needs an entry whose origin is network_id");
  if (
    !isNetworkId(own.origin) || own.keys.length > 1 || own.keys[0]!.name !== own.origin ||
    own.start ||
    own.queriesPerDay
  ) {
    throw invalid(file, "logs needs one key for network_id, named as it, without start and quota");
  }
  if (node.logLists !== undefined) requireOwnFolder(node, file);
  return Object.freeze(node);
}

/** The witness may write to the folder of `logsFile`, but never to what its operator gives it. */
function requireOwnFolder(node: WitnessNode, file: string): void {
  const { logsFile, keyFile, mlDsaKeyFile, successionFile, bastion } = node;
  if (logsFile === undefined) throw invalid(file, "log_lists needs logs_file");
  const folder = join(dirname(logsFile), sep);
  const given = [
    file,
    keyFile,
    mlDsaKeyFile,
    successionFile,
    bastion?.keyFile,
    bastion?.certFile,
    bastion?.caFile,
  ];
  if (given.some((path) => path?.startsWith(folder))) {
    throw invalid(
      file,
      "log_lists needs logs_file in a folder without the configuration, keys, certificates and " +
        'succession, such as "lists/logs.json"',
    );
  }
}

function readLogLists(node: Fields): Required<WitnessNode>["logLists"] {
  const fields = node.object("log_lists", ...namesOf(LOG_LISTS_MEMBERS));
  const urls = fields.texts("urls");
  for (const url of urls) parseServiceUrl(url, { insecure: false });
  if (urls.length === 0 || new Set(urls).size !== urls.length) {
    throw invalid(fields.where, "urls needs at least one URL, each once");
  }
  const name = "interval_seconds";
  const intervalSeconds = optionalIntegerIn(fields, name, LEAST_LIST_SECONDS, MOST_LIST_SECONDS) ??
    DEFAULT_LIST_SECONDS;
  return Object.freeze({ urls: Object.freeze([...urls]), intervalSeconds });
}

function readBastion(node: Fields, pathOf: (path: string) => string): WitnessBastion {
  const fields = node.object("bastion", ...namesOf(BASTION_MEMBERS));
  return Object.freeze({
    url: parseServiceUrl(fields.text("url"), { insecure: false }),
    certFile: pathOf(fields.text("cert_file")),
    keyFile: pathOf(fields.text("key_file")),
    ...(fields.has("ca_file") && { caFile: pathOf(fields.text("ca_file")) }),
  });
}
