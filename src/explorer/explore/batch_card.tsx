/**
 * The list of batches, one page at a time.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { Pager } from "../components/pager.tsx";
import { RelativeTime } from "../components/relative_time.tsx";
import { Empty, Failure, Loading } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { countText, durationText } from "../text.ts";
import { BatchLink } from "./signed_by.tsx";
import type { Batches } from "./use_batches.ts";

const ROWS = 10;

/** Latest first. */
export function BatchCard({ list }: { readonly list: Batches }) {
  const [chosen, setPage] = useState(0);
  const { batches, isLoading, isWhole, error, older, refresh } = list;
  // The last page stays while the next one loads.
  const page = Math.min(chosen, Math.max(0, Math.ceil(batches.length / ROWS) - 1));
  const rows = batches.slice(page * ROWS, (page + 1) * ROWS);
  const hasMore = (page + 1) * ROWS < batches.length || !isWhole;
  const showOlder = () => {
    if ((page + 2) * ROWS >= batches.length && !isWhole) older();
    setPage(page + 1);
  };
  return (
    <Card title="Batches">
      {error !== undefined && (
        <Failure error={error} title="Cannot show the batches" retry={refresh} />
      )}
      {rows.length > 0
        ? (
          <>
            <Table
              caption="Batches, latest first"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                ["Batch", ({ id }) => <BatchLink id={id} />],
                ["Attestations", (batch) => countText(batch.attestation_count), "numeric"],
                ["Closed", (batch) => (
                  <span class="nowrap">
                    <RelativeTime time={batch.period_end} />
                  </span>
                )],
                ["Interval", ({ period_start: start, period_end: end }) =>
                  start === 0 ? "first" : durationText(end - start), "numeric"],
                ["Root", (batch) => <HashText text={batch.root_hash} />],
              ]}
            />
            <Pager
              label="Pages of batches"
              onBack={page === 0 ? undefined : () =>
                setPage(page - 1)}
              onNext={hasMore ? showOlder : undefined}
            >
              {`${countText(rows.at(-1)!.id)} to ${countText(rows[0]!.id)}`}
            </Pager>
          </>
        )
        : isLoading
        ? <Loading what="the batches" />
        : error === undefined
        ? <Empty title="No batch yet">The first one closes soon after the first attestation.</Empty>
        : null}
    </Card>
  );
}
