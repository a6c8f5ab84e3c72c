/**
 * The database that `network.json` names for the store; without one, the store is in the data folder:
 *
 *     "store": "postgres://USER@HOST:PORT/DATABASE"
 *     "store_password_file"? or "store_password_env"?, "store_ca_file"?
 *
 * The URL may have the parameter `sslmode`, `verify-full` or `disable`. Connections to other machines are
 * encrypted, and the server's certificate is verified.
 *
 * @module
 */

import type { Fields } from "../proof/format/fields.ts";
import { isLoopbackName, percentDecoded, urlOf } from "../proof/format/service_url.ts";
import { loadPassword, readSecretSource, secretMembers } from "./bearer_tokens.ts";
import type { SecretReading, SecretSource } from "./bearer_tokens.ts";
import { type Members, optional } from "./members.ts";
import { readTextFile } from "./text_file.ts";
import { invalid } from "./validation.ts";

const DEFAULT_PORT = 5432;
const MEMBER = "store";
const PASSWORD = "store_password";
const CA_FILE = "store_ca_file";

/** All members of a configuration that are read here. */
export const STORE_MEMBERS: Members = {
  [MEMBER]: optional(
    "postgres://USER@HOST:PORT/DATABASE",
    "Database of the log. The parameter sslmode is verify-full or disable.",
    { standard: "files in the data folder" },
  ),
  ...secretMembers(PASSWORD, "the password of the database"),
  [CA_FILE]: optional("path", "Certificates (PEM) to trust in the database's TLS."),
};

/** A database as configured. */
export interface PostgresDatabase {
  /** A name or an address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly tls: boolean;
  readonly password?: SecretSource;
  /** Absolute path. */
  readonly caFile?: string;
}

/** The files of a connection to `store`. */
export function storeFiles({ caFile, password }: PostgresDatabase): string[] {
  return [
    ...(caFile === undefined ? [] : [caFile]),
    ...(password?.kind === "file" ? [password.path] : []),
  ];
}

/** The member `store` and its companions, `undefined` if absent. `invalid_configuration`. */
export function readStoreDatabase(
  network: Fields,
  { pathOf, insecure }: { readonly pathOf: (path: string) => string; readonly insecure: boolean },
): PostgresDatabase | undefined {
  if (!network.has(MEMBER)) {
    const found = Object.keys(STORE_MEMBERS).find((name) => network.has(name));
    if (found !== undefined) throw invalid(network.where, `it has ${found} without ${MEMBER}`);
    return undefined;
  }
  const address = parseStoreUrl(network.text(MEMBER), { insecure });
  const password = readSecretSource(network, PASSWORD, pathOf);
  const caFile = network.has(CA_FILE) ? pathOf(network.text(CA_FILE)) : undefined;
  if (caFile !== undefined && !address.tls) {
    throw invalid(MEMBER, `${CA_FILE} needs an encrypted connection: add ?sslmode=verify-full`);
  }
  return {
    ...address,
    ...(password !== undefined && { password }),
    ...(caFile !== undefined && { caFile }),
  };
}

/** The address in a URL without password; `invalid_configuration`. Errors never quote the URL. */
export function parseStoreUrl(
  text: string,
  { insecure }: { readonly insecure: boolean },
): Omit<PostgresDatabase, "password" | "caFile"> {
  const url = urlOf(text);
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw invalid(MEMBER, "it is not a URL of the form postgres://USER@HOST:PORT/DATABASE");
  }
  if (url.password !== "") {
    throw invalid(
      MEMBER,
      `it has a password: put that into a file or variable named by ${PASSWORD}_file or ` +
        `${PASSWORD}_env, and change it if others could read the configuration`,
    );
  }
  const unknown = [...url.searchParams.keys()].find((name) => name !== "sslmode");
  if (unknown !== undefined || url.hash !== "") {
    throw invalid(MEMBER, "the only parameter that it may have is sslmode");
  }
  const [user, database] = [url.username, url.pathname.slice(1)].map(percentDecoded);
  if (!user || !database || database.includes("/")) {
    throw invalid(MEMBER, "it names no user or no database: postgres://USER@HOST:PORT/DATABASE");
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (host === "" || host.includes("%")) throw invalid(MEMBER, "it names no host");
  const isLocal = isLoopbackName(url.hostname);
  const mode = url.searchParams.get("sslmode") ?? (isLocal ? "disable" : "verify-full");
  if (mode !== "verify-full" && mode !== "disable") {
    throw invalid(MEMBER, "sslmode must be verify-full or disable");
  }
  if (mode === "disable" && !isLocal && !insecure) {
    throw invalid(
      MEMBER,
      "sslmode=disable sends the log in clear text; use verify-full, or allow it with --insecure",
    );
  }
  return {
    host,
    // 0 is no port.
    port: Number(url.port) || DEFAULT_PORT,
    user,
    database,
    tls: mode === "verify-full",
  };
}

/** The password, empty if none is configured, and the certificates to trust. */
export async function loadStoreSecrets(
  { password, caFile }: PostgresDatabase,
  reading: SecretReading,
): Promise<{ readonly password: string; readonly ca?: string }> {
  return {
    password: password === undefined ? "" : await loadPassword(password, reading),
    ...(caFile !== undefined && { ca: await readTextFile(caFile) }),
  };
}
