/**
 * The button that saves the proofs of all rows as one archive, and the outcome.
 *
 * @module
 */

import { Alert } from "../components/alert.tsx";
import { Button } from "../components/button.tsx";
import { Failure, Progress } from "../components/states.tsx";
import { useStore } from "../hooks.ts";
import { useServices } from "../services.ts";
import { countText, plural } from "../text.ts";
import { archivedRows, type ProofArchive, savedText } from "./proof_archive.ts";
import type { StampRow } from "./stamp_rows.ts";

/** Names that a message lists. */
const MAX_NAMES = 5;

/** Nothing while proofs are collected. */
export function SaveAllButton({ rows }: { readonly rows: readonly StampRow[] }) {
  const { saving } = useServices();
  const { state } = useStore(saving);
  const archived = archivedRows(rows);
  if (state === "running" || archived.length === 0) return null;
  return (
    <Button icon="download" kind="primary" isRemoved onClick={() => saving.start(archived)}>
      Save {plural(archived.length, "proof")}
    </Button>
  );
}

/** The progress and the outcome. */
export function SavingState() {
  const { stamps, saving } = useServices();
  const found = useStore(saving);
  if (found.state === "running") {
    const { done, of } = found;
    const label = `Collecting proofs, ${countText(done)} of ${countText(of)}`;
    return (
      <div class="stamp-saving">
        <Progress label={label} value={done} max={of} />
        <Button kind="quiet" isRemoved onClick={() => saving.stop()}>Stop collecting</Button>
      </div>
    );
  }
  if (found.state === "failed") {
    const retry = () => saving.start(archivedRows(stamps.rows.state));
    return <Failure error={found.error} title="Cannot save the proofs" retry={retry} />;
  }
  if (found.state === "idle") return null;
  return (
    <>
      <RefusedProofs rows={found.archive.refused} />
      <SavedProofs archive={found.archive} pinned={found.pinned} />
    </>
  );
}

function RefusedProofs({ rows }: { readonly rows: readonly StampRow[] }) {
  if (rows.length === 0) return null;
  return (
    <Alert tone="warn" live title={`${plural(rows.length, "proof")} could not be saved`}>
      <p>The gateway did not give the proof of {namesOf(rows)}. Save again later.</p>
    </Alert>
  );
}

function SavedProofs({ archive, pinned }: {
  readonly archive: ProofArchive;
  readonly pinned: string | undefined;
}) {
  const { count, whole, invalid } = archive;
  if (invalid.length > 0) {
    const verb = invalid.length === 1 ? "does" : "do";
    const title = `${plural(invalid.length, "proof")} of the archive ${verb} not verify`;
    return (
      <Alert tone="bad" live title={title}>
        <p>Do not rely on them. Keep them as evidence: {namesOf(invalid)}.</p>
      </Alert>
    );
  }
  const { tone, text } = savedText(archive, pinned);
  return (
    <Alert tone={tone} live title={`${plural(count, "proof")} saved`}>
      {whole.length < count && (
        <p>{plural(count - whole.length, "proof")} not in the log yet: save again later.</p>
      )}
      <p>{text} Keep the archive with the files.</p>
    </Alert>
  );
}

function namesOf(rows: readonly StampRow[]): string {
  const names = rows.slice(0, MAX_NAMES).map(({ name, hash }) => name ?? hash).join(", ");
  return rows.length > MAX_NAMES ? `${names} and others` : names;
}
