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
import { RowVerdict } from "./row_verdict.tsx";
import type { StampRow } from "./stamp_rows.ts";
import { rowState, stampSteps } from "./stamp_steps.ts";
import { StepsLine } from "./steps_line.tsx";

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
