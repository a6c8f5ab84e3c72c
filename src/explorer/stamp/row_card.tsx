/**
 * One stamped file or hash.
 *
 * @module
 */

import { CopyButton } from "../components/copy_button.tsx";
import { HashText } from "../components/hash_text.tsx";
import { Icon } from "../components/icon.tsx";
import { Progress } from "../components/progress.tsx";
import { Failure } from "../components/states.tsx";
import { leaving } from "../focus.ts";
import { hrefOf } from "../route.ts";
import { saveText } from "../saving.ts";
import type { Services } from "../services.ts";
import { bytesText } from "../text.ts";
import { bundleName, verifyCommand } from "./command_line.ts";
import { RowVerdict } from "./row_verdict.tsx";
import type { StampRow } from "./stamp_desk.ts";
import { stampSteps } from "./stamp_steps.ts";
import { StepsLine } from "./steps_line.tsx";

interface RowCardProps {
  readonly services: Services;
  readonly row: StampRow;
  /** One of many: what can be copied is not shown as well. */
  readonly isShort: boolean;
}

export function RowCard({ services, row, isShort }: RowCardProps) {
  const { stamps } = services;
  const title = row.name ?? `Hash ${row.hash?.slice(0, 8)}`;
  return (
    <article class="card stamp-row" aria-label={title}>
      <div class="card-head">
        <h3 class="stamp-name">
          <Icon name={row.name === undefined ? "key" : "file"} />
          <span>{title}</span>
          {row.size === undefined ? null : <span class="muted small">{bytesText(row.size)}</span>}
        </h3>
        <div class="card-aside">
          <RowButtons row={row} desk={stamps} title={title} />
        </div>
      </div>
      <div class="card-body">
        {row.hash === undefined ? <Hashing row={row} /> : (
          <p class="stamp-hash">
            <span class="muted nowrap">SHA-256</span> <HashText text={row.hash} what="hash" />
          </p>
        )}
        {row.phase === "failed"
          ? <Failure error={row.error} retry={() => stamps.retry(row.id)} />
          : null}
        {row.hash === undefined || row.phase === "failed" && row.job === undefined
          ? null
          : <StepsLine steps={stampSteps(row)} />}
        {row.lost === undefined ? null : (
          <p class="stamp-lost">
            <Icon name="clock" />
            <span>Waits for the gateway to answer again</span>
          </p>
        )}
        {row.hash === undefined || row.bundle === undefined ? null : (
          <Outcome
            services={services}
            row={row}
            bundle={row.bundle}
            hash={row.hash}
            isShort={isShort}
          />
        )}
      </div>
    </article>
  );
}

function RowButtons({ row, desk, title }: {
  readonly row: StampRow;
  readonly desk: Services["stamps"];
  readonly title: string;
}) {
  const isHashing = row.phase === "queued" || row.phase === "hashing";
  return (
    <>
      {isHashing
        ? (
          <button
            type="button"
            class="button button-quiet"
            aria-label={`Cancel ${title}`}
            onClick={leaving(() => desk.cancel(row.id))}
          >
            Cancel
          </button>
        )
        : null}
      {row.phase === "cancelled"
        ? (
          <button
            type="button"
            class="button button-quiet"
            aria-label={`Start again: ${title}`}
            onClick={leaving(() => desk.retry(row.id))}
          >
            Start again
          </button>
        )
        : null}
      {isHashing ? null : (
        <button
          type="button"
          class="icon-button"
          aria-label={`Take ${title} off the list`}
          title="Take off the list"
          onClick={leaving(() => desk.remove(row.id))}
        >
          <Icon name="cross" />
        </button>
      )}
    </>
  );
}

function Hashing({ row: { phase, done = 0, size = 0 } }: { readonly row: StampRow }) {
  if (phase === "cancelled") return <p class="muted">Cancelled. Nothing was sent.</p>;
  if (phase === "queued") return <p class="muted">Waits until other files are hashed.</p>;
  if (phase !== "hashing") return null;
  const label = `Hashing in this browser, ${bytesText(done)} of ${bytesText(size)}`;
  return <Progress label={label} value={done} max={size} />;
}

function Outcome({ services, row, bundle, hash, isShort }: RowCardProps & {
  readonly bundle: NonNullable<StampRow["bundle"]>;
  readonly hash: string;
}) {
  const named = { ...(row.name !== undefined && { name: row.name }), hash };
  const command = verifyCommand(named);
  const isWhole = bundle.value.batch_inclusion !== null;
  return (
    <div class="stamp-outcome">
      <RowVerdict services={services} bundle={bundle} hash={hash} />
      <div class="row">
        <button
          type="button"
          class={isWhole ? "button button-primary" : "button"}
          onClick={() => saveText(bundleName(named), bundle.text)}
        >
          <Icon name="download" />
          <span>{isWhole ? "Save the proof" : "Save the proof so far"}</span>
        </button>
        <a class="button" href={hrefOf({ page: "verify", hash })}>Look at the proof</a>
        {isShort ? <CopyButton text={command} what="command line" named /> : null}
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
