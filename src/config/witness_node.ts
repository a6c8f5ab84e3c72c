/**
 * The configuration of one witness node, `witness.json`.
 *
 * The type of the key file determines the scheme. `witness_limits.ts` describes `limits`. Paths are
 * relative to the file. Unknown members are refused. `logs` has an entry for each key of a log.
 *
 * @module
 */

import { dirname, join, sep } from "node:path";
import { isNetworkId, isWitnessId, NETWORK_ID, WITNESS_ID } from "../proof/format/names.ts";
import { list, type Of, TEXT } from "../proof/format/schema.ts";
import { parseServiceUrl } from "../proof/format/service_url.ts";
import { TRUST_CORE } from "../proof/format/trust_core.ts";
import { BEACON_AGE } from "./beacon_relays.ts";
import { token } from "./bearer_tokens.ts";
import { LOGS } from "./followed_logs.ts";
import { LISTENER, LISTENER_MEMBERS } from "./listeners.ts";
import { integer, orOff, parseFile, path, settings, url } from "./settings.ts";
import { invalid, namingFile } from "./validation.ts";
import { WITNESS_LIMITS } from "./witness_limits.ts";

const LOG_LISTS = settings({
  urls: list(url("List of logs.")).convert((urls, where) => {
    if (urls.length > 0 && new Set(urls).size === urls.length) return urls;
    throw invalid(where, "it needs at least one URL, each once");
  }).with({ description: "Lists of logs (github.com/transparency-dev/witness-network)." }),
  interval_seconds: integer(
    60,
    604_800,
    "Pause between two reads of the lists; at most 300 after a failure.",
  ).withDefault(3_600),
});

/** A bastion (c2sp.org/https-bastion). */
const BASTION = settings({
  url: TEXT.convert((text, where) =>
    namingFile(where, () => parseServiceUrl(text, { insecure: false }))
  )
    .with({ format: "uri", description: "Of the bastion." }),
  cert_file: path("PEM: certificate of an Ed25519 key, which identifies the witness there."),
  key_file: path("PEM: its private key. Not the witness's own key."),
  ca_file: path(
    "PEM: authority of the bastion's certificate; without it, public authorities.",
  ).optional(),
});

export type WitnessBastion = Of<typeof BASTION>;

/** `witness.json`. */
export const WITNESS = settings({
  id: WITNESS_ID.convert((id, where) => {
    if (isWitnessId(id)) return id;
    throw invalid(where, "it is not a valid witness id");
  }).with({ description: "Name of the witness, as in the network's configuration." }),
  network_id: NETWORK_ID.with({ description: "Network whose rounds it signs; one of `logs`." }),
  key_file: path("Its private key, which `keygen` makes."),
  ml_dsa_key_file: path(
    "A further private key, which `keygen --scheme ml-dsa-44` makes: tree heads then get a second cosignature.",
  ).optional(),
  state_file: path(
    "The heads and hashes that it has signed; `init` or `witness --adopt` makes it.",
  ),
  token: token("Bearer token that the gateway sends, at least 24 characters. Secret."),
  ...LISTENER_MEMBERS,
  logs: LOGS.with({ description: "Logs whose tree heads it cosigns." }),
  logs_file: path(
    "Further logs, which `witness follow` writes. Read again when it has changed; the file may be missing.",
  ).optional(),
  max_logs: integer(
    1,
    100_000,
    "How many logs `logs_file` may have. A list that would add more is refused whole.",
  ).withDefault(10_000),
  log_lists: LOG_LISTS.with({
    description:
      "Lists whose logs the witness adds to `logs_file`. It then writes to the folder of that file, which must not have the configuration, keys, certificates or succession.",
  }).optional(),
  beacon: BEACON_AGE.with({
    description: "Refuse rounds without a beacon. Without it, beacons are optional.",
  }).optional(),
  succession: path(
    "Finished succession that the witness may end its epoch by, or begin the next one. Read again for each request; the file may be missing.",
  ).optional(),
  network: TRUST_CORE.with({
    description:
      "The trust core of its network (docs/protocol.md), which `init` and `network assemble` write: the witness then completes rounds that others signed up to an hour ago.",
  }).optional(),
  bastion: BASTION.with({
    description:
      "Bastion (c2sp.org/https-bastion) through which logs and monitors reach the witness.",
  }).optional(),
  metrics: LISTENER.with({ description: "Listener for `GET /metrics`." }).optional(),
  limits: orOff(WITNESS_LIMITS).with({
    description: "Budgets of clients that do not send the token.",
  }).withDefault({}),
}).convert((node, file) => {
  if (node.network !== undefined && node.network.id !== node.networkId) {
    throw invalid(file, "network has another id than network_id");
  }
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
  return node;
});

/** One witness node, checked and frozen. */
export type WitnessNode = Of<typeof WITNESS>;

/**
 * The configuration of JSON `text`, read from the file at absolute path `file`.
 * `malformed_configuration`, `invalid_configuration`, `invalid_key`.
 */
export function parseWitnessNode(text: string, file: string): WitnessNode {
  return parseFile(WITNESS, text, file);
}

/** The witness may write to the folder of `logsFile`, but never to what its operator gives it. */
function requireOwnFolder(
  { logsFile, keyFile, mlDsaKeyFile, succession, bastion }: {
    readonly logsFile?: string;
    readonly keyFile: string;
    readonly mlDsaKeyFile?: string;
    readonly succession?: string;
    readonly bastion?: WitnessBastion;
  },
  file: string,
): void {
  if (logsFile === undefined) throw invalid(file, "log_lists needs logs_file");
  const folder = join(dirname(logsFile), sep);
  const given = [
    file,
    keyFile,
    mlDsaKeyFile,
    succession,
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
