/**
 * An attestation of a copy, verified in this browser to be in the tree that the witnesses signed.
 *
 * @module
 */

import { reasonText } from "../../proof/verify/verdict_words.ts";
import { hasCode } from "../../base/errors.ts";
import { type InclusionResult, verifyInclusionProof } from "../../proof/verify/log_proofs.ts";
import { type TrustInUse, trustInUse, trustKey } from "../checked.ts";
import { Alert } from "../components/alert.tsx";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { PageHead } from "../components/page_head.tsx";
import { FullTime } from "../components/relative_time.tsx";
import { Empty, LoadedView } from "../components/states.tsx";
import { SignedBy, TrustNote } from "../explore/signed_by.tsx";
import { useLoaded, useStore } from "../hooks.ts";
import { type Services, useServices } from "../services.ts";
import { countText } from "../text.ts";
import type { CopyClient, CopyEntry } from "./copy_client.ts";

interface CheckedEntry extends CopyEntry {
  readonly result: InclusionResult;
  readonly trust: TrustInUse;
}

interface CopyEntryPageProps {
  readonly copy: CopyClient;
  /** A hash, or a position in the log. */
  readonly wanted: string | number;
}

export function CopyEntryPage({ copy, wanted }: CopyEntryPageProps) {
  const services = useServices();
  const key = trustKey(useStore(services.trust));
  const [entry, reload] = useLoaded(
    (signal) => checkedEntry(services, copy, wanted, signal),
    [wanted, key],
  );
  const isMissing = entry.state === "failed" &&
    (hasCode(entry.error, "hash_unknown") || hasCode(entry.error, "not_batched"));
  return (
    <>
      <PageHead title="Looked up in this copy" isBelowExplore>
        This page reads an attestation from the copy, and verifies in this browser that it is below
        the tree head that the witnesses signed.
      </PageHead>
      {isMissing ? <NotInCopy wanted={wanted} /> : (
        <LoadedView
          loaded={entry}
          what="the attestation"
          retry={reload}
          render={(checked) => <Entry {...checked} />}
        />
      )}
    </>
  );
}

async function checkedEntry(
  services: Services,
  copy: CopyClient,
  wanted: string | number,
  signal: AbortSignal,
): Promise<CheckedEntry> {
  const [trust, crypto, entry] = await Promise.all([
    trustInUse(services, signal),
    services.crypto.crypto(),
    copy.entry(wanted, signal),
  ]);
  const { hash } = entry.attestation;
  const result = await verifyInclusionProof(crypto, trust.network, entry.proof, { hash });
  return { ...entry, result, trust };
}

function NotInCopy({ wanted }: Pick<CopyEntryPageProps, "wanted">) {
  const name = typeof wanted === "number" ? `position ${countText(wanted)}` : "the hash";
  return (
    <Card title="Not found">
      {typeof wanted === "string" && <HashText text={wanted} what="hash" />}
      <Empty title={`This copy does not have ${name}`}>
        <p>It may be in the log since the copy was made.</p>
      </Empty>
    </Card>
  );
}

function Entry({ attestation, proof, result, trust }: CheckedEntry) {
  const { hash, timestamp, sequence } = attestation;
  return (
    <>
      {!result.valid && (
        <Alert tone="bad" title="Not verified">
          <p>{reasonText(result)}</p>
        </Alert>
      )}
      <Card title="Attestation">
        <KeyValues
          items={{
            "SHA-256": <HashText text={hash} what="hash" />,
            "Attested": <FullTime time={timestamp} />,
            "Position": countText(sequence),
            "In the tree of": `${countText(proof.tree_size)} attestations`,
            "Tree head": <SignedBy outcome={result} isPinned={trust.isPinned} />,
          }}
        />
        <TrustNote isPinned={trust.isPinned} />
      </Card>
    </>
  );
}
