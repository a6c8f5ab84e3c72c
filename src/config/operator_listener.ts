/**
 * The member `operator` of `network.json`: where operators and peer networks reach the gateway.
 *
 *     "operator": {"host", "port", "token_file"? or "token_env"?}
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { Fields } from "../format/fields.ts";
import { readSecretSource, secretMembers, type SecretSource } from "./secret_text.ts";

/** A listener beside that of clients. */
export interface OperatorListener {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Of what operators read there; peers show tokens of their own. */
  readonly token?: SecretSource;
}

/** Where a listener is that only the command line asks for. */
const LOOPBACK_HOST = "127.0.0.1";

/** Where `listener` is, with `port` in place of its own where that is given; 0 for any free port. */
export function operatorAddress(
  listener: OperatorListener | undefined,
  port: number | undefined,
): { readonly host: string; readonly port: number } | undefined {
  if (listener === undefined) return port === undefined ? undefined : { host: LOOPBACK_HOST, port };
  return { host: listener.host, port: port ?? listener.port };
}

const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|::1)$/;

/** The member `operator`, `undefined` where there is none. `invalid_configuration`. */
export function readOperatorListener(
  network: Fields,
  pathOf: (path: string) => string,
): OperatorListener | undefined {
  if (!network.has("operator")) return undefined;
  const fields = network.object("operator", ["host", "port"], {
    optional: secretMembers("token"),
  });
  const host = fields.text("host");
  const port = fields.count("port");
  const token = readSecretSource(fields, "token", pathOf);
  if (host === "") throw invalid("a host to listen on", "none");
  if (port > 65_535) throw invalid("a port from 0 to 65535", String(port));
  if (token === undefined && !LOOPBACK.test(host)) {
    throw invalid("token_file or token_env beyond loopback", `neither for ${host}`);
  }
  return { host, port, ...(token !== undefined && { token }) };
}

function invalid(required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot use operator listener: ${required} required, found ${found}`,
  );
}
