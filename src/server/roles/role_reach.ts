/**
 * The resources that a role uses: a pure function of its configuration.
 *
 * @module
 */

import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { followedIssuers } from "../../config/admission.ts";
import type { ListenerAddress } from "../../config/listeners.ts";
import { listenerAddress, socketsAddress } from "../../config/gateway_listeners.ts";
import type { OperatorNetwork } from "../../config/operator_network.ts";
import type { SecretSource } from "../../config/settings.ts";
import { storeFiles } from "../../config/store_database.ts";
import type { SignerNode } from "../../config/signer_node.ts";
import { PAGE_URLS } from "../../http/gateway/explorer_assets.ts";
import { HOST_ID_FILE } from "../../storage/store_location.ts";
import { witnessStateFiles } from "../../storage/witness/witness_state.ts";
import { databaseFiles, type DataPaths, successionFile, successorFile } from "../data_paths.ts";
import type { IssuerOptions, ServeOptions } from "./role_options.ts";

/** The resources that a role uses. */
export interface Reach {
  readonly listeners: readonly ListenerAddress[];
  /** URLs of services. */
  readonly services: readonly string[];
  /** The address of a database. */
  readonly database?: ListenerAddress;
  /** Absolute paths of files. */
  readonly reads: readonly string[];
  /** Absolute paths of files and folders that are read and written. */
  readonly writes: readonly string[];
  /** Environment variables. */
  readonly variables: readonly string[];
  /** Names of `--allow-sys`. */
  readonly systemInfo?: readonly "statfs"[];
}

/** The reach of a signer with its configuration in `file`, without that of its key files. */
export function signerReach(node: SignerNode, file: string): Reach {
  const { address, keyFiles, tsaKeys, token } = node;
  const isSocket = address.kind === "socket";
  return {
    listeners: isSocket ? [] : [address],
    services: isSocket ? [`unix:${address.path}`] : [],
    reads: [
      file,
      ...keyFiles,
      ...tsaKeys.map(({ keyFile }) => keyFile),
      ...(isSocket ? [] : [address.certFile, address.keyFile]),
      ...(token.kind === "file" ? [token.path] : []),
    ],
    writes: isSocket ? [address.path] : [],
    variables: [...COMMON_VARIABLES, ...variablesOf([token])],
  };
}

/** The reach of an issuer. `data` is an absolute path. */
export function issuerReach({ host, port, data }: IssuerOptions): Reach {
  return {
    listeners: [{ host, port }],
    services: [],
    reads: [],
    writes: [data],
    variables: COMMON_VARIABLES,
  };
}

type ListenOptions = Pick<ServeOptions, "host" | "port" | "operatorPort" | "eventSocketsPort">;

/** The reach of a gateway; `operator` is absent if its trial network is not created yet. */
export function gatewayReach(
  operator: OperatorNetwork | undefined,
  options: ListenOptions,
  { dataFolder, networkFile }: DataPaths,
): Reach {
  const secrets = operator === undefined ? [] : secretsOf(operator);
  return {
    listeners: listenersOf(operator, options),
    services: operator === undefined ? [] : servicesOf(operator),
    ...databaseOf(operator),
    reads: [
      networkFile,
      successorFile({ networkFile }),
      successionFile({ networkFile }),
      HOST_ID_FILE,
      ...pageFiles(),
      ...(operator === undefined ? [] : filesOf(operator, dirname(networkFile))),
      ...secrets.flatMap((secret) => secret.kind === "file" ? [secret.path] : []),
    ],
    writes: [dataFolder, ...(operator === undefined ? [] : statesOf(operator))],
    variables: [...COMMON_VARIABLES, ...variablesOf(secrets)],
    // For the free space of the disk.
    systemInfo: ["statfs"],
  };
}

/** The reach of the sequencer's thread with fronts: it listens only for operators and peers. */
export function sequencerReach(
  operator: OperatorNetwork | undefined,
  options: ListenOptions,
  paths: DataPaths,
): Reach {
  const reach = gatewayReach(operator, options, paths);
  const page = new Set(pageFiles());
  const address = listenerAddress(operator?.operator, options.operatorPort);
  const listeners = address === undefined ? [] : [address];
  return { ...reach, listeners, reads: reach.reads.filter((file) => !page.has(file)) };
}

/** The reach of a front. */
export function frontReach(
  operator: OperatorNetwork | undefined,
  options: ListenOptions,
  { dataFolder }: Pick<DataPaths, "dataFolder">,
): Reach {
  const { eventSockets, store } = operator ?? {};
  const clients = { ...options, operatorPort: undefined };
  return {
    listeners: listenersOf({ ...(eventSockets !== undefined && { eventSockets }) }, clients),
    services: [],
    ...databaseOf(operator),
    reads: [
      ...pageFiles(),
      ...(operator === undefined ? [] : timestampFilesOf(operator)),
      ...(store === undefined
        ? databaseFiles(dataFolder).flatMap((file) => [file, `${file}-wal`, `${file}-shm`])
        : storeFiles(store)),
    ],
    writes: [],
    variables: [...COMMON_VARIABLES, ...variablesOf([store?.password])],
  };
}

function listenersOf(
  configured: Pick<OperatorNetwork, "operator" | "eventSockets"> | undefined,
  options: ListenOptions,
): ListenerAddress[] {
  const { host, port, operatorPort } = options;
  return [
    { host, port },
    listenerAddress(configured?.operator, operatorPort),
    socketsAddress(configured?.eventSockets, options),
  ].filter((address) => address !== undefined);
}

function pageFiles(): string[] {
  return PAGE_URLS.map((url) => fileURLToPath(url));
}

/** See no-color.org. */
export const COMMON_VARIABLES = ["NO_COLOR"];

function servicesOf(operator: OperatorNetwork): string[] {
  const { witnesses, federation, anchors, beacon, admission } = operator;
  const { publish: publishing, witnessing } = operator;
  return [
    ...witnesses.flatMap((witness) => witness.kind === "remote" ? [witness.url] : []),
    ...federation.peers.flatMap(({ federationUrl }) => federationUrl ?? []),
    // Peers that are followed.
    ...federation.peers.flatMap(({ configFile, gatewayUrl }) =>
      configFile !== undefined && gatewayUrl !== undefined ? [gatewayUrl] : []
    ),
    ...anchors.flatMap(({ reach }) => reach.urls),
    ...(witnessing?.witnesses ?? []).map(({ url }) => url),
    ...beacon?.relays ?? [],
    ...followedIssuers(admission).map(({ url }) => url),
    ...(publishing?.kind === "bucket" ? [publishing.place.endpoint] : []),
  ];
}

function databaseOf(operator: OperatorNetwork | undefined): Pick<Reach, "database"> {
  const { store } = operator ?? {};
  return store ? { database: { host: store.host, port: store.port } } : {};
}

/** The key files that a gateway reads. */
export function keyFilesOf(
  { logKeyFile, logMlDsaKeyFile, witnesses }: OperatorNetwork,
): string[] {
  return [
    logKeyFile,
    logMlDsaKeyFile,
    ...witnesses.flatMap((one) => one.kind === "embedded" ? [one.keyFile, one.mlDsaKeyFile] : []),
  ].filter((file) => file !== undefined);
}

/** The key file of the time-stamp authority, which each thread reads that answers clients. */
export function timestampKeyFilesOf({ timestamping }: OperatorNetwork): string[] {
  return timestamping === undefined ? [] : [timestamping.keyFile];
}

/** The key and the certificates of the time-stamp authority. */
function timestampFilesOf({ timestamping }: OperatorNetwork): string[] {
  return timestamping === undefined ? [] : [timestamping.keyFile, timestamping.certificatesFile];
}

/** The reach that a succession may add: witnesses and keys. */
export function signersReach(operator: OperatorNetwork): Reach {
  const { witnesses } = operator;
  return {
    listeners: [],
    services: witnesses.flatMap((witness) => witness.kind === "remote" ? [witness.url] : []),
    reads: keyFilesOf(operator),
    writes: witnesses.flatMap((witness) =>
      witness.kind === "embedded" ? witnessStateFiles(witness.stateFile) : []
    ),
    variables: [],
  };
}

function filesOf(operator: OperatorNetwork, folder: string): string[] {
  const { federation, anchors, store, apiKeys } = operator;
  return [
    ...keyFilesOf(operator),
    ...timestampFilesOf(operator),
    ...(apiKeys === undefined ? [] : [apiKeys.file]),
    ...(store === undefined ? [] : storeFiles(store)),
    ...federation.peers.flatMap(({ configFile, successionFile }) =>
      [configFile, successionFile].filter((file) => file !== undefined)
    ),
    ...anchors.flatMap(({ reach }) => reach.files.map((file) => resolve(folder, file))),
  ];
}

function statesOf({ witnesses, publish: publishing }: OperatorNetwork): string[] {
  return [
    ...witnesses.flatMap((witness) =>
      witness.kind === "embedded" ? witnessStateFiles(witness.stateFile) : []
    ),
    ...(publishing?.kind === "directory" ? [publishing.path] : []),
  ];
}

function secretsOf(
  { operator, federation, publish: publishing, store }: OperatorNetwork,
): SecretSource[] {
  return [
    operator?.token,
    ...federation.peers.flatMap(({ token, acceptToken, acceptPreviousToken }) => [
      token,
      acceptToken,
      acceptPreviousToken,
    ]),
    store?.password,
    publishing?.kind === "bucket" ? publishing.secretAccessKey : undefined,
  ].filter((secret) => secret !== undefined);
}

function variablesOf(secrets: readonly (SecretSource | undefined)[]): string[] {
  return secrets.flatMap((secret) => secret?.kind === "environment" ? [secret.name] : []);
}
