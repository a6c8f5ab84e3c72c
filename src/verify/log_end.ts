/**
 * The end of a frozen log.
 *
 * @module
 */

import type { NextLog } from "../format/succession.ts";
import type { FollowedNetwork } from "./followed_network.ts";

/** How a frozen log ended; `undefined` if it goes on. */
export function endOfLog(
  { links }: FollowedNetwork,
): { readonly size: number; readonly root: string; readonly next?: NextLog } | undefined {
  const last = links?.at(-1);
  if (last === undefined || last.successor !== null) return undefined;
  const { end: { tree_size: size, root_hash: root }, next_log: next } = last;
  return { size, root, ...(next && { next }) };
}
