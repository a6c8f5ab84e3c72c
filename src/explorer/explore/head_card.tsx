/**
 * The latest tree head.
 *
 * @module
 */

import { hasCode } from "../../errors.ts";
import { GatewayRefusal } from "../../format/gateway_refusal.ts";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { FullTime } from "../components/relative_time.tsx";
import { Empty, Failure, Spinner } from "../components/states.tsx";
import type { Loaded } from "../hooks.ts";
import { hrefOf } from "../route.ts";
import { countText } from "../text.ts";
import type { CheckedHead } from "../trust_in_use.ts";
import { SignedBy, TrustNote } from "./signed_by.tsx";

interface HeadCardProps {
  readonly head: Loaded<CheckedHead>;
  readonly now: number;
  readonly retry: () => void;
}

/** Size, root, time and signatures. */
export function HeadCard({ head, now, retry }: HeadCardProps) {
  return (
    <Card title="Latest tree head">
      {head.state === "failed" ? <HeadFailure error={head.error} retry={retry} /> : null}
      {head.state === "loading" && head.value === undefined
        ? <Spinner label="Reading the tree head" />
        : null}
      {head.value === undefined || isEmptyLog(head) ? null : <Head {...head.value} now={now} />}
    </Card>
  );
}

/** Whether the gateway says that there is no head yet. */
export function isEmptyLog(head: Loaded<CheckedHead>): boolean {
  return head.state === "failed" && hasCode(head.error, "gateway_refused") &&
    head.error instanceof GatewayRefusal && head.error.reason === "no_tree_head";
}

function HeadFailure({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  if (error instanceof GatewayRefusal && error.reason === "no_tree_head") {
    return (
      <Empty title="The log is empty">
        <p>The first tree head is published with the first batch.</p>
      </Empty>
    );
  }
  return <Failure error={error} title="The tree head cannot be shown" retry={retry} />;
}

function Head({ sth, outcome, trust, now }: CheckedHead & { readonly now: number }) {
  const { tree_size, root_hash, timestamp } = sth.tree_head;
  return (
    <>
      <p class="figure-line">
        <span class="figure">{countText(tree_size)}</span>
        <span class="muted">attestations in the log</span>
      </p>
      <KeyValues
        items={[
          ["Root", <HashText key="value" text={root_hash} what="root hash" />],
          ["Signed", <FullTime key="value" time={timestamp} now={now} />],
          ["Witnesses", <SignedBy key="value" outcome={outcome} isPinned={trust.isPinned} />],
          [
            "Batch",
            <a key="value" href={hrefOf({ page: "batch", id: tree_size })}>
              {countText(tree_size)}
            </a>,
          ],
        ]}
      />
      <TrustNote isPinned={trust.isPinned} />
    </>
  );
}
