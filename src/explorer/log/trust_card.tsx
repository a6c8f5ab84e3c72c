/**
 * Whom the reader trusts for what this page says.
 *
 * @module
 */

import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { CopyButton } from "../components/copy_button.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import type { LogTrust } from "../log_watch.ts";
import { hrefOf } from "../route.ts";

const COMMAND = "countersign log sth --verify";

/** The configuration in use, and what it can and cannot show. */
export function TrustCard({ trust }: { readonly trust: LogTrust | undefined }) {
  return (
    <Card
      title="What this rests on"
      aside={trust === undefined
        ? undefined
        : trust.isPinned
        ? <Badge tone="good">Pinned</Badge>
        : <Badge tone="warn">Not pinned</Badge>}
    >
      {trust === undefined ? null : (
        <KeyValues
          items={[
            ["Network", <span key="value" class="mono">{trust.network.id}</span>],
            ["Fingerprint", <HashText key="value" text={trust.fingerprint} what="fingerprint" />],
          ]}
        />
      )}
      {trust?.isPinned === false
        ? (
          <p>
            You have pinned no configuration, so the witnesses' keys are those that this gateway
            names. A log that changes from now on is still noticed. A gateway that lied on your
            first visit, with a network of its own, is not.{" "}
            <a href={hrefOf({ page: "verify" })}>Pin a configuration</a>{" "}
            from a source that you trust.
          </p>
        )
        : null}
      <p>
        This page comes from the gateway that it checks. To depend on it for nothing, check from a
        program of your own, which remembers the log in the same way:
      </p>
      <p class="row">
        <code>{COMMAND}</code>
        <CopyButton text={COMMAND} what="command" />
      </p>
    </Card>
  );
}
