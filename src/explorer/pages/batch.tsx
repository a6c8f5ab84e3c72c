/**
 * One batch.
 *
 * @module
 */

import { Alert } from "../components/alert.tsx";
import { PageHead } from "../components/page_head.tsx";
import { Failure, Spinner } from "../components/states.tsx";
import { checkedBundle } from "../checked_bundle.ts";
import { readEntries } from "../entry_reader.ts";
import { AnchorCard } from "../explore/anchor_view.tsx";
import { FailedLayers } from "../explore/attestation_view.tsx";
import { BackToExplore } from "../explore/back_link.tsx";
import { BatchHeadCard, EntriesCard, SignatureCard } from "../explore/batch_view.tsx";
import type { Batch } from "../../format/bundle.ts";
import { useLoaded, useNow, useTrust } from "../hooks.ts";
import type { PageProps, Services } from "../services.ts";
import { countText } from "../text.ts";
import { checkedHead, trustKey } from "../trust_in_use.ts";

export function BatchPage({ services, id }: PageProps & { readonly id: number }) {
  const now = useNow(services.clock);
  const key = trustKey(useTrust(services.trust));
  const [loaded, retry] = useLoaded(async (signal) => {
    const [{ value: batch }, head] = await Promise.all([
      services.api.batch(id, signal),
      checkedHead(services, id, signal),
    ]);
    return { batch, head };
  }, [id, key]);
  return (
    <>
      <BackToExplore />
      <PageHead title={`Batch ${countText(id)}`}>
        The growth of the log between two tree heads. Its number is the size of the log at its end.
      </PageHead>
      {loaded.state === "failed"
        ? <Failure error={loaded.error} title="The batch cannot be shown" retry={retry} />
        : null}
      {loaded.value === undefined
        ? loaded.state === "loading" ? <Spinner label="Reading the batch" /> : null
        : (
          <>
            <BatchHeadCard {...loaded.value} now={now} />
            <SignatureCard head={loaded.value.head} />
            <Anchors services={services} batch={loaded.value.batch} trustKey={key} />
            <EntriesCard services={services} batch={loaded.value.batch} />
          </>
        )}
    </>
  );
}

interface AnchorsProps {
  readonly services: Services;
  readonly batch: Batch;
  readonly trustKey: string;
}

/** Anchors are shown by bundles: that of the first attestation has those of its batch. */
function Anchors({ services, batch, trustKey: key }: AnchorsProps) {
  const [loaded, retry] = useLoaded(async (signal) => {
    const { first_index: start, tree_size: size, network_id: networkId } = batch;
    const place = { start, end: start + 1, size, networkId };
    const [first] = await readEntries(services, place, signal);
    return await checkedBundle(services, first!.hash, signal);
  }, [batch.id, key]);
  if (batch.attestation_count === 0) return null;
  if (loaded.state === "failed") {
    return <Failure error={loaded.error} title="The anchors cannot be shown" retry={retry} />;
  }
  if (loaded.value === undefined) return <Spinner label="Reading the anchors" />;
  const { bundle, verdict } = loaded.value;
  return (
    <>
      {verdict.layers.batch.status === "verified"
        ? null
        : (
          <Alert tone="bad" title="The first attestation of this batch is not shown to be in it">
            <p>The anchors below were therefore not checked.</p>
            <FailedLayers verdict={verdict} />
          </Alert>
        )}
      <AnchorCard bundle={bundle} verdict={verdict} />
    </>
  );
}
