/**
 * A verdict in full: what holds, who signed, when, the way to the root, and what none of it proves.
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
import { LayerList } from "./layer_list.tsx";
import { verdictWords } from "./level_words.ts";
import { PathPicture } from "./path_picture.tsx";
import type { VerifiedBundle } from "./verified_bundle.ts";
import type { WitnessState } from "./witness_rows.ts";

/** A proof, and what verification found of it. */
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
  const { attestation, round } = { ...bundle.signed_attestation };
  return (
    <>
      <div class="grid">
        <Card title="What was attested">
          <KeyValues
            items={[
              ["SHA-256", <HashText key="value" text={attestation.hash} what="hash" />],
              ["Network", attestation.network_id],
              ["Time", timeText(attestation.timestamp)],
              ["Place in the log", countText(attestation.sequence)],
              [
                "Signed with",
                round.size === 1
                  ? "Nothing else"
                  : `${countText(round.size - 1)} others in one round`,
              ],
            ]}
          />
        </Card>
        <Card title="When it was signed">
          <TimeView time={verdict.time} />
        </Card>
      </div>
      <Card title="Layers">
        <LayerList layers={verdict.layers} />
      </Card>
      <Card title={`Witnesses of ${trust.home.network.id}`}>
        <Table
          caption="Witnesses and what they signed"
          columns={[{ name: "Witness" }, { name: "Attestation" }, { name: "Tree head" }]}
          rows={witnesses.map(({ id, attestation, head }) => ({
            key: id,
            cells: [
              <span key="id" class="witness-id">{witnessName(id, trust.home.network.id)}</span>,
              <WitnessBadge key="attestation" state={attestation} />,
              head === undefined
                ? <span key="head" class="muted">none</span>
                : <WitnessBadge key="head" state={head} />,
            ],
          }))}
        />
      </Card>
      {paths.length === 0 ? null : (
        <Card title="The path to the root">
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

/** The level, and what stands against it. */
export function VerdictHeadline({ found: { verdict }, trust, content, bundle }: VerdictViewProps) {
  const { name, tone, meaning } = verdictWords(verdict);
  const { reason } = verdict.layers.attestation;
  const isOther = reason === "hash_mismatch";
  const named = bundle.signed_attestation.attestation.network_id;
  return (
    <div class="verdict">
      <Alert tone={tone} icon={verdict.valid ? "seal" : "cross"} live title={name}>
        <p>{isOther ? `${content} is not what was attested: its hash is another.` : meaning}</p>
        {reason === undefined || isOther ? null : <p>{VERIFY_REASONS[reason]}</p>}
        {reason === "network_mismatch"
          ? (
            <p>
              The proof is of {named}, and what you pinned is{" "}
              {trust.home.network.id}. Supply the configuration of {named}.
            </p>
          )
          : null}
        {verdict.valid && content !== undefined
          ? <p>{content} is exactly what was attested.</p>
          : null}
        {verdict.valid && content === undefined
          ? <p>No content was compared. Supply the file to see whether it is the one.</p>
          : null}
      </Alert>
      {trust.home.source === "gateway"
        ? (
          <Alert tone="warn" title="The gateway was trusted for the configuration">
            <p>This verdict holds only if the gateway did not lie about its own keys.</p>
          </Alert>
        )
        : null}
    </div>
  );
}

function TimeView({ time }: { readonly time: TimeBracket }) {
  const [from] = time.not_before;
  const [to] = time.not_after;
  if (to === undefined) return <p class="muted">Nothing that holds says when.</p>;
  return (
    <>
      <p>
        {from === undefined
          ? (
            <>
              Not after{" "}
              <b>{timeText(to.time)}</b>. Only clocks vouch for this time: no public randomness
              bounds it from below.
            </>
          )
          : (
            <>
              Between <b>{timeText(from.time)}</b> and <b>{timeText(to.time)}</b>.
            </>
          )}
      </p>
      <ul class="bounds">
        {time.not_before.map((bound) => (
          <li key={`from ${bound.source}`}>
            Not before {timeText(bound.time)}: {bound.source}, in the word of {bound.word}
          </li>
        ))}
        {time.not_after.map((bound) => (
          <li key={`to ${bound.source} ${bound.word}`}>
            Not after {timeText(bound.time)}: {bound.source}, in the word of {bound.word}
          </li>
        ))}
      </ul>
      {time.failed.map(({ source, reason }) => (
        <Alert key={source} tone="warn" title={`${source} does not verify`}>
          <p>{VERIFY_REASONS[reason]}</p>
        </Alert>
      ))}
      {time.contradictions.map(({ not_before: lower, not_after: upper }, i) => (
        <Alert key={i} tone="bad" title="Two times contradict one another">
          <p>
            {upper.source} of {timeText(upper.time)} precedes {lower.source} of{" "}
            {timeText(lower.time)}: one of them is wrong.
          </p>
        </Alert>
      ))}
    </>
  );
}

const WITNESS_WORDS: Readonly<Record<WitnessState, readonly [tone: Tone, word: string]>> = {
  verified: ["good", "Verified"],
  missing: ["neutral", "Did not sign"],
  wrong: ["bad", "Wrong signature"],
  not_counted: ["warn", "Not counted"],
  unknown: ["warn", "Unknown to the pin"],
};

function WitnessBadge({ state }: { readonly state: WitnessState }) {
  const [tone, word] = WITNESS_WORDS[state];
  return <Badge tone={tone}>{word}</Badge>;
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
          <summary>{plural(unauthenticated.length, "field")} that nobody signed</summary>
          <ul class="mono small">
            {unauthenticated.map((path) => <li key={path}>{path}</li>)}
          </ul>
        </details>
      )}
      <h3>Whom you trust for it</h3>
      <ul>
        <li>
          {home.source === "file" ? `Your file ${home.name}` : `This gateway, ${home.name}`}: for
          the keys and the threshold of {home.network.id}
        </li>
        {peers.map(({ network, name }) => (
          <li key={network.id}>Your file {name}: for the keys of {network.id}</li>
        ))}
        <li>
          This gateway: for the code of this page. Where that is too much, the command line verifies
          the same file without it.
        </li>
      </ul>
    </>
  );
}
