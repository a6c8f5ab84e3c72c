/**
 * Who asks, as limits count it: the address of the connection's peer, or, where that is a proxy of the
 * operator's, the one that its proxies say. What clients write into `X-Forwarded-For` themselves
 * stands left of what proxies add, and is never reached.
 *
 * @module
 */

import type { ClientKey } from "../admission/token_buckets.ts";
import {
  type IpAddress,
  type IpRange,
  isVersion4,
  isWithin,
  parseIpAddress,
} from "../format/ip_address.ts";
import type { RequestContext } from "./request_context.ts";

const FORWARDED_FOR = "X-Forwarded-For";

/** More proxies in a row than anybody has: what stands further left is not looked at. */
const MAX_HOPS = 16;
/** Characters of an address with the space around it. */
const MAX_ENTRY_LENGTH = 64;

/** Multicast, which nobody asks from: what IPv4 clients have in place of the first half. */
const VERSION_4_HIGH = 0xffff_ffff;

/** Requests of this process itself: they come over no connection. */
const NOBODY: ClientKey = { high: 0, low: 0 };

/** Tells clients apart. */
export class ClientAddresses {
  readonly #trusted: readonly IpRange[];
  readonly #warn: (message: string) => void;
  #hasWarned = false;

  /** `trusted` are the operator's own proxies; `warn` is told at most once. */
  constructor(trusted: readonly IpRange[], warn: (message: string) => void) {
    this.#trusted = trusted;
    this.#warn = warn;
  }

  /** Who asks; looked up once for each context. */
  clientOf(context: RequestContext): ClientKey {
    return context.client ??= this.#find(context);
  }

  /**
   * Told of each client that is refused. One that names others for whom it asks may be a proxy that
   * nobody configured, whose clients then share one budget.
   */
  refused(context: RequestContext): void {
    if (this.#hasWarned || !context.request.headers.has(FORWARDED_FOR)) return;
    const peer = parseIpAddress(context.remoteAddress);
    if (peer === undefined || isTrusted(peer, this.#trusted)) return;
    this.#hasWarned = true;
    this.#warn(
      `${context.remoteAddress} is rate limited and sends ${FORWARDED_FOR}, which is not looked at: ` +
        "a proxy of yours belongs into trusted_proxies of limits, or all its clients are one",
    );
  }

  #find({ remoteAddress, request }: RequestContext): ClientKey {
    const peer = parseIpAddress(remoteAddress);
    if (peer === undefined) return NOBODY;
    if (!isTrusted(peer, this.#trusted)) return clientKey(peer);
    const forwarded = request.headers.get(FORWARDED_FOR);
    return clientKey(forwarded === null ? peer : clientHop(peer, forwarded, this.#trusted));
  }
}

/**
 * The first address that is no trusted proxy, from `peer` on and then through `forwarded` from right to
 * left: each proxy adds at the right from whom it was asked. Where that ends, or is no address, it is
 * the last one that was.
 */
export function clientHop(
  peer: IpAddress,
  forwarded: string,
  trusted: readonly IpRange[],
): IpAddress {
  let hop = peer;
  let end = forwarded.length;
  for (let hops = 0; hops < MAX_HOPS && end >= 0 && isTrusted(hop, trusted); hops++) {
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

/** An IPv4 address, or the /64 of an IPv6 one: the least that a network gives to one customer. */
export function clientKey(address: IpAddress): ClientKey {
  const [high, low, , last] = address;
  return isVersion4(address) ? { high: VERSION_4_HIGH, low: last } : { high, low };
}

function isTrusted(address: IpAddress, trusted: readonly IpRange[]): boolean {
  return trusted.some((range) => isWithin(address, range));
}
