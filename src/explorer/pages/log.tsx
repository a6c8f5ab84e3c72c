/**
 * Check the log: compares the gateway's tree head with the one that this browser remembers.
 *
 * @module
 */

import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { CopyButton } from "../components/copy_button.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { PageHead } from "../components/page_head.tsx";
import { useStore } from "../hooks.ts";
import { KeptEvidence } from "../log/evidence.tsx";
import { MemoryCard } from "../log/memory_card.tsx";
import { ResultCard } from "../log/result_card.tsx";
import type { LogTrust } from "../log_watch.ts";
import { hrefOf } from "../route.ts";
import { useServices } from "../services.ts";
import { headCommand } from "../stamp/command_line.ts";

export function LogPage() {
  const { watch } = useServices();
  const state = useStore(watch);
  const { trust, check, evidence } = state;
  const stored = watch.stored();
  const isFirst = check === undefined && state.isChecking;
  return (
    <>
      <PageHead title="Check the log">
        A transparency log may only grow. This browser remembers the last tree head that it saw. At
        every visit, on every page, the gateway must prove that its log grew from there.
      </PageHead>
      <ResultCard state={state} recheck={() => void watch.check()} />
      {evidence === undefined || check?.evidence !== undefined
        ? null
        : <KeptEvidence evidence={evidence} networkId={trust?.network.id ?? ""} />}
      {/* Not before the first result, which would move it. */}
      {isFirst ? null : (
        <div class="grid">
          {stored === undefined || trust === undefined ? null : (
            <MemoryCard
              stored={stored}
              fingerprint={trust.fingerprint}
              forget={() => void watch.forget()}
            />
          )}
          <TrustCard trust={trust} />
        </div>
      )}
    </>
  );
}

function TrustCard({ trust }: { readonly trust: LogTrust | undefined }) {
  const { api, copy } = useServices();
  const command = headCommand(api.url, copy !== undefined);
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
        This page comes {copy === undefined ? "from the gateway" : "with the copy"} that it checks.
        {" "}
        To check without trusting the page, run the command line, which remembers the log in the
        same way:
      </p>
      <p class="row">
        <code>{command}</code>
        <CopyButton text={command} what="command" />
      </p>
    </Card>
  );
}
