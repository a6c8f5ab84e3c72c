/**
 * The tree head that this browser remembers, and how to forget it.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { Alert } from "../components/alert.tsx";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Confirm } from "../components/confirm.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { FullTime } from "../components/relative_time.tsx";
import { Empty } from "../components/states.tsx";
import type { SavedHead } from "../../client/head_store.ts";
import { countText } from "../text.ts";

interface MemoryCardProps {
  readonly stored: SavedHead;
  /** Fingerprint of the configuration in use. */
  readonly fingerprint: string;
  readonly forget: () => void;
}

export function MemoryCard({ stored, fingerprint, forget }: MemoryCardProps) {
  return (
    <Card title="What this browser remembers">
      <Memory stored={stored} fingerprint={fingerprint} />
      {(stored.kind === "head" || stored.kind === "damaged") && <ForgetButton forget={forget} />}
    </Card>
  );
}

function Memory({ stored, fingerprint }: Omit<MemoryCardProps, "forget">) {
  switch (stored.kind) {
    case "none":
      return (
        <Empty title="Nothing yet">This browser remembers the first tree head that verifies.</Empty>
      );
    case "blocked":
      return (
        <Alert tone="warn" title="This browser does not let the page store anything">
          <p>Without memory every visit is the first one, and the page cannot notice a fork.</p>
        </Alert>
      );
    case "damaged":
      return (
        <Alert tone="warn" title="The stored tree head cannot be read">
          <p>The page does not change it unless you clear it.</p>
          <pre>{stored.text.slice(0, 400)}</pre>
        </Alert>
      );
    case "head": {
      const { sth, seenAt, logSignature } = stored.head;
      const { tree_size, root_hash, timestamp } = sth.tree_head;
      return (
        <KeyValues
          items={{
            "Size": countText(tree_size),
            "Root": <HashText text={root_hash} what="remembered root" />,
            "Signed": <FullTime time={timestamp} />,
            "Seen here": <FullTime time={seenAt} />,
            "Verified under": stored.head.fingerprint === fingerprint
              ? "the configuration in use"
              : <HashText text={stored.head.fingerprint} what="fingerprint" />,
            "Log key's signature": logSignature === undefined
              ? "not shown by the gateway"
              : "stored",
          }}
        />
      );
    }
  }
}

function ForgetButton({ forget }: Pick<MemoryCardProps, "forget">) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) {
    return (
      <div>
        <Button onClick={() => setOpen(true)}>Forget this log</Button>
      </div>
    );
  }
  return (
    <Confirm
      title="Forget the tree head and all evidence of this log?"
      accept="Forget it"
      onAccept={() => {
        setOpen(false);
        forget();
      }}
      cancel="Keep it"
      onCancel={() => setOpen(false)}
    >
      <p>
        The next visit is the first one again. If the gateway shows another log from now on, this
        browser cannot notice it.
      </p>
    </Confirm>
  );
}
