/**
 * The configuration of one witness node, `witness.json`:
 *
 *     {"id", "network_id", "key_file", "state_file", "token", "host", "port",
 *      "logs": [{"origin", "vkey"} ...], "beacon"?: {"max_age_seconds"}, "limits"?: {...} | "off"}
 *
 * The key file's type says in which scheme it signs; `limits` is described where it is read. Paths
 * are relative to the file. Unknown members are refused.
 *
 * @module
 */

import { dirname, resolve } from "node:path";
import type { Bytes } from "../bytes.ts";
import { screenPublicKey } from "../crypto/ed25519.ts";
import { CountersignError } from "../errors.ts";
import { Fields } from "../format/fields.ts";
import { isNetworkId, isWitnessId } from "../format/names.ts";
import { NOTE_TYPE, parseVkey } from "../format/note_key.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import { readBeaconAge } from "./beacon_relays.ts";
import type { NO_LIMITS } from "./limits.ts";
import { readToken } from "./token.ts";
import { readWitnessLimits, type WitnessLimits } from "./witness_limits.ts";

/** A log whose tree heads the witness cosigns. */
export interface ConfiguredLog {
  readonly origin: string;
  /** Screened. */
  readonly publicKey: Bytes;
}

/** One witness node, checked and frozen. */
export interface WitnessNode {
  readonly id: string;
  /** The network whose rounds it signs: the origin of one of `logs`. */
  readonly networkId: string;
  /** Absolute paths. */
  readonly keyFile: string;
  readonly stateFile: string;
  /** Bearer token that gateways show. Secret. */
  readonly token: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly logs: readonly ConfiguredLog[];
  /** The most seconds by which a beacon may be older than its round; absent where none is demanded. */
  readonly beaconMaxAgeSeconds?: number;
  /** What each client without the token may ask; absent where the file does not say. */
  readonly limits?: WitnessLimits | typeof NO_LIMITS;
}

const CODE = "malformed_configuration";
const MEMBERS = [
  "id",
  "network_id",
  "key_file",
  "state_file",
  "token",
  "host",
  "port",
  "logs",
] as const;

/**
 * The configuration of JSON `text` that stands in the file of absolute path `file`.
 * `malformed_configuration`, `invalid_configuration`, `invalid_key`.
 */
export function parseWitnessNode(text: string, file: string): WitnessNode {
  const fields = new Fields(parseStrictJson(text, CODE), { where: file, code: CODE }, MEMBERS, {
    optional: ["beacon", "limits"],
  });
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
    port: fields.count("port"),
    logs: Object.freeze(
      fields.list("logs").map((entry, i) =>
        readLog(fields.within(entry, `logs[${i}]`, ["origin", "vkey"]))
      ),
    ),
    ...(beaconMaxAgeSeconds !== undefined && { beaconMaxAgeSeconds }),
    ...(limits !== undefined && { limits }),
  };
  if (!isWitnessId(node.id)) throw invalid("a valid witness id", "another text");
  if (node.host === "") throw invalid("a host to listen on", "none");
  if (node.port > 65_535) throw invalid("a port from 0 to 65535", String(node.port));
  const origins = new Set(node.logs.map((log) => log.origin));
  if (origins.size !== node.logs.length) throw invalid("distinct origins", "one twice");
  if (!origins.has(node.networkId)) {
    throw invalid("the log of the witness's own network", "others");
  }
  return Object.freeze(node);
}

function readLog(fields: Fields): ConfiguredLog {
  const origin = fields.text("origin");
  const { name, type, publicKey } = parseVkey(fields.text("vkey"));
  if (!isNetworkId(origin) || name !== origin || type !== NOTE_TYPE.ed25519) {
    throw invalid("an origin and a vkey of type 0x01 with its name", "others");
  }
  screenPublicKey(publicKey);
  return Object.freeze({ origin, publicKey });
}

function invalid(required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot use witness's configuration: ${required} required, found ${found}`,
  );
}
