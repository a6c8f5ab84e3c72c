/**
 * The member `operator` of `network.json`: where operators and peer networks reach the gateway.
 *
 *     "operator": {"host", "port", "token_file"? or "token_env"?}
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { Fields } from "../format/fields.ts";
import { type ListenerAddress, readListenerAddress } from "./listener_address.ts";
import { readSecretSource, secretMembers, type SecretSource } from "./secret_text.ts";

/** A listener beside that of clients. */
export interface OperatorListener extends ListenerAddress {
  /** Of what operators read there; peers show tokens of their own. */
  readonly token?: SecretSource;
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
  const { host, port } = readListenerAddress(fields);
  const token = readSecretSource(fields, "token", pathOf);
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
