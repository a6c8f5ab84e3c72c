/**
 * The latest tree head.
 *
 * @module
 */

import { type CheckedHead, isRefusal } from "../checked.ts";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { FullTime } from "../components/relative_time.tsx";
import { Empty, LoadedView } from "../components/states.tsx";
import type { Loaded } from "../hooks.ts";
import { useServices } from "../services.ts";
import { countText } from "../text.ts";
import { BatchLink, SignedBy, TrustNote } from "./signed_by.tsx";

interface HeadCardProps {
  readonly head: Loaded<CheckedHead>;
  readonly retry: () => void;
}

export function HeadCard({ head, retry }: HeadCardProps) {
  return (
    <Card title="Latest tree head">
      {isEmptyLog(head)
        ? <Empty title="The log is empty">The first batch publishes its first tree head.</Empty>
        : (
          <LoadedView
            loaded={head}
            what="the tree head"
            retry={retry}
            render={(checked) => <Head {...checked} />}
          />
        )}
    </Card>
  );
}

/** Whether the gateway has not published a head yet. */
export function isEmptyLog(head: Loaded<CheckedHead>): boolean {
  return head.state === "failed" && isRefusal(head.error, "no_tree_head");
}

function Head({ sth, outcome, trust }: CheckedHead) {
  const { copy } = useServices();
  const { tree_size, root_hash, timestamp } = sth.tree_head;
  return (
    <>
      <p class="figure-line">
        <span class="figure">{countText(tree_size)}</span>
        <span class="muted">attestations in the log</span>
      </p>
      <KeyValues
        items={{
          "Root": <HashText text={root_hash} what="root hash" />,
          "Signed": <FullTime time={timestamp} />,
          "Witnesses": <SignedBy outcome={outcome} isPinned={trust.isPinned} />,
          "Batch": copy === undefined ? <BatchLink id={tree_size} /> : undefined,
        }}
      />
      <TrustNote isPinned={trust.isPinned} />
    </>
  );
}
