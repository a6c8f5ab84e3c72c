/**
 * The resources that a witness uses: a pure function of its configuration.
 *
 * @module
 */

import { dirname } from "node:path";
import type { WitnessNode } from "../../config/witness_node.ts";
import { HOST_ID_FILE } from "../../storage/store_location.ts";
import { witnessStateFiles } from "../../storage/witness/witness_state.ts";
import { quotaPath } from "../witness/quota_file.ts";
import { COMMON_VARIABLES, type Reach } from "./role_reach.ts";

/** The reach of a witness with its configuration in `file`. */
export function witnessReach(node: WitnessNode, file: string): Reach {
  const { host, port, keyFile, mlDsaKeyFile, stateFile, succession: successionFile } = node;
  const { logsFile, logLists, bastion, metrics } = node;
  const others = [
    mlDsaKeyFile,
    successionFile,
    logsFile,
    bastion?.certFile,
    bastion?.keyFile,
    bastion?.caFile,
  ].filter((path) => path !== undefined);
  return {
    listeners: [{ host, port }, ...(metrics === undefined ? [] : [metrics])],
    services: [...(bastion === undefined ? [] : [bastion.url.href]), ...logLists?.urls ?? []],
    reads: [file, keyFile, HOST_ID_FILE, ...others],
    writes: [
      ...witnessStateFiles(stateFile),
      quotaPath(stateFile),
      ...(logLists === undefined ? [] : [dirname(logsFile!)]),
    ],
    variables: COMMON_VARIABLES,
  };
}
