/**
 * Paths of a gateway's configuration and data.
 *
 * @module
 */

import { dirname, join } from "node:path";
import type { CliIo } from "./io.ts";
import { fileNameOf } from "./files.ts";

/** The default folder of a trial network. */
const TRIAL_FOLDER = "countersign-data";

/** The options that name them. */
export interface DataPathOptions {
  readonly data?: string | undefined;
  /** An operator's `network.json`. */
  readonly config?: string | undefined;
}

/** Absolute paths. */
export interface DataPaths {
  readonly dataFolder: string;
  readonly networkFile: string;
  /** True if the network file is created when it is missing. */
  readonly isTrial: boolean;
}

/** The paths of `options`; those of a trial network without `config`. */
export function dataPathsOf(options: DataPathOptions, io: CliIo): DataPaths {
  if (options.config === undefined) {
    const dataFolder = io.resolvePath(options.data ?? TRIAL_FOLDER);
    return { dataFolder, networkFile: trialNetworkFile(dataFolder), isTrial: true };
  }
  const networkFile = io.resolvePath(options.config);
  const dataFolder = options.data === undefined
    ? join(dirname(networkFile), "data")
    : io.resolvePath(options.data);
  return { dataFolder, networkFile, isTrial: false };
}

export const trialNetworkFile = (dataFolder: string): string =>
  join(dataFolder, "network", "network.json");

/** Beside `network.json`: the configuration of the next epoch, and the succession that leads to it. */
export const successorFile = ({ networkFile }: Pick<DataPaths, "networkFile">): string =>
  join(dirname(networkFile), "successor.json");
export const successionFile = ({ networkFile }: Pick<DataPaths, "networkFile">): string =>
  join(dirname(networkFile), "succession.json");

export const storeFile = (dataFolder: string): string => join(dataFolder, "store.kv");
export const anchorsFile = (dataFolder: string): string => join(dataFolder, "anchors.kv");
export const databaseFiles = (dataFolder: string): readonly string[] =>
  [storeFile, anchorsFile].map((file) => file(dataFolder));
export const directoryFile = (dataFolder: string, issuer: string): string =>
  join(dataFolder, `issuer-${fileNameOf(issuer)}.json`);
export const lockFile = (dataFolder: string): string => join(dataFolder, "lock");
