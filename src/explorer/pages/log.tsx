/**
 * Check the log: compares the gateway's tree head with the one that this browser remembers.
 *
 * @module
 */

import { PageHead } from "../components/page_head.tsx";
import { useStore } from "../hooks.ts";
import { useServices } from "../services.ts";
import { KeptEvidence } from "../log/evidence.tsx";
import { MemoryCard } from "../log/memory_card.tsx";
import { ResultCard } from "../log/result_card.tsx";
import { TrustCard } from "../log/trust_card.tsx";

export function LogPage() {
  const { watch } = useServices();
  const state = useStore(watch);
  const { trust, check, evidence } = state;
  const stored = watch.stored();
  const isFirst = check === undefined && state.isChecking;
  return (
    <>
      <PageHead title="Check the log">
        A transparency log may only grow. This browser remembers the last tree head that it saw. At
        every visit, on every page, the gateway must prove that its log grew from there.
      </PageHead>
      <ResultCard state={state} recheck={() => void watch.check()} />
      {evidence === undefined || check?.fork !== undefined
        ? null
        : <KeptEvidence evidence={evidence} networkId={trust?.network.id ?? ""} />}
      {/* Not before the first result, which would move it. */}
      {isFirst ? null : (
        <div class="grid">
          {stored === undefined || trust === undefined ? null : (
            <MemoryCard
              stored={stored}
              fingerprint={trust.fingerprint}
              forget={() => void watch.forget()}
            />
          )}
          <TrustCard trust={trust} />
        </div>
      )}
    </>
  );
}
