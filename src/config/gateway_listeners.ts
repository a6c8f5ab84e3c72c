/**
 * The listeners that `network.json` names next to the clients' one.
 *
 * @module
 */

import type { Of } from "../proof/format/schema.ts";
import { LISTENER_MEMBERS, type ListenerAddress, PORT } from "./listeners.ts";
import { optionalSecret, settings, words } from "./settings.ts";
import { invalid } from "./validation.ts";

/** The member `event_sockets` of `network.json`: the listener for event sockets. */
export const EVENT_SOCKETS = settings({
  host: words("Address to listen on; without it, that of the clients' listener.").optional(),
  port: PORT,
});

export type EventSockets = Of<typeof EVENT_SOCKETS>;

const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|::1)$/;

/** The member `operator` of `network.json`: the listener for operators and peer networks. */
export const OPERATOR_LISTENER = settings({
  ...LISTENER_MEMBERS,
  token: optionalSecret("the bearer token of operators; needed beyond loopback"),
}).convert((listener, where) => {
  const { host, token } = listener;
  if (token !== undefined || LOOPBACK.test(host)) return listener;
  throw invalid(where, `host ${host} is not loopback, so it needs token_file or token_env`);
});

/** Each peer has its own token. */
export type OperatorListener = Of<typeof OPERATOR_LISTENER>;

/** Where a listener listens if the command line gives its port and the file has no such listener. */
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
