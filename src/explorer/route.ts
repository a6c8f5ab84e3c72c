/**
 * Routes of the page: the part of its address after `#`, parsed strictly.
 *
 *     #/stamp  #/verify  #/verify/<hash>  #/explore  #/explore/batch/<id>
 *     #/explore/attestation/<hash>  #/explore/tiles  #/log
 *
 * @module
 */

import { HASH_LENGTH, integerOf, isHex } from "../bytes.ts";

/** A page with its parameters. */
export type Route =
  | { readonly page: "stamp" }
  /** The page fetches the bundle of `hash` from this gateway. */
  | { readonly page: "verify"; readonly hash?: string }
  | { readonly page: "explore" }
  | { readonly page: "batch"; readonly id: number }
  | { readonly page: "attestation"; readonly hash: string }
  | { readonly page: "tiles" }
  | { readonly page: "log" }
  | { readonly page: "unknown" };

/** The route of `location.hash`; the first page if it is empty. */
export function parseRoute(hash: string): Route {
  if (hash === "" || hash === "#" || hash === "#/") return { page: "stamp" };
  const [start, ...segments] = hash.split("/");
  if (start !== "#") return { page: "unknown" };
  return routeOf(segments) ?? { page: "unknown" };
}

function routeOf(segments: readonly string[]): Route | undefined {
  const [first, second, third, ...rest] = segments;
  if (rest.length > 0) return undefined;
  if (second === undefined) {
    return first === "stamp" || first === "verify" || first === "explore" || first === "log"
      ? { page: first }
      : undefined;
  }
  if (first === "verify" && third === undefined && isHex(second, HASH_LENGTH)) {
    return { page: "verify", hash: second };
  }
  return first === "explore" ? exploreRoute(second, third) : undefined;
}

function exploreRoute(what: string, argument: string | undefined): Route | undefined {
  if (argument === undefined) return what === "tiles" ? { page: "tiles" } : undefined;
  if (what === "batch") {
    const id = integerOf(argument);
    return id === undefined ? undefined : { page: "batch", id };
  }
  return what === "attestation" && isHex(argument, HASH_LENGTH)
    ? { page: "attestation", hash: argument }
    : undefined;
}

/** The address of `route`; an unknown route leads to the first page. */
export function hrefOf(route: Route): string {
  switch (route.page) {
    case "verify":
      return route.hash === undefined ? "#/verify" : `#/verify/${route.hash}`;
    case "batch":
      return `#/explore/batch/${route.id}`;
    case "attestation":
      return `#/explore/attestation/${route.hash}`;
    case "tiles":
      return "#/explore/tiles";
    case "unknown":
      return "#/stamp";
    default:
      return `#/${route.page}`;
  }
}
