/**
 * The outcome of verifying a set of signatures, and under whose configuration; the link to a batch.
 *
 * @module
 */

import { reasonText, signatureCountText } from "../../proof/verify/verdict_words.ts";
import type { SignedOutcome } from "../../proof/verify/signed_outcome.ts";
import { Badge } from "../components/badge.tsx";
import { hrefOf } from "../route.ts";
import { countText } from "../text.ts";

interface SignedByProps {
  readonly outcome: SignedOutcome;
  readonly isPinned: boolean;
}

/** Green only where the keys are pinned. */
export function SignedBy({ outcome, isPinned }: SignedByProps) {
  const { valid } = outcome;
  return (
    <span class="signed-by">
      {valid
        ? (
          <Badge tone={isPinned ? "good" : "info"}>
            {signatureCountText(outcome)}
          </Badge>
        )
        : <Badge tone="bad">Not verified</Badge>}
      {valid ? null : <span>{reasonText(outcome)}</span>}
    </span>
  );
}

/** Whose configuration the page used. */
export function TrustNote({ isPinned }: { readonly isPinned: boolean }) {
  return (
    <p class="muted small">
      {isPinned ? "Signatures are verified in this browser, under your pinned configuration." : (
        <>
          No configuration is pinned. Signatures are verified with the keys that this gateway names,
          so they prove no more than its word.{" "}
          <a href={hrefOf({ page: "verify" })}>Pin a configuration</a> from a source that you trust.
        </>
      )}
    </p>
  );
}

export function BatchLink({ id }: { readonly id: number }) {
  return <a href={hrefOf({ page: "batch", id })}>{countText(id)}</a>;
}
