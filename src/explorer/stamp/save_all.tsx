/**
 * Saves the proofs of all rows as one archive.
 *
 * @module
 */

import { useRef, useState } from "hono/jsx/dom";
import { unixSeconds } from "../../base/clock.ts";
import { Alert } from "../components/alert.tsx";
import { Button, saveFile } from "../components/button.tsx";
import { Failure, Progress } from "../components/states.tsx";
import { useEffect } from "../effect.ts";
import { type Services, useServices } from "../services.ts";
import { countText, plural } from "../text.ts";
import { verifierTrust } from "../trust.ts";
import { BulkProofs } from "./bulk_proofs.ts";
import {
  archivedRows,
  bundleVerifier,
  makeArchive,
  type ProofArchive,
  savedText,
} from "./proof_archive.ts";
import type { StampRow } from "./stamp_rows.ts";

type Saving =
  | { readonly state: "idle" }
  | { readonly state: "running"; readonly done: number; readonly of: number }
  | {
    readonly state: "saved";
    readonly archive: ProofArchive;
    /** The network of the pin that the proofs were verified under, if there was one. */
    readonly pinned: string | undefined;
  }
  | { readonly state: "failed"; readonly error: unknown };

/** Progress is shown so often. */
const PROGRESS_MS = 100;
/** Names that a message lists. */
const MAX_NAMES = 5;

export function useSaveAll(services: Services) {
  const [saving, setSaving] = useState<Saving>({ state: "idle" });
  const running = useRef<AbortController>(new AbortController());
  useEffect(() => () => running.current?.abort(), []);
  const stop = () => {
    running.current?.abort();
    setSaving({ state: "idle" });
  };
  const start = (rows: readonly StampRow[]) => {
    running.current?.abort();
    const { signal } = running.current = new AbortController();
    let shown = 0;
    const show = (next: Saving) => {
      if (!signal.aborted) setSaving(next);
    };
    show({ state: "running", done: 0, of: rows.length });
    save(services, rows, {
      signal,
      onProgress: (done, of) => {
        const now = services.clock.nowMs();
        if (now - shown < PROGRESS_MS) return;
        shown = now;
        show({ state: "running", done, of });
      },
    }).then(show, (error) => show({ state: "failed", error }));
  };
  return { saving, start, stop };
}

async function save(
  { api, line, stamps, trust, crypto, clock }: Services,
  rows: readonly StampRow[],
  options: {
    readonly signal: AbortSignal;
    readonly onProgress: (done: number, of: number) => void;
  },
): Promise<Saving> {
  const { state: pins } = trust;
  const suite = await crypto.crypto();
  const pinned = pins.state === "pinned" ? verifierTrust(pins.trust) : undefined;
  const verify = pinned && bundleVerifier(suite, pinned, (network) => trust.keep(network));
  const proofs = new BulkProofs({
    fetchProof: (row) => stamps.follower.fetchProof(row),
    tile: (...address) => line.ask(() => api.tile(...address), options.signal),
    kernels: suite.kernels,
  });
  const now = unixSeconds(clock);
  const archive = await makeArchive(rows, {
    ...options,
    proofs,
    verify,
    now,
  });
  options.signal.throwIfAborted();
  const time = new Date(now * 1000).toISOString().slice(0, -5).replaceAll(/[-:]/g, "");
  saveFile(`proofs-${time.replace("T", "-")}.zip`, archive.zip);
  for (const id of archive.whole) stamps.rows.change(id, { isSaved: true });
  return { state: "saved", archive, pinned: pinned?.network.id };
}

export function SaveAllButton({ rows, start }: {
  readonly rows: readonly StampRow[];
  readonly start: (rows: readonly StampRow[]) => void;
}) {
  const archived = archivedRows(rows);
  if (archived.length === 0) return null;
  return (
    <Button icon="download" kind="primary" onClick={() => start(archived)}>
      Save {plural(archived.length, "proof")}
    </Button>
  );
}

/** The progress and the outcome. */
export function SavingState({ saving, start, stop }: ReturnType<typeof useSaveAll>) {
  const { stamps } = useServices();
  if (saving.state === "running") {
    const { done, of } = saving;
    const label = `Collecting proofs, ${countText(done)} of ${countText(of)}`;
    return (
      <div class="stamp-saving">
        <Progress label={label} value={done} max={of} />
        <Button kind="quiet" isRemoved onClick={stop}>Stop collecting</Button>
      </div>
    );
  }
  if (saving.state === "failed") {
    const retry = () => start(archivedRows(stamps.rows.state));
    return <Failure error={saving.error} title="Cannot save the proofs" retry={retry} />;
  }
  if (saving.state === "idle") return null;
  return (
    <>
      <RefusedProofs rows={saving.archive.refused} />
      <SavedProofs archive={saving.archive} pinned={saving.pinned} />
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
