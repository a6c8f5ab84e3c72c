/**
 * Addresses of listeners that `network.json` names, such as the member `event_sockets`:
 *
 *     "event_sockets": {"host", "port"}
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { Fields } from "../format/fields.ts";

/** Where a listener is. */
export interface ListenerAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** The host of a listener that only the command line asks for. */
const LOOPBACK_HOST = "127.0.0.1";

/** `configured` with `port` in place of its own, where given; loopback where only `port` is. */
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
  const port = fields.count("port");
  if (host === "") throw invalid(fields.where, "host is empty");
  if (port > 65_535) throw invalid(fields.where, `port ${port} exceeds 65535`);
  return { host, port };
}

/** The member `event_sockets`, `undefined` if absent. `invalid_configuration`. */
export function readEventSockets(network: Fields): ListenerAddress | undefined {
  if (!network.has("event_sockets")) return undefined;
  return readListenerAddress(network.object("event_sockets", ["host", "port"]));
}

function invalid(where: string, why: string): CountersignError {
  return new CountersignError("invalid_configuration", `Invalid listener address: ${where}.${why}`);
}
