/**
 * Explore: the network, its witnesses, its log and its events.
 *
 * @module
 */

import { checkedHead, readNetwork, trustKey } from "../checked.ts";
import { PageHead } from "../components/page_head.tsx";
import { useEffect } from "../effect.ts";
import { BatchCard } from "../explore/batch_card.tsx";
import { ContradictionCard } from "../explore/contradiction_card.tsx";
import { FeedCard } from "../explore/feed_card.tsx";
import { GrowthCard } from "../explore/growth_card.tsx";
import { LookUpForm } from "../explore/look_up.tsx";
import { HeadCard } from "../explore/head_card.tsx";
import { NetworkCard } from "../explore/network_card.tsx";
import { AnchoringCard, ForeignWitnessCard, WitnessCard } from "../explore/status_cards.tsx";
import { useBatches } from "../explore/use_batches.ts";
import { useLoaded, useStore } from "../hooks.ts";
import { hrefOf } from "../route.ts";
import { useServices } from "../services.ts";

export function ExplorePage() {
  const services = useServices();
  const { pulse, trust } = services;
  const key = trustKey(useStore(trust));
  const [network, reloadNetwork] = useLoaded((signal) => readNetwork(services, signal), [key]);
  const [head, reloadHead] = useLoaded((signal) => checkedHead(services, undefined, signal), [key]);
  const [status, reloadStatus] = useLoaded(() => pulse.status(), []);
  const list = useBatches(services);
  const { last } = useStore(pulse);
  useEffect(reloadStatus, [last]);
  const showGrowth = () => {
    reloadHead();
    list.refresh();
  };
  return (
    <>
      <PageHead title="Explore">
        The network behind this gateway, and the public log of everything that it signed.
      </PageHead>
      <LookUpForm />
      <ContradictionCard
        count={status.value?.contradictions ?? 0}
        trustKey={key}
      />
      <div class="grid">
        <HeadCard head={head} retry={reloadHead} />
        <NetworkCard network={network} retry={reloadNetwork} />
      </div>
      <WitnessCard
        status={status}
        network={network.value?.shown}
        retry={reloadStatus}
      />
      <GrowthCard list={list} />
      <div class="grid grid-wide">
        <BatchCard list={list} />
        <FeedCard grown={showGrowth} />
      </div>
      {status.value !== undefined && <ForeignWitnessCard status={status.value} />}
      {status.value !== undefined && <AnchoringCard status={status.value} />}
      <p>
        <a href={hrefOf({ page: "tiles" })}>Tiles of the log</a>
        <span class="muted">, for mirrors and monitors (C2SP tlog-tiles)</span>
      </p>
    </>
  );
}
