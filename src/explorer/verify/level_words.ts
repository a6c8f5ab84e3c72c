/**
 * Levels and layers of a verdict in plain words (protocol.md "Levels").
 *
 * @module
 */

import type { Tone } from "../components/badge.tsx";
import type { LayerStatus, Level, Verdict } from "../../verify/mod.ts";
import { plural } from "../text.ts";

/** A level's name, and what it means. */
export interface LevelWords {
  readonly name: string;
  readonly tone: Tone;
  readonly meaning: string;
}

export const LEVELS: Readonly<Record<Level, LevelWords>> = {
  invalid: {
    name: "INVALID",
    tone: "bad",
    meaning: "This proof does not hold against the configuration that it was checked with.",
  },
  basic: {
    name: "VALID: Basic",
    tone: "good",
    meaning: "Enough witnesses signed this hash. Nothing shows yet that it is in the log.",
  },
  batched: {
    name: "VALID: Batched",
    tone: "good",
    meaning: "Enough witnesses signed this hash, and it is in the log that they signed.",
  },
  federated: {
    name: "VALID: Federated",
    tone: "good",
    meaning: "The hash is signed and in the log, and enough peer networks witnessed that log.",
  },
};

/** The words for a verdict: a layer that is there and fails is no mere absence of it. */
export function verdictWords({ level, layers }: Pick<Verdict, "level" | "layers">): LevelWords {
  const words = LEVELS[level];
  if (level === "basic" && layers.batch.status === "failed") {
    return {
      ...words,
      tone: "warn",
      meaning: "Enough witnesses signed this hash. The proof that it is in the log does not hold.",
    };
  }
  const wrong = layers.cross_anchors.filter(({ status }) => status === "failed").length;
  return level === "batched" && wrong > 0
    ? {
      ...words,
      tone: "warn",
      meaning: `${words.meaning} ${plural(wrong, "cross-anchor")} of peers that it holds ` +
        `${wrong === 1 ? "does" : "do"} not verify.`,
    }
    : words;
}

export const LAYER_WORDS: Readonly<
  Record<LayerStatus, { readonly name: string; readonly tone: Tone }>
> = {
  verified: { name: "Verified", tone: "good" },
  failed: { name: "Failed", tone: "bad" },
  absent: { name: "Not there", tone: "neutral" },
  not_checked: { name: "Not checked", tone: "warn" },
};
