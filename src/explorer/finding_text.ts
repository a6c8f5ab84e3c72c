/**
 * What the findings of a check mean for a reader, and what to do about them.
 *
 * @module
 */

import type { LogCheck, LogFinding, MemoryState } from "../client/log_check.ts";

/** How loud a finding is. `bad`: the log is not to be relied on. */
export type Tone = "good" | "neutral" | "warn" | "bad";

/** A finding in words. */
export interface FindingText {
  readonly tone: Tone;
  /** Two or three words for a badge. */
  readonly badge: string;
  readonly title: string;
  readonly meaning: string;
  /** What to do; nothing where all is well. */
  readonly steps: readonly string[];
}

const WATCH_STEPS = [
  "Keep what was saved: download the evidence, and do not clear what this page remembers.",
  "Rely on no new attestation of this network until its operator has explained it in public.",
];

const TEXTS: Readonly<Record<LogFinding, FindingText>> = {
  empty: {
    tone: "neutral",
    badge: "No head yet",
    title: "The log is empty",
    meaning: "No tree head has been published yet, and none was seen from this browser before.",
    steps: [],
  },
  first: {
    tone: "good",
    badge: "Remembered",
    title: "First visit: this tree head is remembered",
    meaning: "Its signatures verify. Every later visit has to show a log that grew from it.",
    steps: [],
  },
  same: {
    tone: "good",
    badge: "Consistent",
    title: "The log stands where you saw it last",
    meaning: "The gateway shows the size and the root that this browser remembers.",
    steps: [],
  },
  extends: {
    tone: "good",
    badge: "Consistent",
    title: "The log grew from what you saw last",
    meaning: "A consistency proof leads from the remembered tree head to the one shown. Nothing " +
      "that was in the log was changed or taken away.",
    steps: [],
  },
  outdated: {
    tone: "warn",
    badge: "Outdated",
    title: "The gateway shows an older log than before",
    meaning: "Both tree heads are of one log, but this browser has seen a longer one. The store " +
      "of the gateway may be an old copy, or a cache stands in between.",
    steps: [
      "Come back in a few minutes. If it stays so, tell the operator which size you have seen.",
    ],
  },
  fork: {
    tone: "bad",
    badge: "Fork",
    title: "This log has two histories",
    meaning: "The witnesses of this network signed two tree heads that no one log can have. " +
      "The gateway, and every witness that signed both, has broken its promise. The evidence " +
      "proves it to anyone who has the network's configuration.",
    steps: [
      ...WATCH_STEPS,
      "Send the evidence to other users of the network, to its peers and to its operator.",
    ],
  },
  unproven: {
    tone: "bad",
    badge: "Not proved",
    title: "The gateway does not show that its log grew from what you saw",
    meaning: "The proof that it answers does not lead from the remembered tree head to the one " +
      "shown. That is no proof of a fork, since a proof can be damaged on its way; an honest " +
      "gateway can always give a good one.",
    steps: [
      "Check again, and from another connection. If it stays so, treat it as a fork.",
      ...WATCH_STEPS,
    ],
  },
  denied: {
    tone: "bad",
    badge: "Denied",
    title: "The gateway denies a tree head that its witnesses signed",
    meaning: "It says that the size this browser remembers was never published. Either its store " +
      "is an old copy, or it shows another log.",
    steps: [
      "Check again later. A gateway that is restored from a backup must not lose published heads.",
      ...WATCH_STEPS,
    ],
  },
  other_keys: {
    tone: "bad",
    badge: "Other keys",
    title: "What you saw before was signed with other keys",
    meaning: "The remembered tree head does not verify under the configuration in use, so that " +
      "the two logs cannot be compared. What is remembered stays as it is.",
    steps: [
      "If you know that the network's keys were changed, clear what this page remembers and " +
      "start over.",
      "If you do not, ask the operator, and compare the fingerprint of the configuration with " +
      "one that you have from elsewhere.",
    ],
  },
  unverified: {
    tone: "bad",
    badge: "Not verified",
    title: "The tree head shown does not verify",
    meaning: "It does not have the signatures that the configuration in use requires. Nothing of " +
      "it is remembered.",
    steps: [
      "Compare the fingerprint of your configuration with the operator's.",
      "Do not rely on this gateway until its tree head verifies.",
    ],
  },
  other_network: {
    tone: "warn",
    badge: "Not checked",
    title: "What you pinned is of another network",
    meaning: "This gateway shows the log of another network than the one whose configuration is " +
      "pinned in this browser, so that nothing of it can be verified here.",
    steps: [
      "If you pinned it to verify a proof of that network, nothing is wrong.",
      "To check this log, pin the configuration of this gateway's network in its place.",
    ],
  },
  refused: {
    tone: "warn",
    badge: "Not checked",
    title: "The gateway gave no usable answer",
    meaning: "The log was not checked. What this browser remembers stays as it is.",
    steps: ["Check again in a moment."],
  },
  unreachable: {
    tone: "warn",
    badge: "Not reachable",
    title: "The gateway does not answer",
    meaning: "The log was not checked. What this browser remembers stays as it is.",
    steps: ["Check your connection, and try again."],
  },
};

/** Of a first visit that leaves no trace. */
const UNKEPT: FindingText = {
  tone: "warn",
  badge: "Not compared",
  title: "There is nothing to compare this tree head with",
  meaning:
    "Its signatures verify. It cannot be remembered, so that a log which changes would not " +
    "be noticed at the next visit.",
  steps: ["See below what keeps this browser from remembering it."],
};

/** The words for what `check` found. */
export function findingText(
  { finding, memory }: Pick<LogCheck, "finding" | "memory">,
): FindingText {
  return finding === "first" && memory !== "kept" ? UNKEPT : TEXTS[finding];
}

const MEMORY_TEXTS: Readonly<Record<MemoryState, string | undefined>> = {
  kept: undefined,
  unchanged: undefined,
  full: "This browser has no room left for the page: the tree head shown is not remembered.",
  blocked: "This browser does not let the page remember anything: each visit is like the first.",
  damaged: "What is kept in this browser for this network cannot be read, and is left as it is. " +
    "Clear it to start over.",
};

/** Why what was seen is not remembered; `undefined` where nothing is amiss. */
export function memoryText({ memory }: Pick<LogCheck, "memory">): string | undefined {
  return MEMORY_TEXTS[memory];
}
