/**
 * A store that the command line names.
 *
 * @module
 */

import { loadToken } from "../../config/bearer_tokens.ts";
import { parseKvConnectUrl, parseStoreUrl } from "../../config/store_database.ts";
import { CountersignError } from "../../errors.ts";
import { DatabasePlace } from "../../server/database_place.ts";
import { storeAccess } from "../../server/gateway/gateway_stores.ts";
import { LocalPlace, type LogPlace, RemotePlace } from "../../server/log_place.ts";
import { argumentValue, type CommandContext } from "../command_context.ts";

/** How to connect to a store. */
export interface ConnectChoice {
  /** The option that names a file with the token or password, for messages. */
  readonly option: string;
  readonly file: string | undefined;
  /** The variable with the token or password, without such a file. */
  readonly variable: string;
  /** A file with the certificates to trust. */
  readonly ca: string | undefined;
  /** Allows connections to other machines in clear text. */
  readonly insecure: boolean;
}

/**
 * The place of `text`, a folder or a URL. `usage` for a wrong URL or a missing token; rejects like
 * `loadToken`.
 */
export async function namedPlace(
  text: string,
  { option, file, variable, ca, insecure }: ConnectChoice,
  { io, output }: CommandContext,
): Promise<LogPlace> {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return new LocalPlace(io.resolvePath(text));
  const source = file !== undefined
    ? { kind: "file", path: io.resolvePath(file) } as const
    : io.env(variable) !== undefined
    ? { kind: "environment", name: variable } as const
    : undefined;
  if (/^postgres(ql)?:/i.test(text)) {
    const database = {
      ...argumentValue(() => parseStoreUrl(text, { insecure })),
      ...(source !== undefined && { password: source }),
      ...(ca !== undefined && { caFile: io.resolvePath(ca) }),
    };
    return new DatabasePlace(await storeAccess(database, io), (line) => output.note(line));
  }
  const url = argumentValue(() => parseKvConnectUrl(text, { insecure }));
  if (source === undefined) {
    throw new CountersignError(
      "usage",
      `The store "${url}" needs a token: name its file with ${option}, or set ${variable}`,
    );
  }
  return new RemotePlace({ url, token: await loadToken(source, { env: (name) => io.env(name) }) });
}
