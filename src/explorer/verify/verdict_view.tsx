/**
 * A verdict in detail: the attestation, its time, its layers, witnesses, paths, and what it does not
 * prove.
 *
 * @module
 */

import type { ProofBundle } from "../../format/bundle.ts";
import { NOT_PROVEN, type TimeBracket, VERIFY_REASONS } from "../../verify/mod.ts";
import { Alert } from "../components/alert.tsx";
import { Badge, type Tone } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { Table } from "../components/table.tsx";
import { countText, plural, timeText, witnessName } from "../text.ts";
import type { PinnedTrust } from "../trust.ts";
import { verdictText } from "../verdict_text.ts";
import { LayerList } from "./layer_list.tsx";
import { PathPicture } from "./path_picture.tsx";
import type { VerifiedBundle } from "./verified_bundle.ts";
import type { WitnessVerdict } from "./witness_rows.ts";

/** A proof and its verdict. */
export interface VerdictViewProps {
  readonly bundle: ProofBundle;
  readonly found: VerifiedBundle;
  readonly trust: PinnedTrust;
  /** Name of the file that the bundle was compared with. */
  readonly content: string | undefined;
}

/** Everything below the headline. */
export function VerdictDetails({ bundle, found, trust }: VerdictViewProps) {
  const { verdict, witnesses, leafHash, paths } = found;
  const { attestation, round } = bundle.signed_attestation;
  return (
    <>
      <div class="grid">
        <Card title="What was attested">
          <KeyValues
            items={{
              "SHA-256": <HashText text={attestation.hash} what="hash" />,
              "Network": attestation.network_id,
              "Time": timeText(attestation.timestamp),
              "Sequence in the log": countText(attestation.sequence),
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
        <LayerList bundle={bundle} verdict={verdict} isPinned />
      </Card>
      <Card title={`Witnesses of ${trust.home.network.id}`}>
        <Table
          caption="Witnesses and what they signed"
          rows={witnesses}
          keyOf={({ id }) => id}
          columns={[
            [
              "Witness",
              ({ id }) => <span class="witness-id">{witnessName(id, trust.home.network.id)}</span>,
            ],
            ["Attestation", ({ attestation }) => <WitnessBadge state={attestation} />],
            ["Tree head", ({ head }) =>
              head === undefined ? <span class="muted">none</span> : <WitnessBadge state={head} />],
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
    </>
  );
}

/** The level, and warnings about it. */
export function VerdictHeadline({ found: { verdict }, trust, content, bundle }: VerdictViewProps) {
  const { name, tone, meaning } = verdictText(verdict);
  const { reason } = verdict.layers.attestation;
  const isOther = reason === "hash_mismatch";
  const named = bundle.signed_attestation.attestation.network_id;
  return (
    <div class="verdict">
      <Alert tone={tone} icon={verdict.valid ? "seal" : "cross"} live title={name}>
        <p>{isOther ? `${content} is not the attested file: its hash is different.` : meaning}</p>
        {reason === undefined || isOther ? null : <p>{VERIFY_REASONS[reason]}</p>}
        {reason === "network_mismatch" && (
          <p>
            The proof is from {named}, and your pin is for{" "}
            {trust.home.network.id}. Choose the configuration of {named}.
          </p>
        )}
        {verdict.valid && (
          <p>
            {content === undefined
              ? "No file was compared. Choose the file to check whether it is the attested one."
              : `${content} is exactly the attested file.`}
          </p>
        )}
      </Alert>
      {trust.home.source === "gateway" && (
        <Alert tone="warn" title="The configuration came from the gateway">
          <p>This verdict is right only if the gateway did not lie about its own keys.</p>
        </Alert>
      )}
    </div>
  );
}

function TimeView({ time }: { readonly time: TimeBracket }) {
  const [from] = time.not_before;
  const [to] = time.not_after;
  if (to === undefined) return <p class="muted">Nothing that verified bounds the time.</p>;
  return (
    <>
      {from === undefined
        ? (
          <p>
            Not after{" "}
            <b>{timeText(to.time)}</b>. Only clocks vouch for this time: no random beacon proves
            when it was signed at the earliest.
          </p>
        )
        : (
          <p>
            Between <b>{timeText(from.time)}</b> and <b>{timeText(to.time)}</b>.
          </p>
        )}
      <ul class="bounds">
        {time.not_before.map((bound) => <Bound key={bound.source} name="Not before" {...bound} />)}
        {time.not_after.map((bound) => (
          <Bound key={`${bound.source} ${bound.word}`} name="Not after" {...bound} />
        ))}
      </ul>
      {time.failed.map(({ source, reason }) => (
        <Alert key={source} tone="warn" title={`${source} does not verify`}>
          <p>{VERIFY_REASONS[reason]}</p>
        </Alert>
      ))}
      {time.contradictions.map(({ not_before: lower, not_after: upper }, i) => (
        <Alert key={i} tone="bad" title="Two times contradict each other">
          <p>
            {upper.source} of {timeText(upper.time)} precedes {lower.source} of{" "}
            {timeText(lower.time)}: one of them is wrong.
          </p>
        </Alert>
      ))}
    </>
  );
}

function Bound({ name, source, time, word }: TimeBracket["not_after"][number] & {
  readonly name: string;
}) {
  return <li>{name} {timeText(time)}: {source}, vouched for by {word}</li>;
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
  readonly trust: PinnedTrust;
  readonly unauthenticated: readonly string[];
}) {
  const { home, peers } = trust;
  return (
    <>
      <ul>
        {NOT_PROVEN.map((line) => <li key={line}>{line}</li>)}
      </ul>
      {unauthenticated.length === 0 ? null : (
        <details>
          <summary>{plural(unauthenticated.length, "field")} without a signature</summary>
          <ul class="mono small">
            {unauthenticated.map((path) => <li key={path}>{path}</li>)}
          </ul>
        </details>
      )}
      <h3>What this verdict depends on</h3>
      <ul>
        <li>
          {home.source === "file" ? `Your file ${home.name}` : `This gateway, ${home.name}`}, for
          the keys and the threshold of {home.network.id}
        </li>
        {peers.map(({ network, name }) => (
          <li key={network.id}>Your file {name}, for the keys of {network.id}</li>
        ))}
        <li>
          This gateway, for the code of this page. The command line verifies the same file without
          it.
        </li>
      </ul>
    </>
  );
}
