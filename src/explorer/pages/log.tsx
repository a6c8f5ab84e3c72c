/**
 * Check the log: the head that the gateway shows against the one that this browser remembers.
 *
 * @module
 */

import { PageHead } from "../components/page_head.tsx";
import { useNow } from "../hooks.ts";
import { MemoryCard } from "../log/memory_card.tsx";
import { KeptEvidence, ResultCard } from "../log/result_card.tsx";
import { TrustCard } from "../log/trust_card.tsx";
import { useWatch } from "../log/use_watch.ts";
import type { PageProps } from "../services.ts";

export function LogPage({ services: { watch, clock } }: PageProps) {
  const state = useWatch(watch);
  const now = useNow(clock);
  const { trust, check, evidence } = state;
  const stored = watch.stored();
  return (
    <>
      <PageHead title="Check the log">
        A transparency log may only grow. This browser remembers the last tree head that it saw, and
        at every visit, on every page, it has the gateway prove that its log grew from there.
      </PageHead>
      <ResultCard state={state} now={now} recheck={() => void watch.check()} />
      {evidence === undefined || check?.fork !== undefined
        ? null
        : <KeptEvidence evidence={evidence} networkId={trust?.network.id ?? ""} />}
      <div class="grid">
        {stored === undefined || trust === undefined ? null : (
          <MemoryCard
            stored={stored}
            fingerprint={trust.fingerprint}
            now={now}
            forget={() => void watch.forget()}
          />
        )}
        <TrustCard trust={trust} />
      </div>
    </>
  );
}
