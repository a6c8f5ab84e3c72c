/**
 * Chooses how to connect.
 *
 * @module
 */

import { DenoSockets } from "./deno_sockets.ts";
import { EpollSockets } from "./epoll_sockets.ts";
import type { Endpoint, SocketKind, Sockets } from "./sockets.ts";

/** Sockets of `kind`; without one, the cheapest that this machine has for `endpoint`. */
export function openSockets(endpoint: Endpoint, kind?: SocketKind): Sockets {
  if (kind === "deno") return new DenoSockets();
  if (kind === "epoll") return new EpollSockets();
  const isPlain = !endpoint.tls && /^[0-9.]+$/.test(endpoint.hostname);
  try {
    if (isPlain && Deno.build.os === "linux") return new EpollSockets();
  } catch {
    // No permission, or another C library: the runtime's connections do the same.
  }
  return new DenoSockets();
}

/** The endpoint of `url`, its host as an address. */
export async function resolveEndpoint(url: URL): Promise<Endpoint> {
  const tls = url.protocol === "https:";
  const port = Number(url.port) || (tls ? 443 : 80);
  if (tls) return { hostname: url.hostname, port, tls };
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  // A connection knows what a name resolves to, hosts file included.
  using connection = await Deno.connect({ hostname, port });
  return { hostname: connection.remoteAddr.hostname, port, tls };
}
