/**
 * One stamped file or hash.
 *
 * @module
 */

import { Badge } from "../components/badge.tsx";
import { Button, DownloadButton, focusingTitle } from "../components/button.tsx";
import { CopyButton } from "../components/copy_button.tsx";
import { HashText } from "../components/hash_text.tsx";
import { Icon } from "../components/icon.tsx";
import { Failure, Progress } from "../components/states.tsx";
import { hrefOf } from "../route.ts";
import { type Services, useServices } from "../services.ts";
import { bytesText } from "../text.ts";
import { bundleName, lastName, verifyCommand } from "./command_line.ts";
import type { StampRow } from "./stamp_rows.ts";
import { rowState, stampSteps } from "./stamp_steps.ts";
import { StepsLine } from "./steps_line.tsx";
import type { Child } from "hono/jsx/dom";
import { judgedBundle, trustKey } from "../checked.ts";
import { Alert } from "../components/alert.tsx";
import { useLoaded, useStore } from "../hooks.ts";
import { verifierTrust } from "../trust.ts";
import { trustedTone, verdictText } from "../verdict_text.ts";
import { isOfOtherNetwork } from "../../proof/verify/statement.ts";
import { reasonText } from "../../proof/verify/verdict_words.ts";

interface RowCardProps {
  readonly row: StampRow;
  /** Shows the details. */
  readonly isOpen: boolean;
  /** In a long list: shows and hides the details. */
  readonly onToggle?: (() => void) | undefined;
}

export function RowCard({ row, isOpen, onToggle }: RowCardProps) {
  const services = useServices();
  const { stamps } = services;
  const title = row.name ?? `Hash ${row.hash?.slice(0, 8)}`;
  return (
    <article class={`card stamp-row${isOpen ? "" : " stamp-row-closed"}`} aria-label={title}>
      <div class="card-head">
        <h3 class="stamp-name">
          <Icon name={row.name === undefined ? "key" : "file"} />
          <span>{title}</span>
          {row.size !== undefined && <span class="muted small">{bytesText(row.size)}</span>}
        </h3>
        <div class="card-aside">
          {onToggle !== undefined && <RowState row={row} />}
          {onToggle !== undefined && (
            <Button
              kind="quiet"
              label={`${isOpen ? "Hide" : "Show"} details of ${title}`}
              onClick={onToggle}
            >
              {isOpen ? "Hide" : "Details"}
            </Button>
          )}
          <RowButtons row={row} stamps={stamps} title={title} />
        </div>
      </div>
      {isOpen
        ? <RowBody row={row} stamps={stamps} isShort={onToggle !== undefined} />
        : row.phase === "failed" && (
          <div class="card-body">
            <RowFailure row={row} stamps={stamps} />
          </div>
        )}
    </article>
  );
}

function RowFailure({ row, stamps }: {
  readonly row: StampRow;
  readonly stamps: Services["stamps"];
}) {
  return <Failure error={row.error} retry={() => stamps.retry(row.id)} />;
}

function RowState({ row }: Pick<RowCardProps, "row">) {
  const { tone, text } = rowState(row);
  const state = <Badge tone={tone}>{text}</Badge>;
  return row.bundle === undefined || row.hash === undefined
    ? state
    : <RowVerdict bundle={row.bundle} hash={row.hash} unverified={state} />;
}

function RowBody({ row, stamps, isShort }: {
  readonly row: StampRow;
  readonly stamps: Services["stamps"];
  readonly isShort: boolean;
}) {
  return (
    <div class="card-body">
      {row.hash === undefined ? <Hashing row={row} /> : (
        <p class="stamp-hash">
          <span class="muted nowrap">SHA-256</span> <HashText text={row.hash} what="hash" />
        </p>
      )}
      {row.phase === "failed" && <RowFailure row={row} stamps={stamps} />}
      {row.hash === undefined || row.phase === "failed" && row.job === undefined
        ? null
        : <StepsLine steps={stampSteps(row, stamps.follower.anchoring)} />}
      {row.hash === undefined || row.bundle === undefined ? null : (
        <Outcome
          name={row.name}
          bundle={row.bundle}
          hash={row.hash}
          isShort={isShort}
          onSaved={() => {
            const isSaved = row.bundle?.value.batch_inclusion !== null;
            stamps.rows.change(row.id, { isSaved });
          }}
        />
      )}
    </div>
  );
}

function RowButtons({ row, stamps, title }: {
  readonly row: StampRow;
  readonly stamps: Services["stamps"];
  readonly title: string;
}) {
  if (row.phase === "queued" || row.phase === "hashing") {
    return (
      <Button
        kind="quiet"
        label={`Cancel ${title}`}
        isRemoved
        onClick={() => stamps.cancel(row.id)}
      >
        Cancel
      </Button>
    );
  }
  return (
    <>
      {row.phase !== "cancelled" ? null : (
        <Button
          kind="quiet"
          label={`Start again: ${title}`}
          isRemoved
          onClick={() => stamps.retry(row.id)}
        >
          Start again
        </Button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={`Remove ${title} from the list`}
        title="Remove from the list"
        onClick={focusingTitle(() => stamps.remove(row.id))}
      >
        <Icon name="cross" />
      </button>
    </>
  );
}

function Hashing({ row: { phase, done = 0, size = 0 } }: { readonly row: StampRow }) {
  if (phase === "cancelled") return <p class="muted">Cancelled. Nothing was sent.</p>;
  if (phase === "queued") return <p class="muted">Waiting for other files to be hashed.</p>;
  if (phase !== "hashing") return null;
  const label = `Hashing in this browser, ${bytesText(done)} of ${bytesText(size)}`;
  return <Progress label={label} value={done} max={size} />;
}

interface OutcomeProps {
  readonly name: string | undefined;
  readonly hash: string;
  readonly bundle: NonNullable<StampRow["bundle"]>;
  /** Hides the command line, which can still be copied. */
  readonly isShort: boolean;
  readonly onSaved: () => void;
}

function Outcome({ name, hash, bundle, isShort, onSaved }: OutcomeProps) {
  const saved = { name: name === undefined ? undefined : lastName(name), hash };
  const command = verifyCommand(saved);
  const isInLog = bundle.value.batch_inclusion !== null;
  return (
    <div class="stamp-outcome">
      <RowVerdict bundle={bundle} hash={hash} />
      <div class="row">
        <DownloadButton
          fileName={bundleName(saved)}
          text={bundle.text}
          primary={isInLog}
          onSaved={onSaved}
        >
          {isInLog ? "Save the proof" : "Save the proof so far"}
        </DownloadButton>
        <a class="button" href={hrefOf({ page: "proof", hash })}>View the proof</a>
        {isShort && <CopyButton text={command} what="command line" named />}
      </div>
      {isShort ? null : (
        <div class="command">
          <code>{command}</code>
          <CopyButton text={command} what="command line" />
        </div>
      )}
    </div>
  );
}

interface RowVerdictProps {
  readonly bundle: NonNullable<StampRow["bundle"]>;
  readonly hash: string;
  /** Shown while nothing is verified; by default a sentence. */
  readonly unverified?: Child;
}

/** The verdict on the bundle of a row, under the pinned configuration: a badge, or an alert if it is invalid. */
function RowVerdict({ bundle, hash, unverified }: RowVerdictProps) {
  const services = useServices();
  const pins = useStore(services.trust);
  const [verdict] = useLoaded(
    async () => {
      const { state } = services.trust;
      if (state.state !== "pinned") return undefined;
      return await judgedBundle(services, verifierTrust(state.trust), bundle.value, { hash });
    },
    [trustKey(pins), bundle.text, hash],
    { isLocal: true },
  );

  if (pins.state !== "pinned") {
    return unverified ?? (
      <span class="muted small">
        Not verified here: no configuration is pinned.{" "}
        <a href={hrefOf({ page: "proof", hash })}>Pin one and verify</a>
      </span>
    );
  }
  if (verdict.state === "failed") {
    return <Badge tone="warn">Cannot be verified in this browser</Badge>;
  }
  const { attestation } = bundle.value.signed_attestation;
  const { network } = pins.trust.home;
  if (isOfOtherNetwork({ attestation, network })) {
    return unverified ?? (
      <span class="small">
        <Badge tone="warn">Not verified here</Badge> Your pin is of network {network.id}.{" "}
        <a href={hrefOf({ page: "verify" })}>
          Choose the configuration of {attestation.network_id}
        </a>{" "}
        to verify it.
      </span>
    );
  }
  const found = verdict.value;
  if (found === undefined) return unverified ?? <span class="muted small">Verifying</span>;
  const { name, tone } = verdictText(found);
  if (found.valid) {
    const shownTone = trustedTone(tone, pins.trust);
    return <Badge tone={shownTone} icon="seal">Verified here: {name}</Badge>;
  }
  return (
    <Alert tone="bad" live title="The gateway's proof is invalid">
      <p>
        {reasonText(found.layers.attestation)} Do not rely on it. Keep it as evidence.
      </p>
    </Alert>
  );
}
