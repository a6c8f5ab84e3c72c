/**
 * One batch.
 *
 * @module
 */

import { reasonText } from "../../proof/verify/verdict_words.ts";
import type { Batch } from "../../proof/format/bundle.ts";
import { checkedBatch, checkedBundle, trustKey } from "../checked.ts";
import { Alert } from "../components/alert.tsx";
import { Card } from "../components/card.tsx";
import { PageHead } from "../components/page_head.tsx";
import { Empty, LoadedView } from "../components/states.tsx";
import { readEntries } from "../entry_reader.ts";
import { BatchHeadCard, EntriesCard, SignatureCard } from "../explore/batch_cards.tsx";
import { useLoaded, useStore } from "../hooks.ts";
import { hrefOf } from "../route.ts";
import { useServices } from "../services.ts";
import { countText } from "../text.ts";
import { AnchorItems } from "../verify/layer_list.tsx";

export function BatchPage({ id }: { readonly id: number }) {
  const services = useServices();
  const key = trustKey(useStore(services.trust));
  const [loaded, retry] = useLoaded(
    async (signal) => ({ found: await checkedBatch(services, id, signal) }),
    [id, key],
  );
  return (
    <>
      <PageHead title={`Batch ${countText(id)}`} isBelowExplore>
        The growth of the log between two tree heads. Its number is the size of the log at its end.
      </PageHead>
      <LoadedView
        loaded={loaded}
        what="the batch"
        retry={retry}
        render={({ found }) =>
          found === undefined ? <NoBatch /> : (
            <>
              <BatchHeadCard {...found} />
              <SignatureCard head={found.head} />
              {found.batch.attestation_count === 0
                ? null
                : <Anchors batch={found.batch} trustKey={key} />}
              <EntriesCard batch={found.batch} />
            </>
          )}
      />
    </>
  );
}

function NoBatch() {
  return (
    <Card title="Not in the log">
      <Empty title="The log has no such batch">
        <p>A batch's number is the size of the log at its end.</p>
        <p>
          <a href={hrefOf({ page: "explore" })}>See all batches</a>
        </p>
      </Empty>
    </Card>
  );
}

interface AnchorsProps {
  readonly batch: Batch;
  readonly trustKey: string;
}

/** The anchors of the batch, from the bundle of its first attestation. */
function Anchors({ batch, trustKey: key }: AnchorsProps) {
  const services = useServices();
  const [loaded, retry] = useLoaded(async (signal) => {
    const { first_index: start, tree_size: size, network_id: networkId } = batch;
    const range = { start, end: start + 1, size, networkId };
    const [first] = await readEntries(services, range, signal);
    return await checkedBundle(services, first!.hash, signal);
  }, [batch.id, key]);
  return (
    <LoadedView
      loaded={loaded}
      what="the anchors"
      retry={retry}
      render={({ bundle, verdict, trust }) => (
        <>
          {verdict.layers.batch.status === "verified"
            ? null
            : (
              <Alert tone="bad" title="The first attestation is not proved to be in this batch">
                <p>
                  {reasonText(verdict.layers.attestation)} {reasonText(verdict.layers.batch)}{" "}
                  Therefore the anchors below were not checked.
                </p>
              </Alert>
            )}
          <Card title="Anchors">
            <ul class="layers">
              <AnchorItems bundle={bundle} verdict={verdict} isPinned={trust.isPinned} />
            </ul>
          </Card>
        </>
      )}
    />
  );
}
