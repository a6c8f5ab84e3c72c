/**
 * A certificate of a proof for records: one page to print, or to save as a PDF from the browser's
 * print dialog.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import encodeQR from "qr";
import { NOT_PROVEN } from "../../proof/verify/mod.ts";
import { type CheckedBundle, checkedBundle, trustKey } from "../checked.ts";
import { Alert } from "../components/alert.tsx";
import { TrialNote } from "../components/trial_note.tsx";
import { Button } from "../components/button.tsx";
import { WholeHash } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { PageHead } from "../components/page_head.tsx";
import { LoadedView } from "../components/states.tsx";
import { useLoaded, useStore } from "../hooks.ts";
import { hrefOf, shareUrl } from "../route.ts";
import { useServices } from "../services.ts";
import { momentText } from "../../base/moment_text.ts";
import { countText, witnessName } from "../text.ts";
import { LEVEL_NAMES } from "../../proof/verify/verdict_words.ts";
import { verdictSentence, verdictText, verifiedHead } from "../verdict_text.ts";

export function CertificatePage({ hash }: { readonly hash: string }) {
  const services = useServices();
  const key = trustKey(useStore(services.trust));
  const [loaded, retry] = useLoaded((signal) => checkedBundle(services, hash, signal), [hash, key]);
  return (
    <>
      <nav class="back-link no-print" aria-label="Breadcrumb">
        <a href={hrefOf({ page: "proof", hash })}>Back to the proof</a>
      </nav>
      <PageHead title="Certificate of existence" />
      <LoadedView
        loaded={loaded}
        what="the proof"
        retry={retry}
        render={(checked) => <Certificate hash={hash} {...checked} />}
      />
    </>
  );
}

function Certificate(
  { hash, bundle, verdict, trust, verifiedAt }: CheckedBundle & { readonly hash: string },
) {
  const { network, fingerprint, pins } = trust;
  const { tone, sentence, notes } = verdictSentence({
    bundle,
    verdict,
    network,
    isOtherFile: false,
  });
  if (!verdict.valid) {
    return (
      <Alert tone={tone} live title={sentence}>
        {notes.map((note) => <p key={note}>{note}</p>)}
        <p>There is no certificate of a proof that does not verify.</p>
      </Alert>
    );
  }
  const { attestation } = bundle.signed_attestation;
  const head = verifiedHead({ bundle, verdict });
  const isOwnTrust = pins?.home.source === "file";
  const { api, stamps } = useServices();
  // Hashed in this browser: the proof is known to be about this file.
  const hashedName = stamps.rows.state.find((row) => row.hash === hash)?.name;
  const [name, setName] = useState(hashedName ?? "");
  const [from] = verdict.time.not_before;
  const address = shareUrl({ page: "proof", hash });
  const names = verdict.signers.map((id) => witnessName(id, network.id)).join(", ");
  return (
    <>
      <PrintOptions name={name} onName={setName} />
      <div class="certificate">
        <p class="certificate-sentence">{sentence}</p>
        {notes.map((note) => <p key={note}>{note}</p>)}
        {!isOwnTrust && (
          <Alert tone="warn" title="The gateway named these keys itself">
            <p>
              This is right only if it did not lie: compare the fingerprint below with one from
              another source.
            </p>
          </Alert>
        )}
        <section class="stack-small" aria-labelledby="certificate-what">
          <h2 id="certificate-what">What was attested</h2>
          <KeyValues
            items={{
              "Verdict": `VALID (${LEVEL_NAMES[verdict.level as keyof typeof LEVEL_NAMES]}): ${
                verdictText(verdict).name
              }`,
              "File": name !== "" && <FileName name={name} isHashed={name === hashedName} />,
              "SHA-256 of the file": <WholeHash text={hash} what="hash" />,
              "Signed at": momentText(attestation.timestamp),
              "Not before": from && `${momentText(from.time)}, by ${from.source}`,
              "Signed by":
                `${names}, of ${network.witnesses.length} witnesses; ${network.threshold} are needed`,
              "In the log": head &&
                `at position ${countText(attestation.sequence)}, under the tree head of batch ${
                  countText(head.tree_size)
                }`,
            }}
          />
        </section>
        <section class="stack-small" aria-labelledby="certificate-issuer">
          <h2 id="certificate-issuer">Who issued it</h2>
          <TrialNote witnesses={network.witnesses} />
          <KeyValues
            items={{
              "Network": <span class="mono">{network.id}</span>,
              "Its fingerprint": <WholeHash text={fingerprint} what="fingerprint" />,
              "Gateway": <span class="certificate-link">{api.url.origin + api.url.pathname}</span>,
              "Verified at": momentText(verifiedAt),
            }}
          />
        </section>
        <div class="certificate-columns">
          <section class="stack-small" aria-labelledby="certificate-check">
            <h2 id="certificate-check">How to check it</h2>
            <ol class="next-steps">
              <li>
                Compute the file's SHA-256, for example with{" "}
                <code>sha256sum FILE</code>. It must be the one above.
              </li>
              <li>
                Online: scan the code, or open{" "}
                <a class="certificate-link" href={address}>{address}</a>
              </li>
              <li>
                Without us: keep the proof,{" "}
                <code>NAME.countersign.json</code>, and the network's configuration, which has the
                fingerprint above. Then <code>countersign verify FILE</code>{" "}
                checks them offline. The document verify_by_hand.md does it with openssl.
              </li>
            </ol>
          </section>
          <QrCode text={address} label="QR code of the address of the proof" />
        </div>
        <p class="small">
          Only the proof file proves anything, not this sheet. The proof does not show{" "}
          {NOT_PROVEN.slice(0, 2).join(", nor ")}. Verified when this page was made, {isOwnTrust
            ? "under the configuration that its reader had pinned."
            : "with the keys that the gateway itself named."}
        </p>
      </div>
    </>
  );
}

/** A name that the reader wrote is not a name that the page knows. */
function FileName({ name, isHashed }: { readonly name: string; readonly isHashed: boolean }) {
  return (
    <span class="certificate-link">
      {name}{" "}
      <span class="muted small">
        {isHashed ? "(hashed in this browser)" : "(as its owner calls it; not checked)"}
      </span>
    </span>
  );
}

/** The name is printed on the certificate; it is not stored or sent. */
function PrintOptions({ name, onName }: {
  readonly name: string;
  readonly onName: (name: string) => void;
}) {
  return (
    <div class="row no-print">
      <label class="certificate-name">
        <span>Name of the file on the certificate (optional)</span>
        <input
          class="input"
          type="text"
          value={name}
          autocomplete="off"
          onInput={(event: Event) => onName((event.target as HTMLInputElement).value)}
        />
      </label>
      <Button kind="primary" icon="file" onClick={() => print()}>Print or save as PDF</Button>
    </div>
  );
}

/** Modules of the quiet zone (ISO/IEC 18004 section 6.3.8). */
const BORDER = 4;

interface QrCodeProps {
  readonly text: string;
  /** The accessible name. */
  readonly label: string;
}

function QrCode({ text, label }: QrCodeProps) {
  const rows = encodeQR(text, "raw", { border: BORDER });
  const path = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => isDark ? `M${x} ${y}h1v1h-1z` : [])
  )
    .join("");
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect fill="#fff" width={rows.length} height={rows.length} />
      <path fill="#000" d={path} />
    </svg>
  );
}
