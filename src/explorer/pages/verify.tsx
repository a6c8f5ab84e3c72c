/**
 * Verify: verifies a proof in this browser under the pinned configurations.
 *
 * @module
 */

import type { ProofBundle } from "../../proof/format/bundle.ts";
import { pinnedTrust } from "../checked.ts";
import { Alert } from "../components/alert.tsx";
import { Card } from "../components/card.tsx";
import { DropZone } from "../components/drop_zone.tsx";
import { PageHead } from "../components/page_head.tsx";
import { useStore } from "../hooks.ts";
import { useServices } from "../services.ts";
import { ContentZone, type SuppliedContent, useContent } from "../verify/supplied_content.tsx";
import { ChainLine } from "../verify/supplied_chain.tsx";
import { ProofLine, useProof } from "../verify/supplied_proof.tsx";
import { TrustPanel } from "../verify/trust_panel.tsx";
import { VerdictDetails } from "../verify/verdict_view.tsx";
import { unpinnedSentence } from "../verdict_text.ts";
import { useVerification, VerificationLine } from "../verify/verification.tsx";

export function VerifyPage() {
  const services = useServices();
  const pins = useStore(services.trust);
  const [content, setContent] = useContent(services);
  const { proof: supplied, supply, chains, notice } = useProof(setContent);
  const proof = supplied.state === "read" ? supplied : undefined;
  const trust = pins.state === "pinned" ? pinnedTrust(pins.trust) : undefined;
  const verification = useVerification(services, { proof, trust, content });

  return (
    <>
      <PageHead title="Verify">
        Check a proof in this browser, against keys that you trust. Nothing is sent anywhere.
      </PageHead>
      <VerificationLine verification={verification} />
      {proof !== undefined && (pins.state === "none" || pins.state === "broken") && (
        <Unpinned bundle={proof.bundle} content={content} />
      )}
      <div class="verify-columns">
        <Card title="What you check">
          <DropZone
            label={supplied.state === "none"
              ? "Choose a proof, or drop it here"
              : "Choose another proof"}
            icon="seal"
            multiple
            compact
            onFiles={(files) => void supply(files)}
          >
            <span class="muted small">
              NAME.countersign.json, and the file itself if you like. If the keys of the network or
              of a peer have changed, also its succession (/v1/succession).
            </span>
          </DropZone>
          <ProofLine proof={supplied} content={content} notice={notice} />
          {chains.map((chain) => <ChainLine key={chain.text} chain={chain} />)}
          <ContentZone content={content} choose={setContent} />
        </Card>
        <TrustPanel />
      </div>
      {verification.state === "found" && <VerdictDetails {...verification.view} />}
    </>
  );
}

function Unpinned({ bundle, content }: {
  readonly bundle: ProofBundle;
  readonly content: SuppliedContent;
}) {
  const { tone, sentence, notes } = unpinnedSentence(
    bundle.signed_attestation.attestation,
    content.state === "hashed" ? content : undefined,
  );
  return (
    <Alert tone={tone} live title={sentence}>
      {notes.map((note) => <p key={note}>{note}</p>)}
    </Alert>
  );
}
