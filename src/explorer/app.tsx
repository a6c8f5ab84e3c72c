/**
 * The frame of every page: navigation, the page of the route, and the foot.
 *
 * A page is added in four places: its route in `route.ts`, a component that takes `PageProps` in
 * `pages/` and begins with a `PageHead`, its line in {@linkcode pageOf}, and, where it is of the
 * first rank, one in {@linkcode NAVIGATION}. It asks the gateway through `services.api`, verifies
 * with `services.crypto`, and keeps its logic in plain modules that tests import without a
 * document. Its styles are a file of `style/`, listed in `build.ts`. `deno task explorer` builds.
 *
 * @module
 */

import { ErrorBoundary, useEffect, useState } from "hono/jsx/dom";
import { Failure } from "./components/states.tsx";
import { Icon, type IconName } from "./components/icon.tsx";
import { PageHead } from "./components/page_head.tsx";
import { ThemeSwitch } from "./components/theme_switch.tsx";
import { LogAlarm } from "./log/log_alarm.tsx";
import { AttestationPage } from "./pages/attestation.tsx";
import { BatchPage } from "./pages/batch.tsx";
import { ExplorePage } from "./pages/explore.tsx";
import { LogPage } from "./pages/log.tsx";
import { StampPage } from "./pages/stamp.tsx";
import { TilesPage } from "./pages/tiles.tsx";
import { VerifyPage } from "./pages/verify.tsx";
import { hrefOf, parseRoute, type Route } from "./route.ts";
import type { Services } from "./services.ts";

/** The pages of the first rank. */
const NAVIGATION: readonly (readonly [
  Route & { page: "stamp" | "verify" | "explore" | "log" },
  string,
  IconName,
])[] = [
  [{ page: "stamp" }, "Stamp", "seal"],
  [{ page: "verify" }, "Verify", "check"],
  [{ page: "explore" }, "Explore", "search"],
  [{ page: "log" }, "Check the log", "chain"],
];

/** The page of the first rank that `page` belongs to. */
const SECTION: Readonly<Record<Route["page"], string>> = {
  stamp: "stamp",
  verify: "verify",
  explore: "explore",
  batch: "explore",
  attestation: "explore",
  tiles: "explore",
  log: "log",
  unknown: "",
};

/** The component of `route`, by a key: another place is another component. */
function pageOf(route: Route, services: Services) {
  switch (route.page) {
    case "stamp":
      return <StampPage key="stamp" services={services} />;
    case "verify":
      return <VerifyPage key={hrefOf(route)} services={services} hash={route.hash} />;
    case "explore":
      return <ExplorePage key="explore" services={services} />;
    case "batch":
      return <BatchPage key={hrefOf(route)} services={services} id={route.id} />;
    case "attestation":
      return <AttestationPage key={hrefOf(route)} services={services} hash={route.hash} />;
    case "tiles":
      return <TilesPage key="tiles" services={services} />;
    case "log":
      return <LogPage key="log" services={services} />;
    case "unknown":
      return <UnknownPage key="unknown" />;
  }
}

function UnknownPage() {
  return (
    <PageHead title="There is no such page">
      The address does not name a page of this explorer. Choose one above.
    </PageHead>
  );
}

/** Everything. */
export function App({ services }: { readonly services: Services }) {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const follow = () => {
      setRoute(parseRoute(location.hash));
      scrollTo(0, 0);
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return (
    <>
      <button type="button" class="skip-link" onClick={skipToContent}>Skip to content</button>
      <header class="site-head">
        <div class="site-head-inner">
          <a class="brand" href="#/stamp">
            <Icon name="seal" />
            <span>Countersign</span>
          </a>
          <nav class="site-nav" aria-label="Pages">
            {NAVIGATION.map(([target, name, icon]) => (
              <a
                key={name}
                href={hrefOf(target)}
                aria-current={SECTION[route.page] === target.page ? "page" : undefined}
              >
                <Icon name={icon} />
                <span>{name}</span>
              </a>
            ))}
          </nav>
          <ThemeSwitch storage={services.storage} />
        </div>
      </header>
      <main id="content" tabindex={-1}>
        {route.page === "log" ? null : <LogAlarm watch={services.watch} />}
        <ErrorBoundary fallbackRender={(error) => <Failure error={error} />}>
          {pageOf(route, services)}
        </ErrorBoundary>
      </main>
      <footer class="site-foot">
        <p>
          Served by the gateway that it talks to, and by nobody else. What it verifies, it verifies
          in this browser.
        </p>
        <p>
          <a href="docs">API reference</a>
        </p>
      </footer>
    </>
  );
}

/** A link would name a place in the page, and so be taken for a route. */
function skipToContent(): void {
  document.getElementById("content")?.focus();
}
