/**
 * A verdict on a time-stamp token: one sentence, what the token states, and the details of the proof
 * that it carries.
 *
 * @module
 */

import { hexOf } from "../../base/bytes.ts";
import type { AuthorityFinding } from "../../proof/timestamp/attested_token.ts";
import type { TimeStampToken } from "../../proof/timestamp/token.ts";
import type { TrustInUse } from "../checked.ts";
import { Badge, type Tone } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { hrefOf } from "../route.ts";
import { countText } from "../text.ts";
import { statedTimeText, timestampSentence } from "./timestamp_text.ts";
import { Banner, VerdictDetails } from "./verdict_view.tsx";
import type { VerifiedTimestamp } from "./verified_timestamp.ts";

/** A token and its verdict. */
export interface TimestampViewProps {
  readonly token: TimeStampToken;
  readonly found: VerifiedTimestamp;
  readonly trust: TrustInUse;
  /** Name of the file that the token was compared with. */
  readonly fileName: string | undefined;
}

/** The verdict in one sentence. Green only under keys that the reader chose. */
export function TimestampBanner({ found, trust, fileName }: TimestampViewProps) {
  const { verdict, isOtherFile } = found;
  const { network } = trust;
  return (
    <Banner
      said={timestampSentence({ verdict, network, fileName, isOtherFile })}
      isGood={verdict.valid && !isOtherFile}
      trust={trust}
      fileName={fileName}
      what="token"
    />
  );
}

/** What the token states, and below it the closed details of its proof. */
export function TimestampDetails({ token, found, trust, fileName }: TimestampViewProps) {
  const { info } = token;
  const { proof, verdict: { authority } } = found;
  const { hash, digest } = info.imprint;
  const attestation = proof?.found.verdict.valid
    ? proof.bundle.signed_attestation.attestation
    : undefined;
  return (
    <>
      <Card title="What the token states">
        <KeyValues
          items={{
            "Time": statedTimeText(info),
            "Hash function": hash,
            "Digest": <HashText text={hexOf(digest)} what="digest" />,
            "Authority": <AuthorityText authority={authority} />,
            "Attested entry": attestation && (
              <a href={hrefOf({ page: "proof", hash: attestation.hash })}>
                Position {countText(attestation.sequence)} in the log of {attestation.network_id}
              </a>
            ),
          }}
        />
      </Card>
      {proof !== undefined && (
        <VerdictDetails
          {...proof}
          trust={trust}
          fileName={fileName}
          hashLabel={hash === "SHA-256" ? hash : `SHA-256 of the ${hash} imprint`}
        />
      )}
    </>
  );
}

const AUTHORITY_STATUS: Readonly<
  Record<AuthorityFinding["status"], readonly [tone: Tone, name: string]>
> = {
  verified: ["good", "Verified"],
  not_checked: ["neutral", "Not checked against a root"],
  refused: ["bad", "Refused"],
};

function AuthorityText({ authority }: { readonly authority: AuthorityFinding }) {
  const [tone, name] = AUTHORITY_STATUS[authority.status];
  return (
    <span class="row">
      {authority.status !== "refused" && <span>{authority.subject}</span>}
      <Badge tone={tone}>{name}</Badge>
    </span>
  );
}
