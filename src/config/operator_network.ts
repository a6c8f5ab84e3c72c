/**
 * The operator's `network.json`: the public configuration (protocol.md "Configuration") and the
 * gateway's private settings. All witnesses are embedded, with "key_file" and "state_file", or none
 * is, with "url" and "token".
 *
 * @module
 */

import { dirname } from "node:path";
import { INTEGER_LIMIT } from "../base/bytes.ts";
import { hasCode, tryParse } from "../base/errors.ts";
import type { Bls } from "../proof/crypto/bls.ts";
import {
  LOG_VKEY,
  NETWORK_MEMBERS,
  type NetworkConfiguration,
  WITNESS_MEMBERS,
} from "../proof/format/network.ts";
import { readNetwork } from "../proof/format/network_reader.ts";
import { list, type Of, TEXT } from "../proof/format/schema.ts";
import { parseServiceUrl } from "../proof/format/service_url.ts";
import { parseStrictJson } from "../proof/format/strict_json.ts";
import type { BatchPolicy } from "../gateway/sequencing/batching.ts";
import { ADMISSION } from "./admission.ts";
import { API_KEYS } from "./api_keys.ts";
import { ANCHORS } from "./anchor_services.ts";
import { BEACON_RELAYS } from "./beacon_relays.ts";
import { token } from "./bearer_tokens.ts";
import { CLIENT_LIMITS } from "./gateway_limits.ts";
import { FEDERATION } from "./federation_peers.ts";
import { EVENT_SOCKETS, OPERATOR_LISTENER } from "./gateway_listeners.ts";
import { PUBLISHING } from "./publishing.ts";
import { choice, integer, orOff, path, settings, type SettingsOf, url } from "./settings.ts";
import { type PostgresDatabase, STORE_MEMBERS, storeDatabase } from "./store_database.ts";
import { TIMESTAMPING } from "./timestamping.ts";
import {
  checkSignatureLines,
  WITNESSING,
  witnessingOf,
  type WitnessingSettings,
} from "./witnessing.ts";
import { readPrivateFile } from "./private_file.ts";
import { readTextFile } from "./text_file.ts";
import { deepFreeze, invalid, namingFile } from "./validation.ts";

/** A commit of the tree holds no more leaves. */
const MOST_BATCH_LEAVES = 16_384;

/** Promised seconds from acceptance to publication. */
export const DEFAULT_MERGE_DELAY_SECONDS = 3_600;

const CODE = "malformed_configuration";
const WHAT = "the operator's configuration";

/** An entry of `witnesses`: its public members, and how the gateway reaches it. */
const WITNESS = settings({
  ...WITNESS_MEMBERS,
  pubkey: TEXT.with({
    title: "hex",
    description: "Its public key: 32 bytes for ed25519, 96 for bls.",
  }),
  url: url("URL of the witness for the gateway. With `token`.").optional(),
  token: token("The token of its witness.json, at least 24 characters. Secret.").optional(),
  key_file: path("Private key of an embedded witness. With `state_file`.").optional(),
  ml_dsa_key_file: path("Private key of an embedded witness's `ml_dsa_vkey`.").optional(),
  state_file: path("State of an embedded witness.").optional(),
}).convert(({ id, url, token, keyFile, mlDsaKeyFile, stateFile }) => {
  const isRemote = url !== undefined && token !== undefined;
  const isEmbedded = keyFile !== undefined && stateFile !== undefined;
  if (isRemote && mlDsaKeyFile !== undefined) {
    throw invalid(
      `witness ${JSON.stringify(id)}`,
      "ml_dsa_key_file is of an embedded witness: set it in the witness.json of another",
    );
  }
  if (isRemote && keyFile === undefined && stateFile === undefined) {
    return { kind: "remote", id, url, token } as const;
  }
  if (isEmbedded && url === undefined && token === undefined) {
    const files = mlDsaKeyFile === undefined ? {} : { mlDsaKeyFile };
    return { kind: "embedded", id, keyFile, stateFile, ...files } as const;
  }
  throw invalid(
    `witness ${JSON.stringify(id)}`,
    "it needs url and token (a witness elsewhere), or key_file and state_file (one in this process)",
  );
});

/** `network.json` has no succession: the file `succession.json` has it. */
const { succession: _, ...PUBLIC_MEMBERS } = NETWORK_MEMBERS;

/** Settings that the gateway uses as they are. */
const GATEWAY_MEMBERS = {
  federation: FEDERATION.with({
    description: "Networks that watch this one; `federate` writes it.",
  }).withDefault({ enabled: false, cross_anchor_threshold: 0, peer_networks: [] }),
  log_key_file: path("Private key of the log."),
  log_ml_dsa_key_file: path("Private key of `log_ml_dsa_vkey`.").optional(),
  operator: OPERATOR_LISTENER.with({ description: "Listener for operators and peers." })
    .optional(),
  event_sockets: EVENT_SOCKETS.with({ description: "Listener for WebSockets at /ws/events." })
    .optional(),
  anchors: ANCHORS.withDefault([]),
  beacon: BEACON_RELAYS.with({ description: "Rounds carry a beacon of drand." }).optional(),
  admission: ADMISSION.with({ description: "Who may submit." }).withDefault({ mode: "open" }),
  api_keys: API_KEYS.with({ description: "Make the gateway private: clients need API keys." })
    .optional(),
  limits: orOff(CLIENT_LIMITS).with({ description: "Budgets of clients." }).optional(),
  publish: PUBLISHING.with({ description: "Publish a copy of the log." }).optional(),
  timestamping: TIMESTAMPING.with({ description: "Answer time-stamp requests (RFC 3161)." })
    .optional(),
} as const;

/** `network.json`. */
export const NETWORK = settings({
  ...PUBLIC_MEMBERS,
  threshold: integer(
    1,
    INTEGER_LIMIT - 1,
    "Number of witnesses that must sign: more than half of them.",
  ),
  signature_scheme: choice(["ed25519", "bls"], "Scheme of all witnesses."),
  witnesses: list(WITNESS).with({ description: "The witnesses." }),
  log_vkey: LOG_VKEY,
  merge_delay_seconds: integer(
    1,
    INTEGER_LIMIT - 1,
    "Promised time within which an attestation is in the log.",
  ).withDefault(DEFAULT_MERGE_DELAY_SECONDS),
  ...GATEWAY_MEMBERS,
  batch_max_age_ms: integer(1, 3_600_000, "Longest wait of an attestation for its batch.")
    .withDefault(1_000),
  batch_max_leaves: integer(1, MOST_BATCH_LEAVES, "Attestations that close a batch at once.")
    .withDefault(MOST_BATCH_LEAVES),
  ...STORE_MEMBERS,
  witnessing: WITNESSING.with({
    description: "C2SP witnesses outside the network that cosign checkpoints.",
  }).optional(),
});

type Witness = Of<typeof WITNESS>;
/** A witness that is called over HTTP. */
export type RemoteWitness = Extract<Witness, { readonly kind: "remote" }>;
/** A witness inside the gateway's process. */
export type EmbeddedWitnessFiles = Extract<Witness, { readonly kind: "embedded" }>;

/** A gateway's whole configuration, checked and frozen. */
export interface OperatorNetwork extends SettingsOf<typeof GATEWAY_MEMBERS> {
  /** The public part, witnesses ascending by id. */
  readonly network: NetworkConfiguration & { readonly log_vkey: string };
  /** In the order of `network.witnesses`. */
  readonly witnesses: readonly Witness[];
  readonly batch: BatchPolicy;
  /** The database of the store; absent if the store is in the data folder. */
  readonly store?: PostgresDatabase;
  /** Absent without foreign witnesses and ML-DSA-44 keys. */
  readonly witnessing?: WitnessingSettings;
}

/**
 * The text of the `network.json` at `path`; errors as `readPrivateFile`. A public configuration holds no
 * secrets, so its mode is no fault: `invalid_configuration`.
 */
export async function readOperatorFile(path: string): Promise<string> {
  try {
    return await readPrivateFile(path);
  } catch (error) {
    if (hasCode(error, "file_failed")) {
      const text = await readTextFile(path);
      const value = tryParse(() => parseStrictJson(text, CODE, Infinity));
      refusePublic(value, path);
    }
    throw error;
  }
}

/** `invalid_configuration` if `value`, of `file`, is public: it has no key file of the log, and reaches no witness. */
function refusePublic(value: unknown, file: string): void {
  const { id, witnesses, log_key_file } = Object(value);
  if (typeof id !== "string" || log_key_file !== undefined || !Array.isArray(witnesses)) return;
  const isReached = ({ url, token, key_file, state_file }: Record<string, unknown>) =>
    [url, token, key_file, state_file].some((member) => member !== undefined);
  if (witnesses.some((witness) => isReached(Object(witness)))) return;
  throw invalid(
    `"${file}"`,
    `it is the public configuration of ${id}, for --network-config. Name the operator's network.json`,
  );
}

/**
 * The configuration of JSON `text`, read from the file at absolute path `file`. `insecure`
 * allows `http:` URLs beyond loopback. `malformed_configuration`, `invalid_configuration`,
 * `invalid_key`.
 */
export function parseOperatorNetwork(
  text: string,
  file: string,
  { insecure = false, bls }: { readonly insecure?: boolean; readonly bls?: Bls } = {},
): OperatorNetwork {
  const context = { where: file, code: CODE, folder: dirname(file), insecure } as const;
  return namingFile(file, () => {
    const value = parseStrictJson(text, CODE, Infinity, `JSON of ${file}`);
    refusePublic(value, file);
    const members = NETWORK.parse(value, context);
    const network = readNetwork(value, bls);
    return deepFreeze(operatorNetwork(members, network, context));
  });
}

/** The configuration with `members`, of which `network` is the public part. */
function operatorNetwork(
  members: Of<typeof NETWORK>,
  network: NetworkConfiguration,
  { where, insecure }: { readonly where: string; readonly insecure: boolean },
): OperatorNetwork {
  checkPolicy(network, insecure);
  checkEndpoints(members.witnesses);
  checkMlDsaFiles(members, network);
  if (members.apiKeys !== undefined && members.admission.mode !== "open") {
    throw invalid(
      WHAT,
      `api_keys and admission mode ${members.admission.mode} exclude each other: a key already decides who may submit`,
    );
  }
  const { witnessing: member, ...settings } = members;
  const store = storeDatabase(members, where);
  const witnessing = witnessingOf(member, network, { insecure });
  checkSignatureLines(network, witnessing);
  return {
    ...settings,
    network: {
      ...network,
      log_vkey: members.logVkey,
      merge_delay_seconds: members.mergeDelaySeconds,
      witnesses: network.witnesses.toSorted(byId),
    },
    witnesses: members.witnesses.toSorted(byId),
    batch: { maxAgeMs: members.batchMaxAgeMs, maxLeaves: members.batchMaxLeaves },
    ...(store !== undefined && { store }),
    ...(witnessing !== undefined && { witnessing }),
  };
}

/**
 * Requires that any two quorums of `count` witnesses share one; `invalid_configuration`.
 */
export function checkQuorum(threshold: number, count: number): void {
  if (threshold > count) {
    throw invalid(WHAT, `threshold ${threshold} must be at most ${count}, the number of witnesses`);
  }
  if (!(threshold >= 1 && 2 * threshold > count)) {
    throw invalid(
      WHAT,
      `threshold ${threshold} must be more than half of ${count} witnesses, ` +
        "so that any two quorums share a witness",
    );
  }
}

/** The rules for gateways beyond those that verifiers apply to a configuration. */
function checkPolicy(network: NetworkConfiguration, insecure: boolean): void {
  checkQuorum(network.threshold, network.witnesses.length);
  const { enabled, peer_networks: peers, cross_anchor_threshold: required } = network.federation;
  const urls = [
    ...peers.map(({ id, gateway_url }) => [`gateway_url of ${id}`, gateway_url] as const),
    ...network.witnesses.map(({ id, public_url }) => [`public_url of ${id}`, public_url] as const),
  ];
  for (const [what, url] of urls) {
    if (url !== undefined) namingFile(what, () => parseServiceUrl(url, { insecure }));
  }
  if (enabled && required > peers.length) {
    throw invalid(
      WHAT,
      `cross_anchor_threshold ${required} exceeds the number of peers, ${peers.length}`,
    );
  }
}

function checkEndpoints(witnesses: OperatorNetwork["witnesses"]): void {
  if (new Set(witnesses.map((witness) => witness.kind)).size > 1) {
    throw invalid(
      WHAT,
      "either all witnesses have url and token, or all have key_file and state_file",
    );
  }
  const endpoints = witnesses.flatMap((witness) =>
    witness.kind === "remote"
      ? [parseServiceUrl(witness.url, { insecure: true }).href]
      : [witness.keyFile, witness.stateFile]
  );
  if (new Set(endpoints).size !== endpoints.length) {
    throw invalid(WHAT, "two witnesses have the same URL or the same file; each needs its own");
  }
}

/** Who signs in this process has a key file for each configured ML-DSA-44 key, and no other. */
function checkMlDsaFiles(
  { logMlDsaKeyFile, witnesses }: Of<typeof NETWORK>,
  network: NetworkConfiguration,
): void {
  if ((network.log_ml_dsa_vkey === undefined) !== (logMlDsaKeyFile === undefined)) {
    throw invalid(WHAT, "give both log_ml_dsa_vkey and log_ml_dsa_key_file, or neither");
  }
  for (const [i, witness] of witnesses.entries()) {
    const { id, ml_dsa_vkey: vkey } = network.witnesses[i]!;
    if (witness.kind === "remote") continue;
    if ((vkey !== undefined) !== (witness.mlDsaKeyFile !== undefined)) {
      throw invalid(`witness ${id}`, "give both ml_dsa_vkey and ml_dsa_key_file, or neither");
    }
  }
}

/** The order of signatures in a set: ascending by code unit; ids are ASCII. */
function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
