/**
 * The address of a PostgreSQL database, without its password.
 *
 * @module
 */

/** The parts of a `postgres://` URL, without the password. */
export interface PostgresAddress {
  /** A name or an address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Encrypts the connection and verifies the server's certificate, as `sslmode=verify-full` does. */
  readonly tls: boolean;
}

/** An address with all that is needed to connect. */
export interface PostgresAccess extends PostgresAddress {
  /** Secret; empty if the server asks for none. */
  readonly password: string;
  /** Certificates in PEM to trust instead of the system's. */
  readonly ca?: string;
}

/** The address for messages. */
export function addressText({ host, port, user, database }: PostgresAddress): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `postgres://${user}@${name}:${port}/${database}`;
}
