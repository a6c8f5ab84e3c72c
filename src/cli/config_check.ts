/**
 * Checks a configuration file of any kind with the files and variables that it names, and files that
 * belong together against one another. Uses no network.
 *
 * @module
 */

import { dirname, resolve } from "node:path";
import { equalBytes, fromHex } from "../base/bytes.ts";
import { withCarriedChain } from "../client/further_epochs.ts";
import { configureAnchors } from "../config/anchor_services.ts";
import { readApiKeys } from "../config/api_keys.ts";
import { loadToken } from "../config/bearer_tokens.ts";
import { loadFederation } from "../config/federation_peers.ts";
import { parseIssuerNode } from "../config/issuer_node.ts";
import {
  type KeyReading,
  readAnySigner,
  readLogSigner,
  readMlDsaSigner,
  readSigner,
  readWitnessSigner,
} from "../config/key_file.ts";
import { type MonitorNode, parseMonitorNode } from "../config/monitor_node.ts";
import { type OperatorNetwork, parseOperatorNetwork } from "../config/operator_network.ts";
import { readPrivateFile } from "../config/private_file.ts";
import { loadTimestampIdentity } from "../config/timestamp_identity.ts";
import { isTimestampKeyFile, readTimestampSigner } from "../config/timestamp_key_file.ts";
import { parseSignerNode } from "../config/signer_node.ts";
import { loadStoreSecrets } from "../config/store_database.ts";
import { readBytesFile, readTextFile } from "../config/text_file.ts";
import { invalid, namingFile } from "../config/validation.ts";
import { parseWitnessNode, type WitnessNode } from "../config/witness_node.ts";
import { CountersignError, expectedError } from "../base/errors.ts";
import type { NetworkConfiguration } from "../proof/format/network.ts";
import { mlDsaLogKey, mlDsaWitnessKey } from "../proof/format/network_check.ts";
import { parseNetwork } from "../proof/format/network_reader.ts";
import { parseVkey } from "../proof/format/note_key.ts";
import { type JsonObject, parseStrictJson } from "../proof/format/strict_json.ts";
import { exists } from "../server/files.ts";
import { CertificateWatch } from "../server/gateway/certificate_watch.ts";
import { monitoredLog } from "../server/monitor/monitored_logs.ts";
import { FetchAnchorHttp } from "../http/outgoing/anchor_http.ts";
import type { CommandContext } from "./command_context.ts";

export interface CheckedFile {
  /** Absolute path. */
  readonly file: string;
  /** Such as "witness of log.example"; empty if it is not known. */
  readonly what: string;
  readonly problems: readonly CountersignError[];
  /** Things to do, although nothing is wrong. */
  readonly notes: readonly string[];
  readonly network?: NetworkConfiguration;
  /** Tokens of remote witnesses by id. */
  readonly tokens?: ReadonlyMap<string, string>;
  readonly witness?: {
    readonly node: WitnessNode;
    /** Absent if the key cannot be read. */
    readonly publicKey?: Uint8Array;
    readonly mlDsaPublicKey?: Uint8Array;
  };
}

/** Members by which a kind of file is known, in this order. */
const KINDS = [
  ["log_key_file", "network"],
  ["state_file", "witness"],
  ["state_folder", "monitor"],
  ["key_file", "witness"],
  ["rotation", "issuer"],
  ["witnesses", "public"],
  ["socket", "signer"],
  ["tls_key_file", "signer"],
  ["keys", "api_keys"],
  ["age_file", "key"],
  ["signer", "key"],
] as const;

type Kind = (typeof KINDS)[number][1];

/** Checks the file at absolute path `file`; never rejects for a fault of the file. */
export async function checkFile(
  file: string,
  context: CommandContext,
  options: { readonly insecure: boolean },
): Promise<CheckedFile> {
  try {
    const kind = kindOf(file, await readTextFile(file));
    return await CHECKS[kind](file, context, options);
  } catch (error) {
    return { file, what: "", problems: [expectedError(error)], notes: [] };
  }
}

function kindOf(file: string, text: string): Kind {
  const code = "malformed_configuration";
  const value = parseStrictJson(text, code, Infinity, `JSON of ${file}`);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const kind = KINDS.find(([member]) => isObject && Object.hasOwn(value as JsonObject, member));
  if (kind !== undefined) return kind[1];
  throw new CountersignError(
    code,
    `Cannot read ${file}: it is not a configuration. It needs log_key_file (gateway), ` +
      "key_file (witness), rotation (issuer), state_folder (monitor), witnesses (public configuration), " +
      "socket or tls_key_file (signer), keys (API keys), age_file or signer (key file)",
  );
}

type Check = (
  file: string,
  context: CommandContext,
  options: { readonly insecure: boolean },
) => Promise<CheckedFile>;

const CHECKS: Readonly<Record<Kind, Check>> = {
  network: checkOperatorNetwork,
  witness: checkWitnessNode,
  async issuer(file) {
    const { name } = parseIssuerNode(await readPrivateFile(file), file);
    return { file, what: `issuer ${name}`, problems: [], notes: [] };
  },
  signer: checkSignerNode,
  async api_keys(file) {
    await readApiKeys(file);
    return { file, what: "API keys", problems: [], notes: [] };
  },
  async key(file, context) {
    const reading = keyReading(context);
    if (await isTimestampKeyFile(file, reading)) {
      await readTimestampSigner(file, reading);
      return { file, what: "key of a time-stamp authority", problems: [], notes: [] };
    }
    const { kind, name } = await readSigner(file, reading);
    return { file, what: `${kind} key of ${name}`, problems: [], notes: [] };
  },
  async monitor(file, context) {
    const node = parseMonitorNode(await readTextFile(file), file);
    const problems = await problemsOf(monitorChecks(node, context));
    return { file, what: `monitor of ${node.logs.length} logs`, problems, notes: [] };
  },
  async public(file, { crypto }) {
    const text = await readTextFile(file);
    const parsed = namingFile(file, () => parseNetwork(text, crypto.bls));
    const network = await withCarriedChain(crypto, parsed);
    const notes = unreadMembers(parseStrictJson(text, "malformed_configuration"), parsed)
      .map((member) => `verifiers ignore the unknown member ${member}`);
    return { file, what: `public configuration of ${network.id}`, problems: [], notes, network };
  },
};

/** The members of `value` that `read`, which has the known ones, lacks; not those of a succession. */
function unreadMembers(value: unknown, read: unknown, path = ""): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, i) =>
      unreadMembers(item, (read as readonly unknown[])[i], `${path}[${i}]`)
    );
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === "" ? name : `${path}.${name}`;
    if (!Object.hasOwn(read as object, name)) return [at];
    return at === "succession" ? [] : unreadMembers(member, (read as JsonObject)[name], at);
  });
}

/** Reads keys without a report: nothing is signed. */
function keyReading({ io, crypto: { bls } }: CommandContext): KeyReading {
  return { bls, env: (name) => io.env(name), report: () => {} };
}

async function checkOperatorNetwork(
  file: string,
  context: CommandContext,
  { insecure }: { readonly insecure: boolean },
): Promise<CheckedFile> {
  const { crypto: { bls }, process: { clock } } = context;
  const operator = parseOperatorNetwork(await readPrivateFile(file), file, { insecure, bls });
  const { network, store, apiKeys, publish, timestamping } = operator;
  const keys = keyReading(context);
  const notes: string[] = [];
  const problems = await problemsOf([
    ...keyChecks(operator, keys),
    () => loadFederation(network, operator.federation, keys),
    () =>
      configureAnchors(operator.anchors, {
        http: new FetchAnchorHttp({ insecure }),
        clock,
        insecure,
        readFile: (path) => readBytesFile(resolve(dirname(file), path)),
      }),
    () => apiKeys === undefined ? undefined : readApiKeys(apiKeys.file),
    async () => {
      if (timestamping === undefined) return;
      const { certificates } = await loadTimestampIdentity(timestamping, keys);
      const { warning } = new CertificateWatch(certificates, { clock, report: keys.report });
      if (warning !== undefined) notes.push(warning);
    },
    () => store && loadStoreSecrets(store, keys),
    () => operator.operator?.token && loadToken(operator.operator.token, keys),
    () => publish?.kind === "bucket" && loadToken(publish.secretAccessKey, keys),
  ]);
  const tokens = operator.witnesses.filter((witness) => witness.kind === "remote")
    .map(({ id, token }) => [id, token] as const);
  const what = `gateway of ${network.id}`;
  return { file, what, problems, notes, network, tokens: new Map(tokens) };
}

async function checkWitnessNode(
  file: string,
  context: CommandContext,
): Promise<CheckedFile> {
  const keys = keyReading(context);
  const node = parseWitnessNode(await readPrivateFile(file), file);
  const found: FoundKeys = {};
  const problems = await problemsOf([...witnessKeyChecks(node, keys, found), async () => {
    const { keyFile, certFile, caFile } = node.bastion ?? {};
    if (keyFile !== undefined) await readPrivateFile(keyFile);
    for (const path of [certFile, caFile]) if (path !== undefined) await readTextFile(path);
  }]);
  const notes = await exists(node.stateFile) ? [] : [
    `${node.stateFile} does not exist: a witness that has signed has lost it ("A witness whose state ` +
    'is lost" in docs/operating.md), and a new one is started once with --adopt --size 0',
  ];
  const witness = { node, ...found };
  return { file, what: `witness ${node.id} of ${node.networkId}`, problems, notes, witness };
}

async function checkSignerNode(file: string, context: CommandContext): Promise<CheckedFile> {
  const { address, token, keyFiles, tsaKeys } = parseSignerNode(await readPrivateFile(file), file);
  const secrets = keyReading(context);
  const problems = await problemsOf([
    () => loadToken(token, secrets),
    ...keyFiles.map((path) => () => readAnySigner(path, secrets)),
    ...tsaKeys.map(({ keyFile }) => () => readTimestampSigner(keyFile, secrets)),
    () => address.kind === "https" && readTextFile(address.certFile),
    () => address.kind === "https" && readPrivateFile(address.keyFile),
  ]);
  return { file, what: "signer", problems, notes: [] };
}

async function problemsOf(checks: readonly (() => unknown)[]): Promise<CountersignError[]> {
  const problems: CountersignError[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      problems.push(expectedError(error));
    }
  }
  return problems;
}

/** Contradictions between a witness's file and the configurations of its network. */
export function contradictions(checked: readonly CheckedFile[]): CountersignError[] {
  return checked.flatMap(({ file, witness }) =>
    witness === undefined ? [] : checked.flatMap((other) => {
      const problem = contradiction(witness, other);
      return problem === undefined ? [] : [invalid(file, `${problem} (${other.file})`)];
    })
  );
}

function contradiction(
  { node, publicKey, mlDsaPublicKey }: NonNullable<CheckedFile["witness"]>,
  { network, tokens }: CheckedFile,
): string | undefined {
  if (network?.id !== node.networkId) return undefined;
  const entry = network.witnesses.find(({ id }) => id === node.id);
  if (entry === undefined) return `${network.id} has no witness ${node.id}`;
  if (publicKey !== undefined && !equalBytes(publicKey, fromHex(entry.pubkey))) {
    return `the network's key for ${node.id} is not the one in ${node.keyFile}`;
  }
  const mlDsaKey = mlDsaWitnessKey(entry);
  if (mlDsaKey !== undefined && node.mlDsaKeyFile === undefined) {
    return `the network has an ML-DSA-44 key for ${node.id}, and the file no ml_dsa_key_file`;
  }
  const isOther = mlDsaKey !== undefined && mlDsaPublicKey !== undefined &&
    !equalBytes(mlDsaKey.publicKey, mlDsaPublicKey);
  if (isOther) {
    return `the network's ML-DSA-44 key for ${node.id} is not the one in ${node.mlDsaKeyFile}`;
  }
  const own = node.logs.find(({ origin }) => origin === network.id)!;
  const { log_vkey } = network;
  if (
    log_vkey !== undefined && !equalBytes(parseVkey(log_vkey).publicKey, own.keys[0]!.publicKey)
  ) {
    return "its vkey for the log is not the network's log_vkey";
  }
  const token = tokens?.get(node.id);
  if (token !== undefined && token !== node.token) {
    return "its token is not the gateway's";
  }
  return undefined;
}

/** Checks of the files and secrets that a monitor names; each rejects for a fault. */
function monitorChecks(
  { logs, webhook }: MonitorNode,
  { io, crypto, process: { clock } }: CommandContext,
): (() => unknown)[] {
  return [
    ...logs.map((log) => () => monitoredLog({ crypto, clock }, log)),
    () => webhook && loadToken(webhook.secret, { env: (name) => io.env(name) }),
  ];
}

/** Each reads one key, and rejects if it cannot be used or is not the configured one. */
function keyChecks(
  { network, logKeyFile, logMlDsaKeyFile, witnesses }: OperatorNetwork,
  reading: KeyReading,
): (() => unknown)[] {
  return [
    () => readLogSigner(logKeyFile, parseVkey(network.log_vkey), reading),
    () => logMlDsaKeyFile && readMlDsaSigner(logMlDsaKeyFile, mlDsaLogKey(network)!, reading),
    ...witnesses.flatMap((witness, i) => {
      if (witness.kind === "remote") return [];
      const { keyFile, mlDsaKeyFile } = witness;
      const key = network.witnesses[i]!;
      const expected = { name: key.id, publicKey: fromHex(key.pubkey) };
      return [
        () => readWitnessSigner(keyFile, expected, reading),
        () => mlDsaKeyFile && readMlDsaSigner(mlDsaKeyFile, mlDsaWitnessKey(key)!, reading),
      ];
    }),
  ];
}

/** The public keys that the files of a witness hold, as far as they can be read. */
interface FoundKeys {
  publicKey?: Uint8Array;
  mlDsaPublicKey?: Uint8Array;
}

/** Each reads one key of a witness into `found`, or rejects as {@linkcode keyChecks}. */
function witnessKeyChecks(
  { id: name, keyFile, mlDsaKeyFile }: WitnessNode,
  reading: KeyReading,
  found: FoundKeys,
): (() => Promise<void>)[] {
  return [async () => {
    found.publicKey = (await readWitnessSigner(keyFile, { name }, reading)).publicKey;
  }, async () => {
    if (mlDsaKeyFile === undefined) return;
    found.mlDsaPublicKey = (await readMlDsaSigner(mlDsaKeyFile, { name }, reading)).publicKey;
  }];
}
