/**
 * Identifies the client of a request for limits: the address of the connection's peer or, behind the
 * operator's proxies, the address that they report in `X-Forwarded-For`. Proxies append
 * their entries, so the search from the right never reaches what a client wrote.
 *
 * @module
 */

import type { ClientKey } from "./limits/client_key.ts";
import {
  type IpAddress,
  type IpRange,
  isVersion4,
  isWithin,
  parseIpAddress,
} from "../proof/format/ip_address.ts";
import type { RequestContext } from "./request_context.ts";

export const FORWARDED_FOR = "X-Forwarded-For";

/** More proxies in a row than any deployment has. Entries further left are ignored. */
const MAX_HOPS = 16;
/** Characters of an entry with white space. */
const MAX_ENTRY_LENGTH = 64;

/** The first half of IPv4 keys. In IPv6 it is multicast, which is never a source address. */
const VERSION_4_HIGH = 0xffff_ffff;

/** The client of requests that this process makes itself. */
const THIS_PROCESS: ClientKey = { high: 0, low: 0 };

/** Maps requests to clients. */
export class ClientAddresses {
  readonly #trusted: readonly IpRange[];
  readonly #warn: (message: string) => void;
  #hasWarned = false;

  /** `trusted` are the operator's proxies. Calls `warn` at most once. */
  constructor(trusted: readonly IpRange[], warn: (message: string) => void) {
    this.#trusted = trusted;
    this.#warn = warn;
  }

  /** The client; looked up once for each request. */
  clientOf(context: RequestContext): ClientKey {
    return context.client ??= this.#find(context);
  }

  /**
   * Call when a client is refused. A client that sends `X-Forwarded-For` may be a proxy that is not
   * configured, so that its clients share one budget.
   */
  refused(context: RequestContext): void {
    if (this.#hasWarned || context.apiKey !== undefined) return;
    if (!context.request.headers.has(FORWARDED_FOR)) return;
    const peer = parseIpAddress(context.remoteAddress);
    if (peer === undefined || isInAny(peer, this.#trusted)) return;
    this.#hasWarned = true;
    this.#warn(
      `${context.remoteAddress} is rate limited and sends ${FORWARDED_FOR}, which is ignored. If it ` +
        "is your proxy, add it to trusted_proxies of limits; until then all its clients share one budget",
    );
  }

  /**
   * True if the client's own address is known and in one of `networks`. A client behind a proxy that is
   * not configured, or that does not name it, is in none. Neither is a browser with a page from elsewhere:
   * any site can make the browsers of a network open sockets.
   */
  isWithin(
    { remoteAddress, request: { headers } }: RequestContext,
    networks: readonly IpRange[],
  ): boolean {
    const peer = parseIpAddress(remoteAddress);
    if (peer === undefined) return false;
    const origin = headers.get("Origin");
    if (origin !== null && !isOriginWithin(origin, networks)) return false;
    const forwarded = headers.get(FORWARDED_FOR);
    if (forwarded === null) return isInAny(peer, networks);
    const client = clientHop(peer, forwarded, this.#trusted);
    return client !== peer && !isInAny(client, this.#trusted) && isInAny(client, networks);
  }

  #find({ remoteAddress, request }: RequestContext): ClientKey {
    const peer = parseIpAddress(remoteAddress);
    if (peer === undefined) return THIS_PROCESS;
    if (!isInAny(peer, this.#trusted)) return clientKey(peer);
    const forwarded = request.headers.get(FORWARDED_FOR);
    return clientKey(forwarded === null ? peer : clientHop(peer, forwarded, this.#trusted));
  }
}

/**
 * The first address that is not a trusted proxy: `peer`, or an entry of `forwarded` from right to
 * left, since each proxy appends its peer. If `forwarded` ends first or has a malformed entry, the
 * last address before that.
 */
export function clientHop(
  peer: IpAddress,
  forwarded: string,
  trusted: readonly IpRange[],
): IpAddress {
  let hop = peer;
  let end = forwarded.length;
  for (let hops = 0; hops < MAX_HOPS && end >= 0 && isInAny(hop, trusted); hops++) {
    const start = forwarded.lastIndexOf(",", end - 1) + 1;
    const next = end - start > MAX_ENTRY_LENGTH
      ? undefined
      : parseIpAddress(forwarded.slice(start, end).replace(/^[ \t]+/, "").replace(/[ \t]+$/, ""));
    if (next === undefined) return hop;
    hop = next;
    end = start - 1;
  }
  return hop;
}

/** An IPv4 address, or the /64 of an IPv6 address: the least that a network assigns to a customer. */
export function clientKey(address: IpAddress): ClientKey {
  const [high, low, , last] = address;
  return isVersion4(address) ? { high: VERSION_4_HIGH, low: last } : { high, low };
}

function isInAny(address: IpAddress, ranges: readonly IpRange[]): boolean {
  return ranges.some((range) => isWithin(address, range));
}

/** True if the host of `origin` (RFC 6454) is an address in `networks`, or localhost. */
function isOriginWithin(origin: string, networks: readonly IpRange[]): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  if (hostname === "localhost") return true;
  const address = parseIpAddress(hostname.replace(/^\[(.*)\]$/, "$1"));
  return address !== undefined && isInAny(address, networks);
}
