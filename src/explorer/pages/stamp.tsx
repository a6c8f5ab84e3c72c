/**
 * Stamp: hashes files in the browser, submits the hashes and follows them to the last anchor.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { FolderZone } from "../components/drop_zone.tsx";
import { HashForm } from "../components/hash_form.tsx";
import { PageHead } from "../components/page_head.tsx";
import { Failure } from "../components/states.tsx";
import { useStore, useTrial } from "../hooks.ts";
import { useServices } from "../services.ts";
import { StampList } from "../stamp/stamp_list.tsx";
import { isLogged } from "../stamp/stamp_rows.ts";
import type { Step } from "../stamp/stamp_steps.ts";
import { StepsLine } from "../stamp/steps_line.tsx";
import { countText, plural } from "../text.ts";
import { Card } from "../components/card.tsx";
import { TrialNote } from "../components/trial_note.tsx";
import { hrefOf } from "../route.ts";

export function StampPage() {
  const { stamps } = useServices();
  const rows = useStore(stamps.rows);
  const [fault, setFault] = useState<unknown>(undefined);
  return (
    <>
      <PageHead title="Stamp">
        Get a signed proof that a file existed today. The file stays on this device: this page
        computes its SHA-256 hash, a fingerprint of 32 bytes, and sends only that.
      </PageHead>
      <div class="stamp-inputs">
        <FolderZone
          label="Choose files, or drop them here"
          onFiles={(files) => {
            setFault(undefined);
            stamps.addFiles(files);
          }}
          onFailed={setFault}
        >
          <span class="muted">Files and folders of any size. Only their hashes are sent.</span>
        </FolderZone>
        {fault !== undefined && <Failure error={fault} title="Cannot read all of the folder" />}
        <HashForm
          label="Or paste a SHA-256 hash"
          action="Stamp hash"
          onHash={(hash) => stamps.addHash(hash)}
        />
      </div>
      <section class="stack" aria-labelledby="stamp-list-title">
        <h2 id="stamp-list-title" tabindex={-1}>
          {rows.length === 0
            ? "What happens next"
            : `${plural(rows.length, "stamp")}, ${
              countText(rows.filter(isLogged).length)
            } in the log`}
        </h2>
        {rows.length === 0 ? <FirstVisit /> : <StampList rows={rows} />}
      </section>
    </>
  );
}

/** The steps before the first stamp. */
const STEPS: readonly Step[] = [
  { name: "Accepted", state: "waiting", text: "This server, the gateway, stores the hash." },
  { name: "Confirmed", state: "waiting", text: "Witnesses sign it with the time." },
  {
    name: "Batched",
    state: "waiting",
    text: "It enters a public log, in which every change would be noticed.",
  },
  { name: "Anchored", state: "waiting", text: "Other networks and services sign that log." },
];

function FirstVisit() {
  return (
    <>
      <div class="card">
        <div class="card-body">
          <StepsLine steps={STEPS} />
          <p class="muted">
            Save the proof with the file. Anyone can verify it without this gateway, on this page or
            with the command line.
          </p>
        </div>
      </div>
      <Introduction />
    </>
  );
}

/**
 * What this site is, for whom, and whom its user trusts: below the inputs of the first page until
 * something is stamped.
 */
function Introduction() {
  const { network } = useStore(useServices().watch).trust ?? {};
  const isTrial = useTrial() !== undefined;
  return (
    <div class="grid">
      <Card title="What it proves">
        <p>
          That a file existed at a time, unchanged since. Not who made it, and not that it is true.
        </p>
        <p>
          The proof is a small file that you keep. Anyone can verify it offline, even if this site
          is gone.
        </p>
      </Card>
      <Card title="Who uses it">
        <p>
          People who keep contracts, reports, measurements or designs, and who publish software:
          whoever has to show later that a file is as old as they say.
        </p>
      </Card>
      <Card title="Whom you trust">
        <p>
          Not this site. A proof counts if enough {isTrial ? "" : "independent "}witnesses signed it
          {network !== undefined && (
            <>
              : here {network.threshold} of{" "}
              {plural(network.witnesses.length, "witness", "witnesses")} of{" "}
              <span class="mono">{network.id}</span>
            </>
          )}
          . Each signature is in a public log that cannot be rewritten unnoticed.
        </p>
        <TrialNote />
        <p>
          <a href={hrefOf({ page: "explore" })}>See the witnesses and the log</a>
        </p>
      </Card>
    </div>
  );
}
