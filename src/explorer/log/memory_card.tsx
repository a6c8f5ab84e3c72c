/**
 * What this browser remembers of the log, and the one way to forget it.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { Alert } from "../components/alert.tsx";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { FullTime } from "../components/relative_time.tsx";
import { Empty } from "../components/states.tsx";
import type { StoredHead } from "../../client/head_store.ts";
import { countText } from "../text.ts";

interface MemoryCardProps {
  readonly stored: StoredHead;
  /** Fingerprint of the configuration in use. */
  readonly fingerprint: string;
  readonly now: number;
  readonly forget: () => void;
}

/** The remembered head; why there is none. */
export function MemoryCard({ stored, fingerprint, now, forget }: MemoryCardProps) {
  return (
    <Card title="What this browser remembers">
      <Memory stored={stored} fingerprint={fingerprint} now={now} />
      {stored.kind === "head" || stored.kind === "damaged" ? <Forgetting forget={forget} /> : null}
    </Card>
  );
}

function Memory({ stored, fingerprint, now }: Omit<MemoryCardProps, "forget">) {
  switch (stored.kind) {
    case "none":
      return <Empty title="Nothing yet">The first head that verifies is remembered.</Empty>;
    case "blocked":
      return (
        <Alert tone="warn" title="This browser does not let the page remember anything">
          <p>Without a memory every visit is like the first, and no fork can be noticed.</p>
        </Alert>
      );
    case "damaged":
      return (
        <Alert tone="warn" title="What is kept here cannot be read">
          <p>It is left as it is, so that nothing of it gets lost without your word.</p>
          <pre>{stored.text.slice(0, 400)}</pre>
        </Alert>
      );
    case "head": {
      const { sth, seenAt, logSignature } = stored.head;
      const { tree_size, root_hash, timestamp } = sth.tree_head;
      return (
        <KeyValues
          items={[
            ["Size", countText(tree_size)],
            ["Root", <HashText key="value" text={root_hash} what="remembered root" />],
            ["Signed", <FullTime key="value" time={timestamp} now={now} />],
            ["Seen here", <FullTime key="value" time={seenAt} now={now} />],
            [
              "Verified under",
              stored.head.fingerprint === fingerprint
                ? "the configuration in use"
                : <HashText key="value" text={stored.head.fingerprint} what="fingerprint" />,
            ],
            [
              "Log key's signature",
              logSignature === undefined ? "not shown by the gateway" : "kept with it",
            ],
          ]}
        />
      );
    }
  }
}

/** Two steps, so that no slip takes away what nobody else has. */
function Forgetting({ forget }: { readonly forget: () => void }) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <div>
        <button type="button" class="button" onClick={() => setAsking(true)}>
          Forget this log
        </button>
      </div>
    );
  }
  return (
    <Alert tone="warn" live title="Forget the tree head, and all evidence of this log?">
      <p>
        The next visit is then like the first: a gateway that shows another log from now on would
        not be noticed here.
      </p>
      <div class="row">
        <button
          type="button"
          class="button"
          onClick={() => {
            setAsking(false);
            forget();
          }}
        >
          Forget it
        </button>
        <button type="button" class="button button-primary" onClick={() => setAsking(false)}>
          Keep it
        </button>
      </div>
    </Alert>
  );
}
