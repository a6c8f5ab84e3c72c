/**
 * The list of stamps, a page at a time, and what is done to all of it.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { Button } from "../components/button.tsx";
import { Confirm } from "../components/confirm.tsx";
import { Pager } from "../components/pager.tsx";
import { Progress } from "../components/states.tsx";
import { useEffect } from "../effect.ts";
import { useStore } from "../hooks.ts";
import { useServices } from "../services.ts";
import { countText, plural } from "../text.ts";
import { RowCard } from "./row_card.tsx";
import { SaveAllButton, SavingState } from "./save_all.tsx";
import { isUnsaved, type StampPhase, type StampRow } from "./stamp_rows.ts";
import { announcement, listProgress } from "./stamp_steps.ts";

/** A list of more rows than this shows their details on demand. */
const MAX_OPEN_ROWS = 3;
const PAGE_ROWS = 25;
/** Rows that can still be cancelled. */
const UNSENT: readonly StampPhase[] = ["queued", "hashing", "sending"];
/** Screen readers hear of a long list in steps of so many percent. */
const ANNOUNCED_PERCENT = 10;

/** Nothing without rows. */
export function StampList({ rows }: { readonly rows: readonly StampRow[] }) {
  const { stamps } = useServices();
  const [page, setPage] = useState(0);
  const [isFailedOnly, setFailedOnly] = useState(false);
  const [opened, setOpened] = useState<readonly number[]>([]);
  const progress = listProgress(rows);
  const isFiltered = isFailedOnly && progress.failed > 0;
  const listed = isFiltered ? rows.filter(({ phase }) => phase === "failed") : rows;
  const last = Math.max(0, Math.ceil(listed.length / PAGE_ROWS) - 1);
  const first = Math.min(page, last) * PAGE_ROWS;
  const shown = listed.slice(first, first + PAGE_ROWS);
  const ids = shown.map(({ id }) => id);
  useEffect(() => stamps.follower.show(ids), [ids.join()]);
  useEffect(() => () => stamps.follower.show([]), []);
  const isLong = rows.length > MAX_OPEN_ROWS;
  const toggle = (id: number) =>
    setOpened((last) => last.includes(id) ? last.filter((one) => one !== id) : [...last, id]);
  return (
    <>
      <TokenWork />
      <p class="visually-hidden" role="status">
        {isLong
          ? spokenProgress(progress.logged, rows.length)
          : rows.map(announcement).filter(Boolean).join(". ")}
      </p>
      {rows.length > 1 && (
        <ListTools
          rows={rows}
          isFiltered={isFiltered}
          onFilter={() => setFailedOnly(!isFiltered)}
        />
      )}
      <div class={isLong ? "stamp-rows" : "stack"}>
        {shown.map((row) => (
          <RowCard
            key={row.id}
            row={row}
            isOpen={!isLong || opened.includes(row.id)}
            onToggle={isLong ? () => toggle(row.id) : undefined}
          />
        ))}
      </div>
      <Pager
        label="Pages of the list"
        names={["Back", "Next"]}
        onBack={first === 0 ? undefined : () => setPage(Math.min(page, last) - 1)}
        onNext={page >= last ? undefined : () => setPage(page + 1)}
      >
        {countText(first + 1)} to {countText(first + shown.length)} of {countText(listed.length)}
      </Pager>
    </>
  );
}

function spokenProgress(logged: number, of: number): string {
  const percent = Math.floor(100 * logged / of / ANNOUNCED_PERCENT) * ANNOUNCED_PERCENT;
  return percent === 0 ? "" : `${percent} percent of ${plural(of, "stamp")} are in the log`;
}

/** The buttons and the progress of the whole list. */
function ListTools({ rows, isFiltered, onFilter }: {
  readonly rows: readonly StampRow[];
  readonly isFiltered: boolean;
  readonly onFilter: () => void;
}) {
  const { stamps, saving } = useServices();
  const [isAsking, setAsking] = useState(false);
  const { failed, unfinished, logged, text } = listProgress(rows);
  const unsaved = rows.filter(isUnsaved).length;
  const unsent = rows.filter(({ phase }) => UNSENT.includes(phase));
  const clear = () => {
    setAsking(false);
    saving.stop();
    for (const { id } of rows) stamps.remove(id);
  };
  const retryFailed = () => {
    for (const { id, phase } of rows) if (phase === "failed") stamps.retry(id);
  };
  return (
    <div class="stamp-tools">
      {unfinished > 0
        ? <Progress label={text} value={logged} max={rows.length} />
        : text !== "" && <p class="muted small">{text}</p>}
      <div class="row">
        <SaveAllButton rows={rows} />
        {unsent.length > 0 && (
          <Button
            isRemoved
            onClick={() => unsent.forEach(({ id }) => stamps.cancel(id))}
          >
            Cancel {countText(unsent.length)} not sent yet
          </Button>
        )}
        {failed > 0 && (
          <>
            <Button onClick={retryFailed}>Try {plural(failed, "failed row")} again</Button>
            <Button onClick={onFilter}>{isFiltered ? "Show all" : "Show failed only"}</Button>
          </>
        )}
        {/* Of now: the saving of many proofs ends before all of them are drawn as saved. */}
        <Button kind="quiet" onClick={() => stamps.hasUnsaved ? setAsking(true) : clear()}>
          Clear the list
        </Button>
      </div>
      <SavingState />
      {isAsking && (
        <Confirm
          title={`${plural(unsaved, "proof")} ${unsaved === 1 ? "is" : "are"} not saved`}
          accept="Clear the list"
          onAccept={clear}
          cancel="Keep it"
          onCancel={() => setAsking(false)}
        >
          <p>
            Hashes that were sent stay in the log: the same files lead to the same proofs again.
          </p>
        </Confirm>
      )}
    </div>
  );
}

function TokenWork() {
  if (!useStore(useServices().tokens)) return null;
  return (
    <p class="muted small">
      This gateway accepts new hashes only with tokens. This browser earns them by proofs of work,
      about a second for each hash.
    </p>
  );
}
