/**
 * What a role may reach, which is what its configuration names: a pure function of it.
 *
 * @module
 */

import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { followedIssuers } from "../config/admission.ts";
import { listenerAddress } from "../config/listeners.ts";
import type { OperatorNetwork } from "../config/operator_network.ts";
import type { SecretSource } from "../config/bearer_tokens.ts";
import type { WitnessNode } from "../config/witness_node.ts";
import { PAGE_URLS } from "../http/explorer_assets.ts";
import { HOST_ID_FILE } from "../storage/store_location.ts";
import { witnessStateFiles } from "../storage/witness_state.ts";
import type { Places } from "./data_places.ts";
import type { IssuerOptions } from "./issuer_options.ts";
import type { ServeOptions } from "./gateway_options.ts";

/** Everything beyond its own memory that a role uses. */
export interface Reach {
  readonly listeners: readonly Address[];
  /** URLs of services that are asked. */
  readonly services: readonly string[];
  /** Absolute paths of files that are read. */
  readonly reads: readonly string[];
  /** Absolute paths of files that are read and written, and of folders of such. */
  readonly writes: readonly string[];
  /** Variables of the environment. */
  readonly variables: readonly string[];
  /** Figures of the system, as `--allow-sys` names them. */
  readonly figures?: readonly "statfs"[];
}

/** Where a role listens. */
export interface Address {
  /** As it is configured: a name, or an address without brackets. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** The reach of a witness whose configuration stands in `file`. */
export function witnessReach(node: WitnessNode, file: string): Reach {
  const { host, port, keyFile, stateFile } = node;
  return {
    listeners: [{ host, port }],
    services: [],
    reads: [file, keyFile],
    writes: witnessStateFiles(stateFile),
    variables: COMMON_VARIABLES,
  };
}

/** The reach of an issuer, whose folder is an absolute path. */
export function issuerReach({ host, port, data }: IssuerOptions): Reach {
  return {
    listeners: [{ host, port }],
    services: [],
    reads: [],
    writes: [data],
    variables: COMMON_VARIABLES,
  };
}

/** The reach of a gateway, of one whose trial network is still to be made without `operator`. */
export function gatewayReach(
  operator: OperatorNetwork | undefined,
  options: Pick<ServeOptions, "host" | "port" | "operatorPort" | "eventSocketsPort">,
  { dataFolder, networkFile }: Places,
): Reach {
  const { host, port } = options;
  const operators = listenerAddress(operator?.operator, options.operatorPort);
  const eventSockets = listenerAddress(operator?.eventSockets, options.eventSocketsPort);
  const secrets = operator === undefined ? [] : secretsOf(operator);
  return {
    listeners: [{ host, port }, operators, eventSockets].filter((one) => one !== undefined),
    services: operator === undefined ? [] : servicesOf(operator),
    reads: [
      networkFile,
      HOST_ID_FILE,
      ...PAGE_URLS.map((url) => fileURLToPath(url)),
      ...(operator === undefined ? [] : filesOf(operator, dirname(networkFile))),
      ...secrets.flatMap((secret) => secret.kind === "file" ? [secret.path] : []),
    ],
    writes: [dataFolder, ...(operator === undefined ? [] : statesOf(operator))],
    variables: [
      ...COMMON_VARIABLES,
      ...secrets.flatMap((secret) => secret.kind === "environment" ? [secret.name] : []),
    ],
    // How much space the disk of the data folder has left.
    figures: ["statfs"],
  };
}

/** Whether a log in a terminal has colours (no-color.org). */
const COMMON_VARIABLES = ["NO_COLOR"];

function servicesOf(operator: OperatorNetwork): string[] {
  const { witnesses, federation, anchors, beacon, admission } = operator;
  return [
    ...witnesses.flatMap((witness) => witness.kind === "remote" ? [witness.url] : []),
    ...federation.peers.flatMap(({ outbound }) => outbound === undefined ? [] : [outbound.url]),
    ...anchors.flatMap(({ reach }) => reach.urls),
    ...beacon?.relays ?? [],
    ...followedIssuers(admission).map(({ url }) => url),
  ];
}

function filesOf(operator: OperatorNetwork, folder: string): string[] {
  const { logKeyFile, witnesses, federation, anchors } = operator;
  return [
    logKeyFile,
    ...witnesses.flatMap((witness) => witness.kind === "embedded" ? [witness.keyFile] : []),
    ...federation.peers.flatMap(({ configFile }) => configFile === undefined ? [] : [configFile]),
    ...anchors.flatMap(({ reach }) => reach.files.map((file) => resolve(folder, file))),
  ];
}

function statesOf({ witnesses }: OperatorNetwork): string[] {
  return witnesses.flatMap((witness) =>
    witness.kind === "embedded" ? witnessStateFiles(witness.stateFile) : []
  );
}

function secretsOf({ operator, federation }: OperatorNetwork): SecretSource[] {
  return [
    operator?.token,
    ...federation.peers.flatMap(({ outbound, accept }) => [
      outbound?.token,
      accept?.token,
      accept?.previous?.token,
    ]),
  ].filter((secret) => secret !== undefined);
}
