/**
 * The database that `network.json` names for the store; without one, the store is in the data folder.
 *
 * The URL may have the parameter `sslmode`, `verify-full` or `disable`. Connections to other machines are
 * encrypted, and the server's certificate is verified.
 *
 * @module
 */

import { TEXT } from "../proof/format/schema.ts";
import { isLoopbackName, percentDecoded, urlOf } from "../proof/format/service_url.ts";
import { loadPassword, type SecretReading } from "./bearer_tokens.ts";
import { optionalSecret, path, type SecretSource } from "./settings.ts";
import { readTextFile } from "./text_file.ts";
import { invalid } from "./validation.ts";

const DEFAULT_PORT = 5432;
const MEMBER = "store";

/** The members of `network.json` that name the database. */
export const STORE_MEMBERS = {
  store: TEXT.convert((text, _, { insecure = false }) => parseStoreUrl(text, { insecure })).with({
    title: "postgres://USER@HOST:PORT/DATABASE",
    description: "Database of the log; without it, the log is in files of the data folder. " +
      "The parameter sslmode is verify-full or disable.",
  }).optional(),
  store_password: optionalSecret("the password of the database"),
  store_ca_file: path("Certificates (PEM) to trust in the database's TLS.").optional(),
} as const;

interface StoreAddress {
  /** A name or an address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly tls: boolean;
}

/** A database as configured. */
export interface PostgresDatabase extends StoreAddress {
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

/** The database that the members of the configuration `where` name; `invalid_configuration`. */
export function storeDatabase(
  { store, storePassword: password, storeCaFile: caFile }: {
    readonly store?: StoreAddress;
    readonly storePassword?: SecretSource;
    readonly storeCaFile?: string;
  },
  where: string,
): PostgresDatabase | undefined {
  if (store === undefined) {
    if (password === undefined && caFile === undefined) return undefined;
    const found = caFile === undefined ? "a store_password" : "store_ca_file";
    throw invalid(where, `it has ${found} without ${MEMBER}`);
  }
  if (caFile !== undefined && !store.tls) {
    throw invalid(MEMBER, "store_ca_file needs an encrypted connection: add ?sslmode=verify-full");
  }
  return {
    ...store,
    ...(password !== undefined && { password }),
    ...(caFile !== undefined && { caFile }),
  };
}

/** The address in a URL without password; `invalid_configuration`. Errors never quote the URL. */
export function parseStoreUrl(
  text: string,
  { insecure }: { readonly insecure: boolean },
): StoreAddress {
  const url = urlOf(text);
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw invalid(MEMBER, "it is not a URL of the form postgres://USER@HOST:PORT/DATABASE");
  }
  if (url.password !== "") {
    throw invalid(
      MEMBER,
      `it has a password: put that into a file or variable named by store_password_file or ` +
        "store_password_env, and change it if others could read the configuration",
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
