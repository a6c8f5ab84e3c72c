/**
 * Routes of the page: the part of its address after `#`, parsed strictly.
 *
 *     #/stamp  #/verify  #/proof/<hash>  #/certificate/<hash>  #/explore  #/explore/batch/<id>
 *     #/explore/position/<index>  #/explore/tiles  #/log
 *
 * @module
 */

import { HASH_LENGTH, integerOf, isHex } from "../base/bytes.ts";

/** A page with its parameters. */
export type Route =
  | { readonly page: "stamp" }
  | { readonly page: "verify" }
  /** Both fetch the proof of `hash` from this gateway. */
  | { readonly page: "proof" | "certificate"; readonly hash: string }
  | { readonly page: "explore" }
  | { readonly page: "batch"; readonly id: number }
  /** Leads to the proof of the attestation at `index` of the log. */
  | { readonly page: "position"; readonly index: number }
  | { readonly page: "tiles" }
  | { readonly page: "log" }
  | { readonly page: "unknown" };

/** The route of `location.hash`; the `first` page if it is empty. */
export function parseRoute(hash: string, first: "stamp" | "explore" = "stamp"): Route {
  if (hash === "" || hash === "#" || hash === "#/") return { page: first };
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
  if (first === "explore") return exploreRoute(second, third);
  return (first === "proof" || first === "certificate") && third === undefined &&
      isHex(second, HASH_LENGTH)
    ? { page: first, hash: second }
    : undefined;
}

function exploreRoute(what: string, argument: string | undefined): Route | undefined {
  if (argument === undefined) return what === "tiles" ? { page: "tiles" } : undefined;
  const number = integerOf(argument);
  if (number === undefined) return undefined;
  if (what === "batch") return { page: "batch", id: number };
  return what === "position" ? { page: "position", index: number } : undefined;
}

/** The address of `route`; an unknown route leads to the first page. */
export function hrefOf(route: Route): string {
  switch (route.page) {
    case "proof":
    case "certificate":
      return `#/${route.page}/${route.hash}`;
    case "batch":
      return `#/explore/batch/${route.id}`;
    case "position":
      return `#/explore/position/${route.index}`;
    case "tiles":
      return "#/explore/tiles";
    case "unknown":
      return "#/stamp";
    default:
      return `#/${route.page}`;
  }
}

/** The address of `route` for others: this page's own with the route, without a query. */
export function shareUrl(route: Route): string {
  return `${location.origin}${location.pathname}${hrefOf(route)}`;
}
