/**
 * Evidence against peers that the gateway stores. It is verified in this browser if the peer's
 * configuration is pinned.
 *
 * @module
 */

import { type AnyContradiction, encodeContradiction } from "../../proof/format/federation.ts";
import type { SignedTreeHead } from "../../proof/format/tree_head.ts";
import type { Outcome } from "../../proof/verify/reasons.ts";
import { verifyAnyContradiction } from "../../proof/verify/succession_conflict.ts";
import { reasonText } from "../../proof/verify/verdict_words.ts";
import { Alert } from "../components/alert.tsx";
import { Badge } from "../components/badge.tsx";
import { DownloadButton } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { LoadedView } from "../components/states.tsx";
import { useLoaded } from "../hooks.ts";
import { fileNameOf, HeadTable } from "../log/evidence.tsx";
import { type Services, useServices } from "../services.ts";
import { momentText } from "../../base/moment_text.ts";
import { plural } from "../text.ts";
import { trustInUse } from "../checked.ts";

interface Finding {
  readonly contradiction: AnyContradiction;
  /** Absent if no configuration of the accused network is pinned. */
  readonly result?: Outcome;
}

interface ContradictionCardProps {
  /** Contradictions by the gateway's status. */
  readonly count: number;
  readonly trustKey: string;
}

/** Nothing while there are none. */
export function ContradictionCard({ count, trustKey }: ContradictionCardProps) {
  const services = useServices();
  const [findings, retry] = useLoaded(
    (signal) => count === 0 ? Promise.resolve([]) : readFindings(services, signal),
    [count, trustKey],
  );
  if (count === 0) return null;
  return (
    <Card
      title="Peers that contradict themselves"
      aside={<Badge tone="bad">{plural(count, "contradiction")}</Badge>}
    >
      <LoadedView
        loaded={findings}
        what="the evidence"
        retry={retry}
        render={(list) => list.map((finding, i) => <One key={i} number={i + 1} {...finding} />)}
      />
    </Card>
  );
}

function One({ contradiction, result, number }: Finding & { readonly number: number }) {
  const { origin } = contradiction;
  const foundAt = "path" in contradiction ? contradiction.foundAt : contradiction.found_at;
  const [first, second] = headsOf(contradiction);
  return (
    <>
      <Alert tone={result?.valid ? "bad" : "warn"} title={titleOf(origin, result)}>
        <p>{meaningOf(contradiction, result)}</p>
        <p class="muted small">Found {momentText(foundAt)}, according to this gateway.</p>
        <DownloadButton
          fileName={`${fileNameOf(origin)}.contradiction.json`}
          text={encodeContradiction(contradiction)}
        >
          Download the evidence
        </DownloadButton>
      </Alert>
      <HeadTable
        caption={`Tree heads of contradiction ${number}`}
        heads={[["First", first], ["Second", second]]}
      />
    </>
  );
}

/** The two heads, or those with which the two successions ended their epoch. */
function headsOf(found: AnyContradiction): readonly [SignedTreeHead, SignedTreeHead] {
  if ("path" in found) return [found.first.sth, found.second.sth];
  const endOf = ({ end }: typeof found.first): SignedTreeHead => {
    const { tree_size, root_hash, timestamp, signatures } = end;
    return { tree_head: { network_id: found.origin, tree_size, timestamp, root_hash }, signatures };
  };
  return [endOf(found.first), endOf(found.second)];
}

function titleOf(origin: string, result: Outcome | undefined): string {
  if (result === undefined) return `${origin}: not verified`;
  return result.valid ? `${origin} signed two histories` : `${origin}: this proves nothing`;
}

function meaningOf(contradiction: AnyContradiction, result: Outcome | undefined): string {
  if (result === undefined) {
    return "No configuration of this peer is pinned in this browser. Pin it on the Verify page to " +
      "check the evidence here.";
  }
  if (result.valid) {
    return "path" in contradiction
      ? "Its witnesses and its log key signed both tree heads, and one log cannot have both."
      : `Its witnesses ended epoch ${contradiction.first.predecessor.epoch} twice, with these heads.`;
  }
  return reasonText(result);
}

async function readFindings(services: Services, signal: AbortSignal): Promise<Finding[]> {
  const [{ value }, trust, crypto] = await Promise.all([
    services.api.contradictions(signal),
    trustInUse(services, signal),
    services.crypto.crypto(),
  ]);
  return await Promise.all(value.map(async (contradiction) => {
    const accused = trust.peers.find(({ id }) => id === contradiction.origin);
    return accused === undefined
      ? { contradiction }
      : { contradiction, result: await verifyAnyContradiction(crypto, accused, contradiction) };
  }));
}
