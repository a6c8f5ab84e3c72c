/**
 * What this site is, for whom, and whom its user trusts: below the inputs of the first page until
 * something is stamped.
 *
 * @module
 */

import { Card } from "../components/card.tsx";
import { TrialNote } from "../components/trial_note.tsx";
import { useStore, useTrial } from "../hooks.ts";
import { hrefOf } from "../route.ts";
import { useServices } from "../services.ts";
import { plural } from "../text.ts";

export function Introduction() {
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
