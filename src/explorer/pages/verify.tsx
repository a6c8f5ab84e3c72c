/**
 * Verify: verifies a proof in this browser under the pinned configurations.
 *
 * @module
 */

import { Card } from "../components/card.tsx";
import { DropZone } from "../components/drop_zone.tsx";
import { PageHead } from "../components/page_head.tsx";
import { useServices } from "../services.ts";
import { ContentLine, useContent } from "../verify/supplied_content.tsx";
import { ProofLine, useProof } from "../verify/supplied_proof.tsx";
import { TrustPanel } from "../verify/trust_panel.tsx";
import { VerdictDetails } from "../verify/verdict_view.tsx";
import { useVerification, VerificationLine } from "../verify/verification.tsx";

/** With `hash`, the page fetches the proof from this gateway. */
export function VerifyPage({ hash }: { readonly hash?: string | undefined }) {
  const services = useServices();
  const [content, setContent] = useContent(services);
  const [proof, supply] = useProof(services, { hash, onContent: setContent });
  const verification = useVerification(services, proof, content);

  return (
    <>
      <PageHead title="Verify">
        Check a proof in this browser, against keys that you trust. Nothing is sent anywhere.
      </PageHead>
      <div class="verify-columns">
        <div class="stack">
          <Card title="What you check">
            <DropZone
              label={proof.state === "none"
                ? "Choose a proof, or drop it here"
                : "Choose another proof"}
              icon="seal"
              multiple
              compact
              onFiles={supply}
            >
              <span class="muted small">
                NAME.countersign.json. You can drop its file at the same time.
              </span>
            </DropZone>
            <ProofLine proof={proof} />
            <DropZone
              label={content.state === "none"
                ? "Compare with the file itself"
                : "Compare with another file"}
              icon="file"
              compact
              onFiles={([file]) => setContent(file)}
            >
              <span class="muted small">Optional. The file stays on this device.</span>
            </DropZone>
            <ContentLine content={content} onRemove={() => setContent(undefined)} />
          </Card>
          <VerificationLine verification={verification} />
        </div>
        <TrustPanel />
      </div>
      {verification.state === "found" && <VerdictDetails {...verification.view} />}
    </>
  );
}
