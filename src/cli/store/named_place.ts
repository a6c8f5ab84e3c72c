/**
 * A store that the command line names.
 *
 * @module
 */

import { parseStoreUrl } from "../../config/store_database.ts";
import { DatabasePlace } from "../../server/database_place.ts";
import { storeAccess } from "../../server/gateway/gateway_stores.ts";
import { LocalPlace, type LogPlace } from "../../server/log_place.ts";
import { argumentValue, type CommandContext } from "../command_context.ts";

/** How to connect to a store. */
export interface ConnectChoice {
  /** A file with the password. */
  readonly file: string | undefined;
  /** The variable with the password, without such a file. */
  readonly variable: string;
  /** A file with the certificates to trust. */
  readonly ca: string | undefined;
  /** Allows connections to other machines in clear text. */
  readonly insecure: boolean;
}

/** The place of `text`, a folder or a URL. `usage` for a wrong URL; rejects like `loadPassword`. */
export async function namedPlace(
  text: string,
  { file, variable, ca, insecure }: ConnectChoice,
  { io, output }: CommandContext,
): Promise<LogPlace> {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return new LocalPlace(io.resolvePath(text));
  const password = file !== undefined
    ? { kind: "file", path: io.resolvePath(file) } as const
    : io.env(variable) !== undefined
    ? { kind: "environment", name: variable } as const
    : undefined;
  const database = {
    ...argumentValue(() => parseStoreUrl(text, { insecure })),
    ...(password !== undefined && { password }),
    ...(ca !== undefined && { caFile: io.resolvePath(ca) }),
  };
  return new DatabasePlace(await storeAccess(database, io), (line) => output.note(line));
}
