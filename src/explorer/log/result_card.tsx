/**
 * The result of the last check, with its meaning and advice.
 *
 * @module
 */

import { reasonText } from "../../proof/verify/verdict_words.ts";
import { Alert } from "../components/alert.tsx";
import { Badge, type Tone } from "../components/badge.tsx";
import { Button, DownloadButton } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { RelativeTime } from "../components/relative_time.tsx";
import { Failure, Spinner } from "../components/states.tsx";
import { useOutage } from "../hooks.ts";
import { findingText, memoryText } from "../finding_text.ts";
import type { LogCheck } from "../../client/log_check.ts";
import { isUnanswered, type WatchState } from "../log_watch.ts";
import { Evidence, fileNameOf, HeadTable, type NamedHead } from "./evidence.tsx";

interface ResultCardProps {
  readonly state: WatchState;
  readonly recheck: () => void;
}

export function ResultCard({ state, recheck }: ResultCardProps) {
  const { check, fault, isChecking, trust } = state;
  // Its banner says that the gateway does not answer.
  const isAway = useOutage() !== undefined && isUnanswered(state);
  const text = check === undefined ? undefined : findingText(check);
  // Green only where the keys are pinned.
  const tone = text?.tone === "good" && !trust?.isPinned ? "info" : text?.tone;
  return (
    <Card
      title="Last check"
      aside={
        <>
          {check !== undefined && (
            <>
              <Badge tone={tone!}>{text!.badge}</Badge>
              <span class="muted small">
                Checked <RelativeTime time={check.checkedAt} />
              </span>
            </>
          )}
          <Button disabled={isChecking} onClick={recheck}>
            <span class="recheck">{isChecking ? "Checking" : "Check again"}</span>
          </Button>
        </>
      }
    >
      {isAway
        ? <p class="muted">The log is checked when the gateway answers again.</p>
        : fault === undefined || isChecking
        ? null
        : <Failure error={fault} title="Cannot check the log" />}
      {check === undefined || isAway
        ? isChecking && !isAway ? <Spinner label="Checking the log" /> : null
        : <Result check={check} networkId={trust?.network.id ?? ""} tone={tone!} />}
    </Card>
  );
}

interface ResultProps {
  readonly check: LogCheck;
  readonly networkId: string;
  readonly tone: Tone;
}

function Result({ check, networkId, tone }: ResultProps) {
  const text = findingText(check);
  const memory = memoryText(check);
  const heads = headsOf(check);
  return (
    <>
      <Alert tone={tone} live title={text.title}>
        <p>{text.meaning}</p>
        <Why check={check} />
        {text.steps.length === 0 ? null : (
          <ol class="next-steps">
            {text.steps.map((step) => <li key={step}>{step}</li>)}
          </ol>
        )}
        {check.evidence !== undefined
          ? <Evidence evidence={check.evidence} networkId={networkId} />
          : text.tone === "bad"
          ? (
            <DownloadButton
              fileName={`${fileNameOf(networkId)}.${check.finding}.json`}
              text={checkText(check, networkId)}
            >
              Download what was seen
            </DownloadButton>
          )
          : null}
      </Alert>
      {memory !== undefined && <Alert tone="warn" title={memory} />}
      {heads.length === 0
        ? null
        : <HeadTable caption="Remembered and shown tree heads" heads={heads} />}
    </>
  );
}

/** The remembered head is left out where the shown one is the same. */
function headsOf({ known, seen, finding }: LogCheck): readonly NamedHead[] {
  const heads: NamedHead[] = [];
  const isSame = finding === "first" || finding === "same";
  if (known !== undefined && !isSame) heads.push(["Remembered", known.sth]);
  if (seen !== undefined) heads.push(["Shown now", seen]);
  return heads;
}

/** The code and the message of what failed. */
function Why({ check: { outcome, fault } }: { readonly check: LogCheck }) {
  const isValid = outcome === undefined || outcome.valid || outcome.reason === undefined;
  if (fault === undefined && isValid) return null;
  return (
    <p class="failure-code">
      <code>{fault?.code ?? outcome?.reason}</code> {fault?.message ?? reasonText(outcome!)}
    </p>
  );
}

function checkText(check: LogCheck, networkId: string): string {
  const { finding, checkedAt, known, seen, proof } = check;
  const record = {
    finding,
    network_id: networkId,
    checked_at: checkedAt,
    known: known?.sth,
    seen,
    consistency_proof: proof,
  };
  return `${JSON.stringify(record, undefined, 2)}\n`;
}
