/**
 * Stamp: hashes files in the browser, submits the hashes and follows them to the last anchor.
 *
 * @module
 */

import { Alert } from "../components/alert.tsx";
import { DropZone } from "../components/drop_zone.tsx";
import { HashForm } from "../components/hash_form.tsx";
import { PageHead } from "../components/page_head.tsx";
import { failureText } from "../failure.ts";
import { useStore } from "../hooks.ts";
import { useServices } from "../services.ts";
import { RowCard } from "../stamp/row_card.tsx";
import type { StampRow } from "../stamp/stamp_queue.ts";
import { announcement, type Step } from "../stamp/stamp_steps.ts";
import { StepsLine } from "../stamp/steps_line.tsx";
import { plural } from "../text.ts";

/** With more rows than this, each shows less. */
const MAX_FULL_ROWS = 3;

export function StampPage() {
  const { stamps } = useServices();
  const rows = useStore(stamps);
  return (
    <>
      <PageHead title="Stamp">
        Get a signed proof that a file existed today. The file stays on this device: this page
        hashes it here and sends only the SHA-256 hash, 32 bytes.
      </PageHead>
      <div class="stamp-inputs">
        <DropZone
          label="Choose files, or drop them here"
          multiple
          onFiles={(files) => stamps.addFiles(files)}
        >
          <span class="muted">Any number, any size. Only their hashes are sent.</span>
        </DropZone>
        <HashForm
          label="Or paste a SHA-256 hash"
          action="Stamp hash"
          onHash={(hash) => stamps.addHash(hash)}
        />
      </div>
      <StampList rows={rows} />
    </>
  );
}

function StampList({ rows }: { readonly rows: readonly StampRow[] }) {
  const lost = rows.find((row) => row.lost !== undefined);
  const batched = rows.filter(({ job }) => job?.progress === "batched").length;
  return (
    <section class="stack" aria-labelledby="stamp-list-title">
      <h2 id="stamp-list-title" tabindex={-1}>
        {rows.length === 0
          ? "What happens next"
          : `${plural(rows.length, "stamp")}, ${batched} in the log`}
      </h2>
      {lost !== undefined && <GatewayLost error={lost.lost} />}
      <p class="visually-hidden" role="status">
        {rows.map(announcement).filter(Boolean).join(". ")}
      </p>
      {rows.length === 0 ? <FirstVisit /> : rows.map((row) => (
        <RowCard
          key={row.id}
          row={row}
          isShort={rows.length > MAX_FULL_ROWS}
        />
      ))}
    </section>
  );
}

/** One alert for all rows, which share the gateway. */
function GatewayLost({ error }: { readonly error: unknown }) {
  const { title, code } = failureText(error);
  return (
    <Alert tone="warn" live title={title}>
      <p>
        This page tries again and continues where it stopped. <code>{code}</code>
      </p>
    </Alert>
  );
}

/** The steps before the first stamp. */
const STEPS: readonly Step[] = [
  { name: "Accepted", state: "waiting", text: "The gateway stores the hash." },
  { name: "Confirmed", state: "waiting", text: "Independent witnesses sign it with the time." },
  {
    name: "Batched",
    state: "waiting",
    text: "It enters a public log, in which every change would be noticed.",
  },
  { name: "Anchored", state: "waiting", text: "Other networks and services sign that log." },
];

function FirstVisit() {
  return (
    <div class="card">
      <div class="card-body">
        <StepsLine steps={STEPS} />
        <p class="muted">
          Save the proof with the file. Anyone can verify it without this gateway, on this page or
          with the command line.
        </p>
      </div>
    </div>
  );
}
