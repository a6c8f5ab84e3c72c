/**
 * The cards of one batch: its tree head, the signatures of the head, and its attestations.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import type { Batch } from "../../proof/format/bundle.ts";
import { isEd25519Set } from "../../proof/format/signature_set.ts";
import type { CheckedHead } from "../checked.ts";
import { Alert } from "../components/alert.tsx";
import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { Pager } from "../components/pager.tsx";
import { FullTime } from "../components/relative_time.tsx";
import { Empty, LoadedView } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { readEntries } from "../entry_reader.ts";
import { useLoaded } from "../hooks.ts";
import { hrefOf } from "../route.ts";
import { useServices } from "../services.ts";
import { momentText } from "../../base/moment_text.ts";
import { countText, durationText, plural } from "../text.ts";
import { BatchLink, SignedBy, TrustNote } from "./signed_by.tsx";

const ROWS = 25;

interface BatchHeadCardProps {
  readonly batch: Batch;
  readonly head: CheckedHead;
}

/** The head, and a warning where the gateway's list contradicts it. */
export function BatchHeadCard({ batch, head }: BatchHeadCardProps) {
  const { sth, outcome, trust } = head;
  const { tree_size, root_hash, timestamp, network_id } = sth.tree_head;
  const { first_index, attestation_count, period_start, period_end } = batch;
  const isSame = batch.root_hash === root_hash && batch.network_id === network_id;
  return (
    <Card title="Tree head">
      {isSame ? null : (
        <Alert tone="bad" title="The batch and its tree head have different roots">
          <p>
            The gateway lists root <code>{batch.root_hash}</code>{" "}
            for this batch; the tree head of its size has another. Only the signed root counts.
          </p>
        </Alert>
      )}
      <KeyValues
        items={{
          "Log size": countText(tree_size),
          "Root": <HashText text={root_hash} what="root hash" />,
          "Signed": <FullTime time={timestamp} />,
          "Witnesses": <SignedBy outcome={outcome} isPinned={trust.isPinned} />,
          "Attestations": sequencesText(first_index, attestation_count),
          "Time covered": period_start === 0
            ? "from the beginning of the log"
            : `${durationText(period_end - period_start)}, from ${momentText(period_start)}`,
          "Previous batch": first_index === 0
            ? "none, this is the first"
            : <BatchLink id={first_index} />,
        }}
      />
      <TrustNote isPinned={trust.isPinned} />
    </Card>
  );
}

function sequencesText(first: number, count: number): string {
  const range = count === 1
    ? `position ${countText(first)}`
    : `positions ${countText(first)} to ${countText(first + count - 1)}`;
  return `${plural(count, "attestation")}, ${range}`;
}

export function SignatureCard({ head: { sth, outcome, trust } }: { readonly head: CheckedHead }) {
  const configured = new Set(trust.network.witnesses.map(({ id }) => id));
  const badge = (id: string) =>
    outcome.signers.includes(id)
      ? <Badge tone="good">Valid</Badge>
      : configured.has(id)
      ? <Badge tone="bad">Not valid</Badge>
      : <Badge tone="neutral">Not a configured witness</Badge>;
  return (
    <Card title="Signatures">
      {isEd25519Set(sth)
        ? (
          <Table
            caption="Signatures of the tree head"
            rows={sth.signatures}
            columns={[
              ["Witness", ({ witness_id }) => <span class="mono">{witness_id}</span>],
              ["State", ({ witness_id }) => badge(witness_id)],
              [
                "Signature",
                ({ witness_id, signature }) => (
                  <HashText text={signature} what={`signature of ${witness_id}`} />
                ),
              ],
            ]}
          />
        )
        : (
          <KeyValues
            items={{
              "Aggregate": <HashText text={sth.signature} what="aggregate signature" />,
              "Signers": (
                <span class="lines mono">
                  {sth.signers.map((id) => <span key={id}>{id}</span>)}
                </span>
              ),
            }}
          />
        )}
    </Card>
  );
}

/** The attestations, one page at a time. */
export function EntriesCard({ batch }: { readonly batch: Batch }) {
  const services = useServices();
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
      <LoadedView
        loaded={entries}
        what="the attestations"
        retry={retry}
        render={(rows) =>
          rows.length === 0 ? <Empty title="This batch is empty" /> : (
            <Table
              caption="Attestations in the order of the log"
              rows={rows}
              keyOf={({ sequence }) => sequence}
              columns={[
                ["Position", ({ sequence }) => countText(sequence)],
                [
                  "Hash",
                  ({ hash }) => <HashText text={hash} href={hrefOf({ page: "proof", hash })} />,
                ],
                ["Signed", ({ timestamp }) => <span class="nowrap">{momentText(timestamp)}</span>],
              ]}
            />
          )}
      />
      <Pager
        label="Pages of attestations"
        names={["Previous", "Next"]}
        onBack={page === 0 ? undefined : () => setPage(page - 1)}
        onNext={end >= tree_size ? undefined : () => setPage(page + 1)}
      >
        {`${countText(start)} to ${countText(end - 1)}`}
      </Pager>
    </Card>
  );
}
