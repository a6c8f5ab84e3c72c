/**
 * The list of batches, a page at a time.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import type { Batch } from "../../format/bundle.ts";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { RelativeTime } from "../components/relative_time.tsx";
import { Empty, Failure, Spinner } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { hrefOf } from "../route.ts";
import { countText, durationText } from "../text.ts";
import type { Batches } from "./use_batches.ts";

const ROWS = 10;

interface BatchCardProps {
  readonly list: Batches;
  readonly now: number;
}

/** Latest first. */
export function BatchCard({ list, now }: BatchCardProps) {
  const [asked, setPage] = useState(0);
  const { batches, isLoading, isWhole, error, older, refresh } = list;
  // A page that is on its way, or turns out not to be there, leaves the last one in sight.
  const page = Math.min(asked, Math.max(0, Math.ceil(batches.length / ROWS) - 1));
  const rows = batches.slice(page * ROWS, (page + 1) * ROWS);
  const hasMore = (page + 1) * ROWS < batches.length || !isWhole;
  const goOn = () => {
    if ((page + 2) * ROWS >= batches.length && !isWhole) older();
    setPage(page + 1);
  };
  return (
    <Card title="Batches">
      {error === undefined
        ? null
        : <Failure error={error} title="The batches cannot be shown" retry={refresh} />}
      {rows.length === 0
        ? isLoading
          ? <Spinner label="Reading the batches" />
          : error === undefined
          ? (
            <Empty title="No batch yet">
              The first one closes soon after the first attestation.
            </Empty>
          )
          : null
        : <BatchTable batches={rows} now={now} />}
      {rows.length === 0 || page === 0 && !hasMore
        ? null
        : (
          <nav class="pager" aria-label="Pages of batches">
            <button
              type="button"
              class="button"
              disabled={page === 0}
              onClick={() => setPage(page - 1)}
            >
              Newer
            </button>
            <span class="muted small">
              {`${countText(rows.at(-1)!.id)} to ${countText(rows[0]!.id)}`}
            </span>
            <button
              type="button"
              class="button"
              disabled={!hasMore}
              onClick={goOn}
            >
              Older
            </button>
          </nav>
        )}
    </Card>
  );
}

function BatchTable(
  { batches, now }: { readonly batches: readonly Batch[]; readonly now: number },
) {
  return (
    <Table
      caption="Batches, latest first"
      columns={[
        { name: "Batch" },
        { name: "Attestations", numeric: true },
        { name: "Closed" },
        { name: "Interval", numeric: true },
        { name: "Root" },
      ]}
      rows={batches.map((batch) => ({
        key: batch.id,
        cells: [
          <a key="value" href={hrefOf({ page: "batch", id: batch.id })}>{countText(batch.id)}</a>,
          countText(batch.attestation_count),
          <span key="value" class="nowrap">
            <RelativeTime time={batch.period_end} now={now} />
          </span>,
          batch.period_start === 0 ? "first" : durationText(batch.period_end - batch.period_start),
          <HashText key="value" text={batch.root_hash} />,
        ],
      }))}
    />
  );
}
