/**
 * The pages that only a copy of a log has.
 *
 * @module
 */

import { checkedHead, readNetwork, trustKey } from "../checked.ts";
import { PageHead } from "../components/page_head.tsx";
import { HeadCard } from "../explore/head_card.tsx";
import { LookUpForm } from "../explore/look_up.tsx";
import { NetworkCard } from "../explore/network_card.tsx";
import { useLoaded, useStore } from "../hooks.ts";
import { hrefOf, type Route } from "../route.ts";
import { useServices } from "../services.ts";
import type { CopyClient } from "./copy_client.ts";
import { CopyEntryPage } from "./copy_entry_page.tsx";

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

function CopyPage() {
  const services = useServices();
  const key = trustKey(useStore(services.trust));
  const [network, reloadNetwork] = useLoaded((signal) => readNetwork(services, signal), [key]);
  const [head, reloadHead] = useLoaded((signal) => checkedHead(services, undefined, signal), [key]);
  return (
    <>
      <PageHead title="Copy of the log">
        All hashes with their times and positions, as of the copied tree head. The witnesses'
        signatures of single hashes are not in a copy: they are in saved proofs.
      </PageHead>
      <LookUpForm />
      <div class="grid">
        <HeadCard head={head} retry={reloadHead} />
        <NetworkCard network={network} retry={reloadNetwork} />
      </div>
      <p>
        <a href={hrefOf({ page: "tiles" })}>Tiles of the log</a>
        <span class="muted">, for mirrors and monitors (C2SP tlog-tiles)</span>
      </p>
    </>
  );
}
