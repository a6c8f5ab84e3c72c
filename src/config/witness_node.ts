/**
 * The configuration of one witness node, `witness.json`:
 *
 *     {"id", "network_id", "key_file", "state_file", "token", "host", "port",
 *      "logs": [{"origin", "vkey"} ...], "beacon"?: {"max_age_seconds"}, "limits"?: {...} | "off"}
 *
 * The type of the key file determines the scheme. `witness_limits.ts` describes `limits`. Paths are
 * relative to the file. Unknown members are refused. `logs` has an entry for each key of a log.
 *
 * @module
 */

import { dirname, resolve } from "node:path";
import { equalBytes } from "../bytes.ts";
import { screenPublicKey } from "../crypto/ed25519.ts";
import { Fields } from "../format/fields.ts";
import { isOrigin } from "../format/log_checkpoint.ts";
import { isNetworkId, isWitnessId } from "../format/names.ts";
import { NOTE_TYPE, type NoteKey, parseVkey } from "../format/note_key.ts";
import type { WitnessedLog } from "../witness/ports.ts";
import { BEACON_AGE, readBeaconAge } from "./beacon_relays.ts";
import type { NO_LIMITS } from "./gateway_limits.ts";
import { readToken } from "./bearer_tokens.ts";
import { LISTENER_MEMBERS } from "./listeners.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import { invalid, namingFile } from "./validation.ts";
import { readWitnessLimits, WITNESS_LIMITS_MEMBERS, type WitnessLimits } from "./witness_limits.ts";

/** One witness node, checked and frozen. */
export interface WitnessNode {
  readonly id: string;
  /** The network whose rounds it signs: the origin of one of `logs`. */
  readonly networkId: string;
  /** Absolute paths. */
  readonly keyFile: string;
  readonly stateFile: string;
  /** Bearer token that gateways send. Secret. */
  readonly token: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly logs: readonly WitnessedLog[];
  /** Largest age of a beacon, in seconds before its round; absent if beacons are optional. */
  readonly beaconMaxAgeSeconds?: number;
  /** Absolute path of the succession that the operator arms the witness with; it may be missing. */
  readonly successionFile?: string;
  /** Absent if not configured. */
  readonly limits?: WitnessLimits | typeof NO_LIMITS;
}

const CODE = "malformed_configuration";
const LOG_MEMBERS: Members = {
  origin: required("text", "First line of the log's checkpoints. An entry for each of its keys."),
  vkey: required("C2SP verifier key", "Key of the log, of type 0x01."),
};

/** Of `witness.json`. */
export const WITNESS_MEMBERS: Members = {
  id: required("witness id", "Name of the witness, as in the network's configuration."),
  network_id: required("network id", "Network whose rounds it signs; one of `logs`."),
  key_file: required("path", "Its private key, which `keygen` makes."),
  state_file: required("path", "What it has signed, which `init` or `witness --adopt` makes."),
  token: required("text", "Bearer token that the gateway sends, at least 24 characters. Secret."),
  ...LISTENER_MEMBERS,
  logs: required("list of objects", "Logs whose tree heads it cosigns.", LOG_MEMBERS),
  beacon: BEACON_AGE,
  succession: optional(
    "path",
    "Finished succession that the witness may end its epoch by, or begin the next one. Read again for each request; the file may be missing.",
  ),
  limits: optional('object or "off"', "Budgets of clients that do not send the token.", {
    members: WITNESS_LIMITS_MEMBERS,
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
  const beaconMaxAgeSeconds = readBeaconAge(fields);
  const limits = readWitnessLimits(fields);
  const pathOf = (path: string) => resolve(dirname(file), path);
  const node: WitnessNode = {
    id: fields.text("id"),
    networkId: fields.text("network_id"),
    keyFile: pathOf(fields.text("key_file")),
    stateFile: pathOf(fields.text("state_file")),
    token: readToken(fields),
    host: fields.text("host"),
    port: fields.integer("port"),
    logs: readLogs(fields),
    ...(beaconMaxAgeSeconds !== undefined && { beaconMaxAgeSeconds }),
    ...(fields.has("succession") && { successionFile: pathOf(fields.text("succession")) }),
    ...(limits !== undefined && { limits }),
  };
  if (!isWitnessId(node.id)) throw invalid(file, "id is not a valid witness id");
  if (node.host === "") throw invalid(file, "host is empty");
  if (node.port > 65_535) throw invalid(file, `port ${node.port} is not from 0 to 65535`);
  const own = node.logs.find((log) => log.origin === node.networkId);
  if (own === undefined) throw invalid(file, "logs needs an entry whose origin is network_id");
  if (!isNetworkId(own.origin) || own.keys.length > 1 || own.keys[0]!.name !== own.origin) {
    throw invalid(file, "logs needs one key for network_id, and its vkey must name it");
  }
  return Object.freeze(node);
}

/** The logs by their origins, in the order of their first entries. */
function readLogs(fields: Fields): readonly WitnessedLog[] {
  const keys = new Map<string, NoteKey[]>();
  for (const [i, entry] of fields.list("logs").entries()) {
    const log = fields.within(entry, `logs[${i}]`, ...namesOf(LOG_MEMBERS));
    const origin = log.text("origin");
    const key = readLogKey(log, origin);
    const others = keys.get(origin) ?? [];
    if (others.some(({ publicKey }) => equalBytes(publicKey, key.publicKey))) {
      throw invalid(log.where, "an entry above has the same origin and key");
    }
    keys.set(origin, [...others, key]);
  }
  return Object.freeze([...keys].map(([origin, keys]) => Object.freeze({ origin, keys })));
}

function readLogKey(fields: Fields, origin: string): NoteKey {
  const key = parseVkey(fields.text("vkey"));
  if (key.type !== NOTE_TYPE.ed25519) throw invalid(fields.where, "vkey must be of type 0x01");
  if (!isOrigin(origin)) {
    throw invalid(
      fields.where,
      "origin must have 1 to 1,024 bytes and no control characters",
    );
  }
  screenPublicKey(key.publicKey);
  return key;
}
