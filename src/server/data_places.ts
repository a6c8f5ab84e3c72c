/**
 * Where a gateway has its configuration and its data.
 *
 * @module
 */

import { dirname, join } from "node:path";
import type { CliIo } from "./io.ts";
import { fileNameOf } from "./files.ts";

/** The folder of the trial network where nothing else is named. */
const TRIAL_FOLDER = "countersign-data";

/** What the command line says, as typed. */
export interface PlaceOptions {
  readonly data?: string | undefined;
  /** An operator's `network.json`. */
  readonly config?: string | undefined;
}

/** Where a gateway finds its configuration and keeps its data: absolute paths. */
export interface Places {
  readonly dataFolder: string;
  readonly networkFile: string;
  /** Whether the network file may be made. */
  readonly isTrial: boolean;
}

/** The places of `options`: without a configuration they are those of a trial network. */
export function placesOf(options: PlaceOptions, io: CliIo): Places {
  if (options.config === undefined) {
    const dataFolder = io.resolvePath(options.data ?? TRIAL_FOLDER);
    return { dataFolder, networkFile: join(dataFolder, "network", "network.json"), isTrial: true };
  }
  const networkFile = io.resolvePath(options.config);
  const dataFolder = options.data === undefined
    ? join(dirname(networkFile), "data")
    : io.resolvePath(options.data);
  return { dataFolder, networkFile, isTrial: false };
}

/** Files in a data folder: the log's store, what others say of it, what
 * an issuer that is followed showed last, and what their holder locks. */
export const storeFile = (dataFolder: string): string => join(dataFolder, "store.kv");
export const anchorsFile = (dataFolder: string): string => join(dataFolder, "anchors.kv");
export const databaseFiles = (dataFolder: string): readonly string[] =>
  [storeFile, anchorsFile].map((file) => file(dataFolder));
export const directoryFile = (dataFolder: string, issuer: string): string =>
  join(dataFolder, `issuer-${fileNameOf(issuer)}.json`);
export const lockFile = (dataFolder: string): string => join(dataFolder, "lock");
