/**
 * One batch: the tree head that closes it, what others say of it, and the attestations in it.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import type { Attestation } from "../../format/attestation.ts";
import type { Batch } from "../../format/bundle.ts";
import { isEd25519Set } from "../../format/signature_set.ts";
import { Alert } from "../components/alert.tsx";
import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { FullTime } from "../components/relative_time.tsx";
import { Empty, Failure, Spinner } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { readEntries } from "../entry_reader.ts";
import { useLoaded } from "../hooks.ts";
import { hrefOf } from "../route.ts";
import type { Services } from "../services.ts";
import { countText, durationText, plural, timeText } from "../text.ts";
import type { CheckedHead } from "../trust_in_use.ts";
import { SignedBy, TrustNote } from "./signed_by.tsx";

const ROWS = 25;

interface BatchHeadCardProps {
  readonly batch: Batch;
  readonly head: CheckedHead;
  readonly now: number;
}

/** The closing head, and whether the gateway's list agrees with it. */
export function BatchHeadCard({ batch, head, now }: BatchHeadCardProps) {
  const { sth, outcome, trust } = head;
  const { tree_size, root_hash, timestamp, network_id } = sth.tree_head;
  const { first_index, attestation_count, period_start, period_end } = batch;
  const isSame = batch.root_hash === root_hash && batch.network_id === network_id;
  return (
    <Card title="Tree head">
      {isSame ? null : (
        <Alert tone="bad" title="The batch and its tree head name different roots">
          <p>
            The gateway lists root <code>{batch.root_hash}</code>{" "}
            for this batch; the tree head of its size has another. Only what is signed counts.
          </p>
        </Alert>
      )}
      <KeyValues
        items={[
          ["Log size", countText(tree_size)],
          ["Root", <HashText key="value" text={root_hash} what="root hash" />],
          ["Signed", <FullTime key="value" time={timestamp} now={now} />],
          ["Witnesses", <SignedBy key="value" outcome={outcome} isPinned={trust.isPinned} />],
          ["Attestations", placesText(first_index, attestation_count)],
          [
            "Time covered",
            period_start === 0
              ? "from the beginning of the log"
              : `${durationText(period_end - period_start)}, from ${timeText(period_start)}`,
          ],
          ["Batch before", <Before key="value" firstIndex={first_index} />],
        ]}
      />
      <TrustNote isPinned={trust.isPinned} />
    </Card>
  );
}

function placesText(first: number, count: number): string {
  const range = count === 1
    ? `sequence ${countText(first)}`
    : `sequences ${countText(first)} to ${countText(first + count - 1)}`;
  return `${plural(count, "attestation")}, ${range}`;
}

function Before({ firstIndex }: { readonly firstIndex: number }) {
  return firstIndex === 0
    ? <span>none, this is the first</span>
    : <a href={hrefOf({ page: "batch", id: firstIndex })}>{countText(firstIndex)}</a>;
}

/** Each signature of the closing head, as it is. */
export function SignatureCard({ head: { sth, outcome, trust } }: { readonly head: CheckedHead }) {
  const counted = new Set(outcome.signers);
  const known = new Set(trust.network.witnesses.map(({ id }) => id));
  return (
    <Card title="Signatures">
      {isEd25519Set(sth)
        ? (
          <Table
            caption="Signatures of the tree head"
            columns={[{ name: "Witness" }, { name: "State" }, { name: "Signature" }]}
            rows={sth.signatures.map(({ witness_id: id, signature }) => ({
              key: id,
              cells: [
                <span key="value" class="mono">{id}</span>,
                <SignatureState key="state" isCounted={counted.has(id)} isKnown={known.has(id)} />,
                <HashText key="value" text={signature} what={`signature of ${id}`} />,
              ],
            }))}
          />
        )
        : (
          <KeyValues
            items={[
              [
                "Aggregate",
                <HashText key="value" text={sth.signature} what="aggregate signature" />,
              ],
              [
                "Signers",
                <span key="value" class="lines mono">
                  {sth.signers.map((id) => <span key={id}>{id}</span>)}
                </span>,
              ],
            ]}
          />
        )}
    </Card>
  );
}

interface SignatureStateProps {
  readonly isCounted: boolean;
  readonly isKnown: boolean;
}

function SignatureState({ isCounted, isKnown }: SignatureStateProps) {
  if (isCounted) return <Badge tone="good">Valid</Badge>;
  return isKnown
    ? <Badge tone="bad">Not valid</Badge>
    : <Badge tone="neutral">Not a configured witness</Badge>;
}

interface EntriesCardProps {
  readonly services: Services;
  readonly batch: Batch;
}

/** The attestations, a page at a time. */
export function EntriesCard({ services, batch }: EntriesCardProps) {
  const [page, setPage] = useState(0);
  const { first_index, tree_size, network_id, attestation_count: count } = batch;
  const start = first_index + page * ROWS;
  const end = Math.min(tree_size, start + ROWS);
  const [entries, retry] = useLoaded(
    (signal) =>
      readEntries(services, { start, end, size: tree_size, networkId: network_id }, signal),
    [batch.id, page],
  );
  return (
    <Card title="Attestations" aside={<span class="muted">{countText(count)}</span>}>
      {entries.state === "failed"
        ? <Failure error={entries.error} title="The attestations cannot be shown" retry={retry} />
        : null}
      {entries.value === undefined
        ? entries.state === "loading" ? <Spinner label="Reading the attestations" /> : null
        : entries.value.length === 0
        ? <Empty title="This batch is empty" />
        : <EntryTable entries={entries.value} />}
      {count <= ROWS ? null : (
        <nav class="pager" aria-label="Pages of attestations">
          <button
            type="button"
            class="button"
            disabled={page === 0}
            onClick={() => setPage(page - 1)}
          >
            Before
          </button>
          <span class="muted small">{`${countText(start)} to ${countText(end - 1)}`}</span>
          <button
            type="button"
            class="button"
            disabled={end >= tree_size}
            onClick={() => setPage(page + 1)}
          >
            After
          </button>
        </nav>
      )}
    </Card>
  );
}

function EntryTable({ entries }: { readonly entries: readonly Attestation[] }) {
  return (
    <Table
      caption="Attestations in the order of the log"
      columns={[{ name: "Sequence" }, { name: "Hash" }, { name: "Signed" }]}
      rows={entries.map(({ sequence, hash, timestamp }) => ({
        key: sequence,
        cells: [
          countText(sequence),
          <HashText key="value" text={hash} href={hrefOf({ page: "attestation", hash })} />,
          <span key="value" class="nowrap">{timeText(timestamp)}</span>,
        ],
      }))}
    />
  );
}
