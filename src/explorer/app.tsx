/**
 * The frame of every page: navigation, the page of the route, and the footer.
 *
 * To add a page, add its route to `route.ts`, a component that starts with a `PageHead` to
 * `pages/`, a case to {@linkcode pageOf}, and, for a top-level page, an entry to
 * {@linkcode NAVIGATION}. A page calls the gateway through `services.api` and verifies with
 * `services.crypto`. Its logic is in modules that tests import without a document, its styles in a
 * file of `style/`, listed in `build.ts`. `deno task explorer` builds the page.
 *
 * @module
 */

import { ErrorBoundary, useState } from "hono/jsx/dom";
import { Failure } from "./components/states.tsx";
import { unixSeconds } from "../base/clock.ts";
import { Alert } from "./components/alert.tsx";
import { Button } from "./components/button.tsx";
import { Icon, type IconName } from "./components/icon.tsx";
import { PageHead } from "./components/page_head.tsx";
import { ApiKeyAlert, ForgetApiKey } from "./components/api_key_form.tsx";
import { ThemeSwitch } from "./components/theme_switch.tsx";
import { useEffect } from "./effect.ts";
import { BatchPage } from "./pages/batch.tsx";
import { CertificatePage } from "./pages/certificate.tsx";
import { ExplorePage } from "./pages/explore.tsx";
import { LogPage } from "./pages/log.tsx";
import { PositionPage } from "./pages/position.tsx";
import { ProofPage } from "./pages/proof.tsx";
import { StampPage } from "./pages/stamp.tsx";
import { TilesPage } from "./pages/tiles.tsx";
import { VerifyPage } from "./pages/verify.tsx";
import { failureText } from "./failure.ts";
import { findingText } from "./finding_text.ts";
import { useOutage, useStore, useTrial } from "./hooks.ts";
import { hrefOf, parseRoute, type Route } from "./route.ts";
import { useServices } from "./services.ts";
import { momentText } from "../base/moment_text.ts";
import { plural } from "./text.ts";

/** The top-level pages. */
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

/** The top-level page above each page. */
const SECTION: Readonly<Record<Route["page"], string>> = {
  stamp: "stamp",
  verify: "verify",
  explore: "explore",
  batch: "explore",
  position: "explore",
  proof: "explore",
  certificate: "explore",
  tiles: "explore",
  log: "log",
  unknown: "",
};

/** The component of `route`. Its key differs for each route, so that no state is reused. */
function pageOf(route: Route) {
  switch (route.page) {
    case "stamp":
      return <StampPage key="stamp" />;
    case "verify":
      return <VerifyPage key="verify" />;
    case "proof":
      return <ProofPage key={hrefOf(route)} hash={route.hash} />;
    case "certificate":
      return <CertificatePage key={hrefOf(route)} hash={route.hash} />;
    case "explore":
      return <ExplorePage key="explore" />;
    case "batch":
      return <BatchPage key={hrefOf(route)} id={route.id} />;
    case "position":
      return <PositionPage key={hrefOf(route)} index={route.index} />;
    case "tiles":
      return <TilesPage key="tiles" />;
    case "log":
      return <LogPage key="log" />;
    case "unknown":
      return <UnknownPage key="unknown" />;
  }
}

/** `route` in a copy of a log, which has no jobs, bundles and batches. */
function withoutGateway(route: Route): Route {
  const { page } = route;
  return page === "verify" || page === "tiles" || page === "log" ? route : { page: "unknown" };
}

function UnknownPage() {
  return (
    <PageHead title="No such page">
      This address is not a page of the explorer. Choose a page above.
    </PageHead>
  );
}

export function App() {
  const { apiKey, copy } = useServices();
  // A new key loads the page again.
  const { version: keyVersion } = useStore(apiKey);
  const first = copy === undefined ? "stamp" : "explore";
  const [route, setRoute] = useState(() => parseRoute(location.hash, first));
  useEffect(() => {
    const read = () => setRoute(parseRoute(location.hash, first));
    const follow = () => {
      read();
      scrollTo(0, 0);
    };
    // A link may have been followed before the first frame, in which this runs.
    read();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return (
    <>
      <button type="button" class="skip-link" onClick={skipToContent}>Skip to content</button>
      <header class="site-head">
        <div class="site-head-inner">
          <a class="brand" href={hrefOf({ page: first })}>
            <Icon name="seal" />
            <span>Countersign</span>
          </a>
          <nav class="site-nav" aria-label="Pages">
            {NAVIGATION.filter(([{ page }]) => copy === undefined || page !== "stamp").map((
              [target, name, icon],
            ) => (
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
          <TrialMark />
          <ThemeSwitch />
        </div>
      </header>
      <main id="content" tabindex={-1}>
        {route.page === "log" ? null : <LogAlarm />}
        <GatewayAway />
        <GatewaySlow />
        <ApiKeyAlert apiKey={apiKey} />
        <ErrorBoundary
          key={String(keyVersion)}
          fallbackRender={(error) => <Failure error={error} />}
        >
          {copy?.pageOf(route) ?? pageOf(copy === undefined ? route : withoutGateway(route))}
        </ErrorBoundary>
      </main>
      <footer class="site-foot">
        {copy === undefined
          ? (
            <>
              <p>
                This page comes from its gateway and verifies in this browser. It contacts no other
                server, except the token issuer of a network that requires tokens.
              </p>
              <p>
                <a href="docs">API reference</a>
              </p>
            </>
          )
          : (
            <p>
              This page comes with a copy of the log and verifies in this browser. It contacts no
              other server, and what it calls the gateway is the host of the copy.
            </p>
          )}
        <ForgetApiKey apiKey={apiKey} />
      </footer>
    </>
  );
}

/** No link: the fragment of the address is the route. */
function skipToContent(): void {
  document.getElementById("content")?.focus();
}

/** One alert for all that waits for the gateway, with its last known state. */
function GatewayAway() {
  const { askNow, clock, pulse } = useServices();
  const error = useOutage();
  const { last } = useStore(pulse);
  const [triedAt, setTriedAt] = useState<number | undefined>(undefined);
  useEffect(() => setTriedAt(error === undefined ? undefined : unixSeconds(clock)), [error]);
  if (error === undefined) return null;
  const { title, code } = failureText(error);
  return (
    <div class="gateway-away no-print">
      <Alert tone="warn" live title={title}>
        <p>
          {last !== undefined && (
            <>
              Its last answer is of {momentText(last.at)}:{" "}
              {plural(last.status.sth?.tree_size ?? 0, "attestation")}{" "}
              in its log. What you see may be as old.{" "}
            </>
          )}
          This page asks again and goes on by itself; meanwhile it still hashes files and verifies
          proofs. The first time-stamp token waits for the gateway.
        </p>
        <p class="row">
          <Button onClick={askNow}>Try now</Button>
          <span class="muted small">
            {triedAt !== undefined && `Last tried at ${momentText(triedAt)}`} <code>{code}</code>
          </span>
        </p>
      </Alert>
    </div>
  );
}

/** Lies over the page, so that nothing moves. */
function GatewaySlow() {
  const isAway = useOutage() !== undefined;
  const { isSlow } = useStore(useServices().pulse);
  if (isAway || !isSlow) return null;
  return (
    <p class="gateway-slow no-print" role="status">
      The gateway answers slowly. This page waits for it.
    </p>
  );
}

/** In the head of each page: a trial must not look like a network of several parties. */
function TrialMark() {
  const witnesses = useTrial();
  if (witnesses === undefined) return null;
  const meaning = `Trial: ${plural(witnesses, "witness", "witnesses")} in one process`;
  return (
    <a class="trial-mark" href={hrefOf({ page: "explore" })} aria-label={meaning} title={meaning}>
      Trial
    </a>
  );
}

/** The alert on top of every page while the log cannot be relied on. */
function LogAlarm() {
  const { check, evidence } = useStore(useServices().watch);
  const finding = check === undefined ? undefined : findingText(check);
  const isBad = finding?.tone === "bad";
  if (!isBad && evidence === undefined) return null;
  return (
    <Alert
      tone="bad"
      icon="warning"
      live
      title={isBad ? finding.title : "This browser has seen two histories of this log"}
    >
      <p>
        <a href={hrefOf({ page: "log" })}>See the finding and what to do</a>
      </p>
    </Alert>
  );
}
