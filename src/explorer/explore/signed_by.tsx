/**
 * What verification in this browser says of a set of signatures, and under whose configuration.
 *
 * @module
 */

import { VERIFY_REASONS } from "../../verify/reasons.ts";
import type { SignedOutcome } from "../../verify/signed_outcome.ts";
import { Badge } from "../components/badge.tsx";
import { hrefOf } from "../route.ts";

interface SignedByProps {
  readonly outcome: SignedOutcome;
  readonly isPinned: boolean;
}

/** "2 of 2 signatures verify", in green only where the keys were pinned. */
export function SignedBy({ outcome, isPinned }: SignedByProps) {
  const { valid, verified, required, reason, witness, field } = outcome;
  if (!valid) {
    return (
      <span class="signed-by">
        <Badge tone="bad">Not verified</Badge>
        <span>
          {reason === undefined ? "" : VERIFY_REASONS[reason]}
          {witness === undefined ? "" : ` Witness ${witness}.`}
          {field === undefined ? "" : ` Field ${field}.`}
        </span>
      </span>
    );
  }
  return (
    <span class="signed-by">
      <Badge tone={isPinned ? "good" : "info"}>
        {`${verified} valid signatures, ${required} required`}
      </Badge>
    </span>
  );
}

/** Whose configuration a page verified under. */
export function TrustNote({ isPinned }: { readonly isPinned: boolean }) {
  return isPinned
    ? (
      <p class="muted small">
        Signatures are verified in this browser, under your pinned configuration.
      </p>
    )
    : (
      <p class="muted small">
        No configuration is pinned: signatures are verified with the keys that this gateway names
        itself, so that they show no more than its word.{" "}
        <a href={hrefOf({ page: "verify" })}>Pin one</a> from a source that you trust.
      </p>
    );
}
