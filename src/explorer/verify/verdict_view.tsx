/**
 * A verdict: one sentence, and closed below it the attestation, its time, layers, witnesses and
 * paths, and what the proof does not prove.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import type { ProofBundle } from "../../proof/format/bundle.ts";
import { NOT_PROVEN, type TimeBracket, VERIFY_REASONS } from "../../proof/verify/mod.ts";
import { boundText, contradictionText, intervalText } from "../../proof/verify/verdict_words.ts";
import type { TrustInUse } from "../checked.ts";
import { Alert } from "../components/alert.tsx";
import { Badge, type Tone } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { Table } from "../components/table.tsx";
import { TrialNote } from "../components/trial_note.tsx";
import { TrustNote } from "../explore/signed_by.tsx";
import { momentText } from "../../base/moment_text.ts";
import { countText, plural, witnessName } from "../text.ts";
import { trustedTone, type VerdictSentence, verdictSentence } from "../verdict_text.ts";
import { LayerList } from "./layer_list.tsx";
import { PathPicture } from "./path_picture.tsx";
import type { VerifiedBundle } from "./verified_bundle.ts";
import type { WitnessVerdict } from "./witness_rows.ts";

/** A proof and its verdict. */
export interface VerdictViewProps {
  readonly bundle: ProofBundle;
  readonly found: VerifiedBundle;
  readonly trust: TrustInUse;
  /** Name of the file that the proof was compared with. */
  readonly fileName: string | undefined;
}

/** The verdict in one sentence, and warnings about it. Green only under keys that the reader chose. */
export function VerdictBanner({ bundle, found, trust, fileName }: VerdictViewProps) {
  const { verdict, isOtherFile } = found;
  const { network } = trust;
  const said = verdictSentence({ bundle, verdict, network, fileName, isOtherFile });
  return (
    <Banner
      said={said}
      isGood={verdict.valid && !isOtherFile}
      trust={trust}
      fileName={fileName}
      what="proof"
    />
  );
}

interface BannerProps extends Pick<VerdictViewProps, "trust" | "fileName"> {
  readonly said: VerdictSentence;
  readonly isGood: boolean;
  readonly what: "proof" | "token";
}

export function Banner({ said, isGood, trust, fileName, what }: BannerProps) {
  const { tone, sentence, notes } = said;
  const { network, pins, isPinned } = trust;
  return (
    <div class="verdict">
      <Alert
        tone={trustedTone(tone, pins)}
        icon={isGood ? "seal" : tone === "warn" ? "warning" : "cross"}
        live
        title={sentence}
      >
        {notes.map((note) => <p key={note}>{note}</p>)}
        {isGood && fileName === undefined && (
          <p>
            No file was compared yet: choose yours below to see whether the {what} is about it.
          </p>
        )}
        {isGood && <TrialNote witnesses={network.witnesses} />}
        {!isPinned && <TrustNote isPinned={false} />}
      </Alert>
      {pins?.home.source === "gateway" && (
        <Alert tone="warn" title="The configuration came from the gateway">
          <p>This verdict is right only if the gateway did not lie about its own keys.</p>
        </Alert>
      )}
    </div>
  );
}

interface VerdictDetailsProps extends VerdictViewProps {
  /** What `hash` of the attestation is: the SHA-256 of the file by default. */
  readonly hashLabel?: string;
  /** More cards. */
  readonly children?: Child;
}

/** Everything below the sentence, closed at first. */
export function VerdictDetails(
  { bundle, found, trust, hashLabel = "SHA-256", children }: VerdictDetailsProps,
) {
  const { verdict, witnesses, leafHash, paths } = found;
  const { attestation, round } = bundle.signed_attestation;
  const { network, isPinned } = trust;
  return (
    <details class="technical">
      <summary>Technical details</summary>
      <div class="stack">
        <div class="grid">
          <Card title="What was attested">
            <KeyValues
              items={{
                [hashLabel]: <HashText text={attestation.hash} what="hash" />,
                "Network": attestation.network_id,
                "Time": momentText(attestation.timestamp),
                "Position in the log": countText(attestation.sequence),
                "Signed with": round.size === 1
                  ? "no other attestation"
                  : `${plural(round.size - 1, "other")} in one round`,
              }}
            />
          </Card>
          <Card title="When it was signed">
            <TimeView time={verdict.time} />
          </Card>
        </div>
        <Card title="Layers">
          <LayerList bundle={bundle} verdict={verdict} isPinned={isPinned} />
        </Card>
        <Card title={`Witnesses of ${network.id}`}>
          <Table
            caption="Witnesses and what they signed"
            rows={witnesses}
            keyOf={({ id }) => id}
            columns={[
              [
                "Witness",
                ({ id }) => <span class="witness-id">{witnessName(id, network.id)}</span>,
              ],
              ["Attestation", ({ attestation }) => <WitnessBadge state={attestation} />],
              ["Tree head", ({ head }) =>
                head === undefined
                  ? <span class="muted">none</span>
                  : <WitnessBadge state={head} />],
            ]}
          />
        </Card>
        {paths.length === 0 ? null : (
          <Card title="Path to the root">
            <div class="paths">
              {paths.map((path) => <PathPicture key={path.tree} leafHash={leafHash} {...path} />)}
            </div>
          </Card>
        )}
        <Card title="What this does not prove">
          <Limits trust={trust} unauthenticated={verdict.unauthenticated} />
        </Card>
        {children}
      </div>
    </details>
  );
}

function TimeView({ time }: { readonly time: TimeBracket }) {
  const interval = intervalText(time);
  if (interval === undefined) return <p class="muted">Nothing that verified bounds the time.</p>;
  return (
    <>
      <p>Time bracket: {interval}.</p>
      <ul class="bounds">
        {time.not_before.map((bound) => <li key={bound.source}>Not before {boundText(bound)}</li>)}
        {time.not_after.map((bound) => (
          <li key={`${bound.source} ${bound.word}`}>Not after {boundText(bound)}</li>
        ))}
      </ul>
      {time.failed.map(({ source, reason }) => (
        <Alert key={source} tone="warn" title={`${source} does not verify`}>
          <p>{VERIFY_REASONS[reason]}</p>
        </Alert>
      ))}
      {time.contradictions.map((one, i) => (
        <Alert key={i} tone="bad" title="Two times contradict each other">
          <p>{contradictionText(one)}: one of them is wrong.</p>
        </Alert>
      ))}
    </>
  );
}

const WITNESS_STATES: Readonly<Record<WitnessVerdict, readonly [tone: Tone, name: string]>> = {
  verified: ["good", "Verified"],
  missing: ["neutral", "Did not sign"],
  wrong: ["bad", "Wrong signature"],
  not_counted: ["warn", "Not counted"],
  unknown: ["warn", "Not configured"],
};

function WitnessBadge({ state }: { readonly state: WitnessVerdict }) {
  const [tone, name] = WITNESS_STATES[state];
  return <Badge tone={tone}>{name}</Badge>;
}

function Limits({ trust, unauthenticated }: {
  readonly trust: TrustInUse;
  readonly unauthenticated: readonly string[];
}) {
  const { network, pins } = trust;
  const source = pins === undefined
    ? "This gateway"
    : pins.home.source === "file"
    ? `Your file ${pins.home.name}`
    : `This gateway, ${pins.home.name}`;
  return (
    <>
      <ul>
        {NOT_PROVEN.map((line) => <li key={line}>{line}</li>)}
      </ul>
      {unauthenticated.length === 0 ? null : (
        <details>
          <summary>{plural(unauthenticated.length, "field")} without a signature</summary>
          <ul class="mono small field-paths">
            {unauthenticated.map((path) => <li key={path}>{path}</li>)}
          </ul>
        </details>
      )}
      <h3>What this verdict depends on</h3>
      <ul>
        <li>
          {source}, for the keys and the threshold of {network.id}
        </li>
        {pins?.peers.map(({ network: { id }, name }) => (
          <li key={id}>Your file {name}, for the keys of {id}</li>
        ))}
        <li>
          This gateway, for the code of this page. The command line verifies the same file without
          it.
        </li>
      </ul>
    </>
  );
}
