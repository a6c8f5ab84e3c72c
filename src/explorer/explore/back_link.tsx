/**
 * The way back from a part of the log.
 *
 * @module
 */

import { hrefOf } from "../route.ts";

/** Above the title of every page below Explore. */
export function BackToExplore() {
  return (
    <nav class="back-link" aria-label="Breadcrumb">
      <a href={hrefOf({ page: "explore" })}>Explore</a>
    </nav>
  );
}
