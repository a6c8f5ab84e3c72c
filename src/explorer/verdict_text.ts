/**
 * Levels and layers of a verdict in plain English (protocol.md "Levels").
 *
 * @module
 */

import { type LayerStatus, type Level, type Verdict, VERIFY_REASONS } from "../verify/mod.ts";
import type { SignedOutcome } from "../verify/signed_outcome.ts";
import type { Tone } from "./components/badge.tsx";
import { plural } from "./text.ts";

/** The name of a level and its meaning. */
export interface VerdictText {
  readonly name: string;
  readonly tone: Tone;
  readonly meaning: string;
}

const LEVELS: Readonly<Record<Level, VerdictText>> = {
  invalid: {
    name: "INVALID",
    tone: "bad",
    meaning: "This proof does not verify against the configuration in use.",
  },
  basic: {
    name: "VALID: Basic",
    tone: "good",
    meaning:
      "Enough witnesses signed this hash. The proof does not show yet that it is in the log.",
  },
  batched: {
    name: "VALID: Batched",
    tone: "good",
    meaning: "Enough witnesses signed this hash, and it is in the log that they signed.",
  },
  federated: {
    name: "VALID: Federated",
    tone: "good",
    meaning: "The hash is signed and in the log, and enough peer networks cosigned that log.",
  },
};

/** The text for a verdict. A layer that failed is a warning; a missing layer is not. */
export function verdictText({ level, layers }: Pick<Verdict, "level" | "layers">): VerdictText {
  const text = LEVELS[level];
  if (level === "basic" && layers.batch.status === "failed") {
    const meaning =
      "Enough witnesses signed this hash. The proof that it is in the log does not verify.";
    return { ...text, tone: "warn", meaning };
  }
  const failed = layers.cross_anchors.filter(({ status }) => status === "failed").length;
  if (level !== "batched" || failed === 0) return text;
  const verb = failed === 1 ? "does" : "do";
  const meaning = `${text.meaning} ${plural(failed, "cross-anchor")} ${verb} not verify.`;
  return { ...text, tone: "warn", meaning };
}

export const LAYER_STATUS: Readonly<
  Record<LayerStatus, { readonly name: string; readonly tone: Tone }>
> = {
  verified: { name: "Verified", tone: "good" },
  failed: { name: "Failed", tone: "bad" },
  absent: { name: "Absent", tone: "neutral" },
  not_checked: { name: "Not checked", tone: "warn" },
};

/** Why a check failed, with the field and the witness; empty where it did not. */
export function reasonText(
  { reason, field, witness }: Pick<Partial<SignedOutcome>, "reason" | "field" | "witness">,
): string {
  if (reason === undefined) return "";
  const where = [field, witness].filter((name) => name !== undefined).join(", ");
  return where === "" ? VERIFY_REASONS[reason] : `${VERIFY_REASONS[reason]} (${where})`;
}
