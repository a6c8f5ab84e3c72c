/**
 * The listeners that `network.json` names next to the clients' one:
 *
 *     "event_sockets": {"host"?, "port"}
 *     "operator": {"host", "port", "token_file"? or "token_env"?}
 *
 * @module
 */

import type { Fields } from "../proof/format/fields.ts";
import { readSecretSource, secretMembers, type SecretSource } from "./bearer_tokens.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import { integerIn, invalid } from "./validation.ts";

export interface ListenerAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** Members of a listener. */
export const LISTENER_MEMBERS: Members = {
  host: required("text", "Address to listen on."),
  port: required("0 to 65,535", "Port to listen on, 0 for any."),
};

/** Members of the object `event_sockets` of `network.json`. */
export const EVENT_SOCKETS_MEMBERS: Members = {
  ...LISTENER_MEMBERS,
  host: optional("text", "Address to listen on.", { standard: "that of the clients' listener" }),
};

/** Members of the object `operator` of `network.json`. */
export const OPERATOR_MEMBERS: Members = {
  ...LISTENER_MEMBERS,
  ...secretMembers("token", "the bearer token of operators; needed beyond loopback"),
};

/** The host of a listener that only the command line asks for. */
const LOOPBACK_HOST = "127.0.0.1";

/** `configured`, with `port` if given; on loopback if only `port` is given. */
export function listenerAddress(
  configured: ListenerAddress | undefined,
  port: number | undefined,
): ListenerAddress | undefined {
  if (configured === undefined) {
    return port === undefined ? undefined : { host: LOOPBACK_HOST, port };
  }
  return { host: configured.host, port: port ?? configured.port };
}

/** The members `host` and `port` of `fields`; `invalid_configuration`. */
export function readListenerAddress(fields: Fields): ListenerAddress {
  const host = fields.text("host");
  if (host === "") throw invalid(fields.where, "host is empty");
  return { host, port: integerIn(fields, "port", 0, 65_535) };
}

/** The listener for event sockets as `network.json` names it. */
export interface EventSockets {
  /** That of the clients' listener when absent. */
  readonly host?: string;
  readonly port: number;
}

/** The member `event_sockets`, `undefined` if absent. `invalid_configuration`. */
export function readEventSockets(network: Fields): EventSockets | undefined {
  if (!network.has("event_sockets")) return undefined;
  const fields = network.object("event_sockets", ...namesOf(EVENT_SOCKETS_MEMBERS));
  if (fields.has("host")) return readListenerAddress(fields);
  return { port: integerIn(fields, "port", 0, 65_535) };
}

/** The address of `configured`, with the port of the command line if given; `undefined` without either. */
export function socketsAddress(
  configured: EventSockets | undefined,
  { host, eventSocketsPort: port = configured?.port }: {
    readonly host: string;
    readonly eventSocketsPort?: number | undefined;
  },
): ListenerAddress | undefined {
  return port === undefined ? undefined : { host: configured?.host ?? host, port };
}

/** The listener for operators and peer networks. */
export interface OperatorListener extends ListenerAddress {
  /** The token of operators; each peer has its own token. */
  readonly token?: SecretSource;
}

const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|::1)$/;

/** The member `operator`, `undefined` if absent. `invalid_configuration`. */
export function readOperatorListener(
  network: Fields,
  pathOf: (path: string) => string,
): OperatorListener | undefined {
  if (!network.has("operator")) return undefined;
  const fields = network.object("operator", ...namesOf(OPERATOR_MEMBERS));
  const { host, port } = readListenerAddress(fields);
  const token = readSecretSource(fields, "token", pathOf);
  if (token === undefined && !LOOPBACK.test(host)) {
    throw invalid(
      fields.where,
      `host ${host} is not loopback, so it needs token_file or token_env`,
    );
  }
  return { host, port, ...(token !== undefined && { token }) };
}
