/**
 * The findings of a monitor. Its kind, log, view and subject identify a finding, so that it is alerted
 * only once.
 *
 *     observe ──> open ──(held for the grace period)──> alerted ──> ended
 *                                                          └─────> acknowledged
 *
 * Conditions, such as an outage, end by themselves. Proofs of tampering stay until an operator
 * acknowledges them.
 *
 * @module
 */

import { hexOf, utf8 } from "../../base/bytes.ts";
import { sha256 } from "../../proof/crypto/hashing.ts";
import { COUNT, list, object, type Of, oneOf, TEXT } from "../../proof/format/schema.ts";
import type { Alert } from "./ports.ts";

/**
 * The class of a finding. `tampering`: the log, or one of its views, changed or withheld what was
 * signed; `trust`: what is shown cannot be relied on; `outage`: nothing usable is shown; `clock`: this
 * machine's clock is doubtful.
 */
export type FindingClass = "tampering" | "trust" | "outage" | "clock";

interface Kind {
  readonly class: FindingClass;
  /** Alerted when it is found, without the grace period. */
  readonly atOnce?: true;
  /** Stays until it is acknowledged. */
  readonly stays?: true;
}

const KINDS = {
  /** Two signed heads, or two successions of one epoch, contradict each other. */
  fork: { class: "tampering", atOnce: true, stays: true },
  /** Tiles or entries do not hash to the signed root. */
  mismatch: { class: "tampering", atOnce: true, stays: true },
  /** A watched hash is not at its index any more. */
  lost: { class: "tampering", atOnce: true, stays: true },
  /** A view shows a smaller tree than before. */
  shrunk: { class: "tampering" },
  /** A witness or peer knows a head whose tree no view shows. */
  withheld: { class: "tampering" },
  /** A head without the signature of the log, or with a wrong signature. */
  unverified: { class: "trust" },
  /** A head without the quorum's cosignatures. */
  below_policy: { class: "trust" },
  /** A head that is too old. */
  stale: { class: "trust", atOnce: true },
  /** A watched hash is nowhere in the log. */
  absent: { class: "trust", atOnce: true },
  outage: { class: "outage" },
  clock: { class: "clock", atOnce: true },
} as const satisfies Readonly<Record<string, Kind>>;

export type FindingKind = keyof typeof KINDS;

const KIND_NAMES = Object.keys(KINDS) as FindingKind[];

/** The subject of a finding. */
export interface FindingKey {
  readonly kind: FindingKind;
  /** Origin of the log; empty for the clock. */
  readonly log: string;
  readonly view?: string | undefined;
  /** The part of the log that the finding is about, such as a watched hash. */
  readonly subject?: string | undefined;
}

export const FINDING = object({
  id: TEXT,
  kind: oneOf(KIND_NAMES),
  log: TEXT,
  view: TEXT.optional(),
  subject: TEXT.optional(),
  message: TEXT,
  /** When it began; Unix seconds, as all times here. */
  since: COUNT,
  /** When it was last seen. */
  seen_at: COUNT,
  alerted_at: COUNT.optional(),
  ended_at: COUNT.optional(),
  acknowledged_at: COUNT.optional(),
  /** Note of the operator who acknowledged it. */
  note: TEXT.optional(),
  /** Path of a file. */
  evidence: TEXT.optional(),
  /** Alerts that were sent, with their channel: `stdout opened`, `webhook ended`. */
  sent: list(TEXT),
});

export type Finding = Of<typeof FINDING>;

type Change = "opened" | "ended";

/** A condition that returns within this time continues the same finding. */
const RETURNS_SECONDS = 3_600;

export function classOf({ kind }: Pick<Finding, "kind">): FindingClass {
  return KINDS[kind].class;
}

/** Its class and kind, once if they are the same word, for people. */
export function titleOf(finding: Pick<Finding, "kind">): string {
  return [...new Set([classOf(finding), finding.kind])].join("  ");
}

/** True if it was alerted, and still calls for an operator. */
export function isOpen(finding: Finding): boolean {
  return finding.alerted_at !== undefined && finding.ended_at === undefined &&
    finding.acknowledged_at === undefined;
}

/** The members that alerts and lists show. */
export function findingMembers(finding: Finding): Omit<Finding, "sent"> & { class: FindingClass } {
  const { sent: _, ...members } = finding;
  return { ...members, class: classOf(finding) };
}

/** The findings of all logs of a monitor. */
export class Findings {
  readonly #byKey: Map<string, Finding>;
  readonly #channels: readonly string[];

  constructor(findings: readonly Finding[], channels: readonly string[]) {
    this.#byKey = new Map(findings.map((finding) => [keyOf(finding), finding]));
    this.#channels = channels;
  }

  /** Oldest first. */
  all(): readonly Finding[] {
    return [...this.#byKey.values()].toSorted((a, b) => a.since - b.since);
  }

  /** The finding about `key`, if it is known. */
  find(key: FindingKey): Finding | undefined {
    return this.#byKey.get(keyOf(key));
  }

  /** Records that the condition of `key` was seen at `now`. */
  observe(key: FindingKey, now: number, message: string, evidence?: string): void {
    const known = this.find(key);
    if (known !== undefined && !this.#isOver(known, now)) {
      const { ended_at: _, ...same } = known;
      const isNews = known.alerted_at === undefined;
      this.#set({ ...same, seen_at: now, ...(isNews && { message }) });
      return;
    }
    const { kind, log, view, subject } = key;
    const id = hexOf(sha256(utf8(`${keyOf(key)}\n${now}`))).slice(0, 16);
    this.#set({
      id,
      kind,
      log,
      message,
      since: now,
      seen_at: now,
      sent: [],
      ...(view !== undefined && { view }),
      ...(subject !== undefined && { subject }),
      ...(evidence !== undefined && { evidence }),
    });
  }

  /** Records that the condition of `key` was not seen at `now`. */
  clear(key: FindingKey, now: number): void {
    const known = this.find(key);
    if (known === undefined || known.ended_at !== undefined || "stays" in KINDS[known.kind]) return;
    if (known.alerted_at === undefined) this.#byKey.delete(keyOf(known));
    else this.#set({ ...known, ended_at: now });
  }

  /** Ends the findings about logs and views that `isFollowed` rejects. */
  retain(isFollowed: (finding: Finding) => boolean, now: number): void {
    for (const finding of this.all()) if (!isFollowed(finding)) this.clear(finding, now);
  }

  /** Decides which findings are alerted, and forgets those that are over. */
  settle(now: number, graceSeconds: number): void {
    for (const finding of this.all()) {
      const { kind, since, seen_at, alerted_at, ended_at } = finding;
      const isDue = "atOnce" in KINDS[kind] || seen_at - since >= graceSeconds;
      if (alerted_at === undefined && ended_at === undefined && isDue) {
        this.#set({ ...finding, alerted_at: now });
      } else if (this.#isOver(finding, now)) {
        this.#byKey.delete(keyOf(finding));
      }
    }
  }

  /** Returns false if there is no such finding. */
  acknowledge(id: string, now: number, note?: string): boolean {
    const finding = this.all().find((one) => one.id === id);
    if (finding === undefined) return false;
    this.#set({ ...finding, acknowledged_at: now, ...(note !== undefined && { note }) });
    return true;
  }

  /** Moves the times of findings that are not alerted yet by `seconds`, after a jump of the clock. */
  shift(seconds: number): void {
    for (const finding of this.all()) {
      if (finding.alerted_at !== undefined) continue;
      this.#set({ ...finding, since: Math.max(0, finding.since + seconds) });
    }
  }

  /** The next alert that `channel` has not sent; call `sent` once it has. */
  next(channel: string): { readonly alert: Alert; readonly sent: () => void } | undefined {
    for (const finding of this.all()) {
      const change = unsent(finding, channel);
      if (change === undefined) continue;
      const { id } = finding;
      return {
        alert: alertOf(finding, change),
        sent: () => {
          const now = this.all().find((one) => one.id === id);
          if (now !== undefined) this.#set({ ...now, sent: [...now.sent, `${channel} ${change}`] });
        },
      };
    }
    return undefined;
  }

  #set(finding: Finding): void {
    this.#byKey.set(keyOf(finding), finding);
  }

  /** True if it needs no further alert, so that the same condition makes a new finding. */
  #isOver(finding: Finding, now: number): boolean {
    const { ended_at, acknowledged_at, seen_at, kind } = finding;
    const over = "stays" in KINDS[kind] ? acknowledged_at : ended_at;
    return over !== undefined && Math.abs(now - Math.max(over, seen_at)) > RETURNS_SECONDS &&
      this.#channels.every((channel) => unsent(finding, channel) === undefined);
  }
}

function keyOf({ kind, log, view = "", subject = "" }: FindingKey): string {
  return JSON.stringify([kind, log, view, subject]);
}

function unsent({ alerted_at, ended_at, sent }: Finding, channel: string): Change | undefined {
  if (alerted_at === undefined) return undefined;
  if (!sent.includes(`${channel} opened`)) return "opened";
  return ended_at === undefined || sent.includes(`${channel} ended`) ? undefined : "ended";
}

function alertOf(finding: Finding, change: Change): Alert {
  const { id, log, view, message } = finding;
  const at = change === "opened" ? finding.alerted_at : finding.ended_at;
  const data = findingMembers(finding);
  const place = [log, ...(view === undefined ? [] : [view])].filter((part) => part !== "");
  return {
    id: `${id}.${change}`,
    text: JSON.stringify({ id: `${id}.${change}`, type: `finding.${change}`, at, data }),
    line: `${change === "ended" ? "ended " : ""}${titleOf(finding)}  ${id}  ${
      place.join(", ")
    }: ${message}`,
  };
}
