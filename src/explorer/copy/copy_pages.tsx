/**
 * The pages that only a copy of a log has.
 *
 * @module
 */

import { hrefOf, type Route } from "../route.ts";
import type { CopyClient } from "./copy_client.ts";
import { CopyEntryPage } from "./copy_entry_page.tsx";
import { CopyPage } from "./copy_page.tsx";

/** The component of `route`; `undefined` if it is the same as at a gateway. */
export function copyPageOf(route: Route, copy: CopyClient) {
  switch (route.page) {
    case "explore":
      return <CopyPage key="explore" />;
    case "proof":
      return <CopyEntryPage key={hrefOf(route)} copy={copy} wanted={route.hash} />;
    case "position":
      return <CopyEntryPage key={hrefOf(route)} copy={copy} wanted={route.index} />;
    default:
      return undefined;
  }
}
