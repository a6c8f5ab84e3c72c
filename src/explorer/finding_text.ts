/**
 * What the findings of a log check mean and what to do about them, in plain English.
 *
 * @module
 */

import type { Tone } from "./components/badge.tsx";
import type { LogCheck, LogFinding, MemoryState } from "../client/log_check.ts";

/** A finding as the page shows it. */
export interface FindingText {
  /** `bad`: do not rely on the log. */
  readonly tone: Tone;
  /** Two or three words for a badge. */
  readonly badge: string;
  readonly title: string;
  readonly meaning: string;
  /** What to do; empty if all is well. */
  readonly steps: readonly string[];
}

const EVIDENCE_STEPS = [
  "Download the evidence, and do not clear what this page remembers.",
  "Do not rely on new attestations of this network until its operator has explained it in public.",
  "Send the evidence to other users of the network, to its peers and to its operator.",
];
const IS_PROVED = "The evidence proves it to anyone who has the network's configuration.";
const TELL_SIZE = "If nothing changes, tell the operator which size you have seen.";

const TEXTS: Readonly<Record<LogFinding, FindingText>> = {
  empty: {
    tone: "neutral",
    badge: "No head yet",
    title: "The log is empty",
    meaning: "The gateway has not published a tree head yet, and this browser has not seen one.",
    steps: [],
  },
  first: {
    tone: "good",
    badge: "Remembered",
    title: "First visit: this browser now remembers the tree head",
    meaning:
      "Its signatures verify. At every later visit the gateway must show a log that grew from it.",
    steps: [],
  },
  same: {
    tone: "good",
    badge: "Consistent",
    title: "The log has not changed since your last visit",
    meaning: "The gateway shows the size and the root that this browser remembers.",
    steps: [],
  },
  extends: {
    tone: "good",
    badge: "Consistent",
    title: "The log grew since your last visit",
    meaning:
      "A consistency proof shows that the log still begins with everything that was in it: " +
      "no entry was changed or removed.",
    steps: [],
  },
  outdated: {
    tone: "warn",
    badge: "Outdated",
    title: "The gateway shows an older log than before",
    meaning: "Both tree heads belong to one log, but this browser has seen a longer one. The " +
      "gateway's store may be an old copy, or a cache between you and the gateway is out of date.",
    steps: [
      `Come back in a few minutes. ${TELL_SIZE}`,
    ],
  },
  fork: {
    tone: "bad",
    badge: "Fork",
    title: "This log has two histories",
    meaning: "The witnesses of this network signed two tree heads that one log cannot have. The " +
      `gateway and every witness that signed both broke their promise. ${IS_PROVED}`,
    steps: EVIDENCE_STEPS,
  },
  two_successions: {
    tone: "bad",
    badge: "Two successions",
    title: "This network has two successions of one epoch",
    meaning: "The gateway shows another succession than the one that this browser followed, and " +
      "the witnesses of that epoch signed both. This browser goes on with the first one, under " +
      `which the tree head shown does not verify. ${IS_PROVED}`,
    steps: EVIDENCE_STEPS,
  },
  unproven: {
    tone: "bad",
    badge: "Not proved",
    title: "The gateway does not prove that its log grew from what you saw",
    meaning: "Its proof does not lead from the remembered tree head to the one shown. That does " +
      "not prove a fork: the proof may have been damaged on its way. But an honest gateway can " +
      "always give a valid one.",
    steps: [
      "Check again, also from another connection, and keep what this page remembers.",
      "If nothing changes, download what was seen and ask the operator.",
    ],
  },
  denied: {
    tone: "warn",
    badge: "Not compared",
    title: "The gateway does not know the tree size that this browser remembers",
    meaning:
      "So the two tree heads cannot be compared. That proves nothing against the network: a " +
      "standby may lag, or the gateway's store may be an old copy.",
    steps: [
      "Check again later, and keep what this page remembers.",
      TELL_SIZE,
    ],
  },
  other_keys: {
    tone: "bad",
    badge: "Other keys",
    title: "The tree head you saw before was signed with other keys",
    meaning:
      "The remembered tree head does not verify under the configuration in use, so the two " +
      "logs cannot be compared. This browser keeps the remembered head.",
    steps: [
      "If the network announced new keys, clear what this page remembers and start over.",
      "Otherwise ask the operator, and compare the fingerprint of the configuration with one " +
      "from another source.",
    ],
  },
  unverified: {
    tone: "bad",
    badge: "Not verified",
    title: "The tree head shown does not verify",
    meaning: "It does not have the signatures that the configuration in use requires. This " +
      "browser does not remember it.",
    steps: [
      "Compare the fingerprint of your configuration with the operator's.",
      "Do not rely on this gateway until its tree head verifies.",
    ],
  },
  other_network: {
    tone: "warn",
    badge: "Not checked",
    title: "You pinned the configuration of another network",
    meaning:
      "The configuration pinned in this browser is for another network than this gateway's, " +
      "so this log cannot be verified here.",
    steps: [
      "If you pinned it to verify a proof of that network, nothing is wrong.",
      "To check this log, pin the configuration of this gateway's network instead.",
    ],
  },
  refused: {
    tone: "warn",
    badge: "Not checked",
    title: "The gateway gave no usable answer",
    meaning: "The log was not checked. This browser keeps what it remembers.",
    steps: ["Check again in a moment."],
  },
  unreachable: {
    tone: "warn",
    badge: "Not reachable",
    title: "The gateway does not answer",
    meaning: "The log was not checked. This browser keeps what it remembers.",
    steps: ["Check your connection, and try again."],
  },
};

/** For a first visit whose head could not be stored. */
const NOT_STORED: FindingText = {
  tone: "warn",
  badge: "Not compared",
  title: "There is nothing to compare this tree head with",
  meaning:
    "Its signatures verify, but this browser cannot remember it. At the next visit it cannot " +
    "notice a log that changed.",
  steps: ["See below why this browser cannot remember it."],
};

/** The text for the finding of a check. */
export function findingText(
  { finding, memory }: Pick<LogCheck, "finding" | "memory">,
): FindingText {
  return finding === "first" && memory !== "kept" ? NOT_STORED : TEXTS[finding];
}

const MEMORY_TEXTS: Readonly<Record<MemoryState, string | undefined>> = {
  kept: undefined,
  unchanged: undefined,
  full: "This browser has no storage left for the page, so it does not remember this tree head.",
  blocked: "This browser does not let the page store anything: each visit is the first one.",
  damaged: "The tree head stored for this network cannot be read. Clear it to start over.",
};

/** Why the tree head is not remembered; `undefined` if it is. */
export function memoryText({ memory }: Pick<LogCheck, "memory">): string | undefined {
  return MEMORY_TEXTS[memory];
}
