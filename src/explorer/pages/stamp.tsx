/**
 * Stamp: hashes files in the browser, submits the hashes, and follows them to the last anchor.
 *
 * @module
 */

import { useEffect, useState } from "hono/jsx/dom";
import { Alert } from "../components/alert.tsx";
import { DropZone } from "../components/drop_zone.tsx";
import { Icon } from "../components/icon.tsx";
import { PageHead } from "../components/page_head.tsx";
import { failureText } from "../failure.ts";
import { readPastedHash } from "../hashing/pasted_hash.ts";
import type { PageProps, Services } from "../services.ts";
import { RowCard } from "../stamp/row_card.tsx";
import type { StampDesk, StampRow } from "../stamp/stamp_desk.ts";
import { announcement, type Step } from "../stamp/stamp_steps.ts";
import { StepsLine } from "../stamp/steps_line.tsx";
import { plural } from "../text.ts";

/** Of more rows than these, each shows less. */
const SHOWN_IN_FULL = 3;

export function StampPage({ services }: PageProps) {
  const rows = useRows(services.stamps);
  return (
    <>
      <PageHead title="Stamp">
        Get a signed proof that a file existed today. The file stays on this device: it is hashed
        here, and only its SHA-256 hash, 32 bytes, is sent.
      </PageHead>
      <div class="stamp-inputs">
        <DropZone
          label="Choose files, or drop them here"
          multiple
          onFiles={(files) => services.stamps.addFiles(files)}
        >
          <span class="muted">Any number, any size. Nothing is uploaded but the hashes.</span>
        </DropZone>
        <HashForm desk={services.stamps} />
      </div>
      <StampList services={services} rows={rows} />
    </>
  );
}

function useRows(desk: StampDesk): readonly StampRow[] {
  const [rows, setRows] = useState(desk.rows);
  useEffect(() => {
    setRows(desk.rows);
    return desk.subscribe(() => setRows(desk.rows));
  }, [desk]);
  return rows;
}

function HashForm({ desk }: { readonly desk: StampDesk }) {
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string | undefined>(undefined);
  const submit = (event: Event) => {
    event.preventDefault();
    const read = readPastedHash(text);
    if ("fault" in read) return setFault(read.fault);
    setFault(undefined);
    setText("");
    desk.addHash(read.hash);
  };
  return (
    <form class="field" onSubmit={submit} noValidate>
      <label for="stamp-hash">Or paste a SHA-256 hash</label>
      <div class="field-row">
        <input
          id="stamp-hash"
          class="input mono"
          type="text"
          value={text}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={fault === undefined ? undefined : "true"}
          aria-describedby="stamp-hash-hint"
          onInput={(event: Event) => {
            setText((event.target as HTMLInputElement).value);
            setFault(undefined);
          }}
        />
        <button type="submit" class="button">Stamp hash</button>
      </div>
      <p
        id="stamp-hash-hint"
        class={fault === undefined ? "field-hint" : "field-error"}
        role="status"
      >
        {fault === undefined ? null : <Icon name="warning" />}
        <span>{fault ?? "64 digits, or a line of sha256sum"}</span>
      </p>
    </form>
  );
}

function StampList({ services, rows }: {
  readonly services: Services;
  readonly rows: readonly StampRow[];
}) {
  const lost = rows.find((row) => row.lost !== undefined);
  const settled = rows.filter(({ job }) => job?.progress === "batched").length;
  return (
    <section class="stack" aria-labelledby="stamp-list-title">
      <h2 id="stamp-list-title" tabindex={-1}>
        {rows.length === 0
          ? "What happens then"
          : `${plural(rows.length, "stamp")}, ${settled} in the log`}
      </h2>
      {lost === undefined ? null : <Lost error={lost.lost} />}
      <p class="visually-hidden" role="status">
        {rows.map(announcement).filter(Boolean).join(". ")}
      </p>
      {rows.length === 0 ? <FirstVisit /> : rows.map((row) => (
        <RowCard
          key={row.id}
          services={services}
          row={row}
          isShort={rows.length > SHOWN_IN_FULL}
        />
      ))}
    </section>
  );
}

/** Once for all rows: they wait for the same gateway. */
function Lost({ error }: { readonly error: unknown }) {
  const { title, code } = failureText(error);
  return (
    <Alert tone="warn" live title={title}>
      <p>
        This page asks again by itself, and goes on where it was. <code>{code}</code>
      </p>
    </Alert>
  );
}

/** Before the first stamp: the way that one goes. */
const WAY: readonly Step[] = [
  { name: "Accepted", state: "waiting", text: "The gateway stores the hash." },
  { name: "Confirmed", state: "waiting", text: "Independent witnesses sign it, with the time." },
  { name: "Batched", state: "waiting", text: "It enters a log that nobody can rewrite unnoticed." },
  { name: "Anchored", state: "waiting", text: "Other networks and services witness that log." },
];

function FirstVisit() {
  return (
    <div class="card">
      <div class="card-body">
        <StepsLine steps={WAY} />
        <p class="muted">
          Save the proof beside the file: it can be verified without this gateway, here or with the
          command line.
        </p>
      </div>
    </div>
  );
}
