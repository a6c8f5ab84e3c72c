/**
 * The result of the last check: what it means, what to do, and the evidence to keep.
 *
 * @module
 */

import type { SignedTreeHead } from "../../format/tree_head.ts";
import { VERIFY_REASONS } from "../../verify/reasons.ts";
import { Alert } from "../components/alert.tsx";
import { Badge, type Tone } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { DownloadButton } from "../components/download_button.tsx";
import { Failure, Spinner } from "../components/states.tsx";
import { findingText, memoryText } from "../finding_text.ts";
import { contradictionIn } from "../../client/fork_evidence.ts";
import type { LogCheck } from "../../client/log_check.ts";
import type { WatchState } from "../log_watch.ts";
import { relativeText } from "../text.ts";
import { HeadTable } from "./head_table.tsx";

interface ResultCardProps {
  readonly state: WatchState;
  readonly now: number;
  readonly recheck: () => void;
}

/** One card for every state of the watch. */
export function ResultCard({ state, now, recheck }: ResultCardProps) {
  const { check, fault, isChecking } = state;
  return (
    <Card
      title="Last check"
      aside={
        <>
          {check === undefined ? null : (
            <>
              <Badge tone={toneOf(check, state)}>{findingText(check).badge}</Badge>
              <span class="muted small">Checked {relativeText(check.checkedAt, now)}</span>
            </>
          )}
          <button type="button" class="button" disabled={isChecking} onClick={recheck}>
            {isChecking ? "Checking" : "Check again"}
          </button>
        </>
      }
    >
      {fault === undefined || isChecking
        ? null
        : <Failure error={fault} title="The log cannot be checked" />}
      {check === undefined ? isChecking ? <Spinner label="Checking the log" /> : null : (
        <Result
          check={check}
          networkId={state.trust?.network.id ?? ""}
          tone={toneOf(check, state)}
        />
      )}
    </Card>
  );
}

interface ResultProps {
  readonly check: LogCheck;
  readonly networkId: string;
  readonly tone: Tone;
}

/** Green is for what does not rest on the word of the gateway. */
function toneOf(check: LogCheck, { trust }: WatchState): Tone {
  const { tone } = findingText(check);
  return tone === "good" && !trust?.isPinned ? "info" : tone;
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
        <Downloads check={check} networkId={networkId} />
      </Alert>
      {memory === undefined ? null : <Alert tone="warn" title={memory} />}
      {heads.length === 0
        ? null
        : <HeadTable caption="Remembered and shown tree heads" heads={heads} />}
    </>
  );
}

function headsOf({ known, seen, finding }: LogCheck): [string, SignedTreeHead][] {
  const isOne = finding === "first" || finding === "same";
  return [
    ...(known === undefined || isOne
      ? []
      : [["Remembered", known.sth]] as [string, SignedTreeHead][]),
    ...(seen === undefined ? [] : [["Shown now", seen]] as [string, SignedTreeHead][]),
  ];
}

/** What verification or the gateway said, in its own words. */
function Why({ check: { outcome, fault } }: { readonly check: LogCheck }) {
  if (fault !== undefined) {
    return (
      <p class="failure-code">
        <code>{fault.code}</code> {fault.message}
      </p>
    );
  }
  if (outcome === undefined || outcome.valid || outcome.reason === undefined) return null;
  return (
    <p class="failure-code">
      <code>{outcome.reason}</code> {VERIFY_REASONS[outcome.reason]}
      {outcome.witness === undefined ? "" : ` (${outcome.witness})`}
    </p>
  );
}

function Downloads({ check, networkId }: { readonly check: LogCheck; readonly networkId: string }) {
  const { fork, finding, known, seen, proof } = check;
  const name = fileNameOf(networkId);
  if (fork !== undefined) return <Evidence {...fork} name={name} />;
  if (findingText(check).tone !== "bad") return null;
  const text = `${
    JSON.stringify(
      {
        finding,
        network_id: networkId,
        checked_at: check.checkedAt,
        known: known?.sth,
        seen,
        consistency_proof: proof,
      },
      undefined,
      2,
    )
  }\n`;
  return (
    <DownloadButton fileName={`${name}.${finding}.json`} text={text}>
      Download what was seen
    </DownloadButton>
  );
}

interface EvidenceProps {
  readonly evidence: string;
  readonly contradiction?: string | undefined;
  /** Of the files, without what tells them apart. */
  readonly name: string;
}

/** All that was seen, and what the command line verifies where that could be made. */
function Evidence({ evidence, contradiction, name }: EvidenceProps) {
  const file = `${name}.contradiction.json`;
  return (
    <div class="lines">
      <div class="row">
        <DownloadButton fileName={`${name}.fork.json`} text={evidence} primary>
          Download the evidence
        </DownloadButton>
        {contradiction === undefined ? null : (
          <DownloadButton fileName={file} text={contradiction}>
            Download for the command line
          </DownloadButton>
        )}
      </div>
      {contradiction === undefined
        ? (
          <p class="small">
            The gateway did not show the log key's own signature for both heads, which the command
            line asks for.
          </p>
        )
        : (
          <p class="small">
            Anyone who has the network's configuration can verify it offline:{" "}
            <code>countersign log contradictions --file {file} --network-config network.json</code>
          </p>
        )}
    </div>
  );
}

/** A name that every file system takes. */
export function fileNameOf(networkId: string): string {
  return networkId.replaceAll(/[^A-Za-z0-9.-]/g, "_") || "network";
}

interface KeptEvidenceProps {
  readonly evidence: string;
  readonly networkId: string;
}

/** Evidence of an earlier visit, which a good check today does not take away. */
export function KeptEvidence({ evidence, networkId }: KeptEvidenceProps) {
  return (
    <Card title="Evidence that was kept" aside={<Badge tone="bad">Fork</Badge>}>
      <Alert tone="bad" title="This browser has seen two histories of this log">
        <p>
          A gateway that shows one history again has not undone the other. The evidence stays here
          until you clear it.
        </p>
        <Evidence
          evidence={evidence}
          contradiction={contradictionIn(evidence)}
          name={fileNameOf(networkId)}
        />
      </Alert>
    </Card>
  );
}
