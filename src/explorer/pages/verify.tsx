/**
 * Verify: verifies a proof in this browser under the pinned configurations.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { pinnedTrust } from "../checked.ts";
import { Alert } from "../components/alert.tsx";
import { Card } from "../components/card.tsx";
import { DropZone } from "../components/drop_zone.tsx";
import { PageHead } from "../components/page_head.tsx";
import { useStore } from "../hooks.ts";
import { useServices } from "../services.ts";
import { ContentZone, useContent } from "../verify/supplied_content.tsx";
import { ChainLine } from "../verify/supplied_chain.tsx";
import { ProofLine, useProof } from "../verify/supplied_proof.tsx";
import type { ChosenRoots } from "../verify/supplied_file.ts";
import { RootsZone } from "../verify/supplied_roots.tsx";
import { unpinnedTimestamp } from "../verify/timestamp_text.ts";
import { TimestampDetails } from "../verify/timestamp_view.tsx";
import { TrustPanel } from "../verify/trust_panel.tsx";
import { VerdictDetails } from "../verify/verdict_view.tsx";
import { unpinnedSentence, type VerdictSentence } from "../verdict_text.ts";
import {
  TimestampLine,
  useTimestampVerification,
  useVerification,
  VerificationLine,
} from "../verify/verification.tsx";

export function VerifyPage() {
  const services = useServices();
  const pins = useStore(services.trust);
  const [file, setFile] = useState<File | undefined>(undefined);
  const [roots, setRoots] = useState<ChosenRoots | undefined>(undefined);
  const { proof: supplied, supply, chains, notice } = useProof(services.timestamps, setFile);
  const proof = supplied.state === "read" ? supplied : undefined;
  const token = supplied.state === "read_token" ? supplied : undefined;
  const content = useContent(services, file, token?.token.info.imprint.hash);
  const trust = pins.state === "pinned" ? pinnedTrust(pins.trust) : undefined;
  const verification = useVerification(services, { proof, trust, content });
  const stamped = useTimestampVerification(services, { token, trust, content, roots });
  const isUnpinned = pins.state === "none" || pins.state === "broken";
  const hashed = content.state === "hashed" ? content : undefined;

  return (
    <>
      <PageHead title="Verify">
        Check a proof in this browser, against keys that you trust. Nothing is sent anywhere.
      </PageHead>
      <VerificationLine verification={verification} />
      <TimestampLine verification={stamped} />
      {isUnpinned && proof !== undefined && (
        <Unpinned said={unpinnedSentence(proof.bundle.signed_attestation.attestation, hashed)} />
      )}
      {isUnpinned && token !== undefined && <Unpinned said={unpinnedTimestamp(token, hashed)} />}
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
              NAME.countersign.json or a time-stamp token (NAME.tsr), and the file itself if you
              like. If the keys of the network or of a peer have changed, also its succession
              (/v1/succession).
            </span>
          </DropZone>
          <ProofLine proof={supplied} content={content} notice={notice} />
          {chains.map((chain) => <ChainLine key={chain.text} chain={chain} />)}
          <ContentZone content={content} choose={setFile} />
        </Card>
        <TrustPanel>
          {token !== undefined && <RootsZone roots={roots} choose={setRoots} />}
        </TrustPanel>
      </div>
      {verification.state === "found" && <VerdictDetails {...verification.view} />}
      {stamped.state === "found" && <TimestampDetails {...stamped.view} />}
    </>
  );
}

function Unpinned({ said: { tone, sentence, notes } }: { readonly said: VerdictSentence }) {
  return (
    <Alert tone={tone} live title={sentence}>
      {notes.map((note) => <p key={note}>{note}</p>)}
    </Alert>
  );
}
