/**
 * The configuration that the check of the log uses, and what it can prove.
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

export function TrustCard({ trust }: { readonly trust: LogTrust | undefined }) {
  return (
    <Card
      title="What you trust"
      aside={trust === undefined
        ? undefined
        : trust.isPinned
        ? <Badge tone="good">Pinned</Badge>
        : <Badge tone="warn">Not pinned</Badge>}
    >
      {trust !== undefined && (
        <KeyValues
          items={{
            "Network": <span class="mono">{trust.network.id}</span>,
            "Fingerprint": <HashText text={trust.fingerprint} what="fingerprint" />,
          }}
        />
      )}
      {trust?.isPinned === false && (
        <p>
          You have not pinned a configuration, so this page uses the witness keys that the gateway
          names. It still notices if the log changes from now on. It cannot notice a gateway that
          showed a false network on your first visit.{" "}
          <a href={hrefOf({ page: "verify" })}>Pin a configuration</a> from a source that you trust.
        </p>
      )}
      <p>
        This page comes from the gateway that it checks. To check without trusting the gateway's
        page, run the command line, which remembers the log in the same way:
      </p>
      <p class="row">
        <code>{COMMAND}</code>
        <CopyButton text={COMMAND} what="command" />
      </p>
    </Card>
  );
}
