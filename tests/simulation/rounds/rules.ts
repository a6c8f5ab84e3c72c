/**
 * The rules of witnesses and gateways for the text of a round, without bytes: what a witness answers, what
 * a gateway learns, adopts, proposes and gives up (docs/decisions/14_one_text.md).
 *
 * A text is "0ab@1": its first sequence, a letter for each digest, and its time.
 *
 * @module
 */

/** What a weakened variant leaves out or gets wrong. */
export type Weakness =
  | "keeps digests only"
  | "signs before it stores"
  | "checks the time first"
  | "counts one voucher"
  | "does not learn"
  | "learns from fewer"
  | "asks no more than a quorum"
  | "ignores what is beyond its digests"
  | "never gives up"
  | "counts one kind of conflict"
  | "does not wait for rounds in the way";

export interface Network {
  readonly count: number;
  readonly threshold: number;
  /** The last witnesses lie. */
  readonly liars: number;
  readonly weakness?: Weakness;
}

export interface Text {
  readonly first: number;
  readonly end: number;
  readonly digests: string;
  readonly time: number;
}

const PARSED = new Map<string, Text>();

export function textOf(name: string): Text {
  let text = PARSED.get(name);
  if (text === undefined) {
    const digests = name.slice(1, name.indexOf("@"));
    const first = Number(name[0]);
    const time = Number(name.slice(name.indexOf("@") + 1));
    text = { first, end: first + digests.length, digests, time };
    PARSED.set(name, text);
  }
  return text;
}

export function overlap(a: string, b: string): boolean {
  const [one, other] = [textOf(a), textOf(b)];
  return one.first < other.end && other.first < one.end;
}

function agree(a: string, b: string): boolean {
  const [one, other] = [textOf(a), textOf(b)];
  for (let at = Math.max(one.first, other.first); at < Math.min(one.end, other.end); at++) {
    if (one.digests[at - one.first] !== other.digests[at - other.first]) return false;
  }
  return true;
}

export const vouchersNeeded = ({ count, threshold, weakness }: Network) =>
  weakness === "counts one voucher" ? 1 : 2 * threshold - count;

/** `new` and `vouched` are first signatures. */
export type Answer = "signed" | "new" | "vouched" | "hash" | "text" | "time";

/** What an honest witness that has signed `signed` answers to `text` with so many vouchers. */
export function answerOf(
  network: Network,
  signed: readonly string[],
  text: string,
  { clock, vouchers }: { readonly clock: number; readonly vouchers: number },
): Answer {
  const { weakness } = network;
  const isNew = textOf(text).time === clock;
  const isInTime = isNew || vouchers >= vouchersNeeded(network);
  if (weakness === "checks the time first" && !isInTime) return "time";
  if (signed.includes(text)) return "signed";
  const others = signed.filter((other) => overlap(other, text));
  if (others.some((other) => !agree(other, text))) return "hash";
  if (others.length > 0 && weakness !== "keeps digests only") return "text";
  if (!isInTime) return "time";
  return isNew ? "new" : "vouched";
}

/** A round that a gateway wants signed. */
export interface OpenRound {
  readonly text: string;
  /** Mask of the witnesses that refused the time of the text. */
  readonly free: number;
}

export type Phase = "stopped" | "started" | "learning" | "signing" | "refusing";

export interface Gateway {
  /** In the order of its writes: a letter for an accepted digest, and the text of a signed round. */
  readonly store: readonly string[];
  readonly phase: Phase;
  /** It has given up a round, and asks all witnesses. */
  readonly asksAll: boolean;
  readonly open: readonly OpenRound[];
}

const isText = (write: string) => write.includes("@");

export const acceptedOf = ({ store }: Gateway) => store.filter((write) => !isText(write)).join("");

export const roundsOf = ({ store }: Gateway) => store.filter(isText);

/** Accepted sequences in no round, as ranges. */
export function unformed(gateway: Gateway): { first: number; end: number }[] {
  const taken = [...roundsOf(gateway), ...gateway.open.map(({ text }) => text)].map(textOf);
  const ranges: { first: number; end: number }[] = [];
  for (let at = 0; at < acceptedOf(gateway).length; at++) {
    if (taken.some(({ first, end }) => first <= at && at < end)) continue;
    const last = ranges.at(-1);
    if (last?.end === at) last.end++;
    else ranges.push({ first: at, end: at + 1 });
  }
  return ranges;
}

/** A gateway that opens a round for each range of its unformed digests. */
export function formed(gateway: Gateway, clock: number): Gateway {
  const accepted = acceptedOf(gateway);
  const open = unformed(gateway).map(({ first, end }) => ({
    text: `${first}${accepted.slice(first, end)}@${clock}`,
    free: 0,
  }));
  return { ...gateway, open: [...gateway.open, ...open] };
}

/** A gateway that adopts what witnesses say that they signed; one list for each that answered. */
export function adopted(
  network: Network,
  gateway: Gateway,
  answers: readonly (readonly string[])[],
  { clock, isVouchable }: { readonly clock: number; readonly isVouchable: boolean },
): Gateway {
  const { count, threshold, weakness } = network;
  const accepted = acceptedOf(gateway);
  const signers = new Map<string, number>();
  let beyond = 0;
  for (const answer of answers) {
    if (answer.some((text) => textOf(text).end > accepted.length)) beyond++;
    for (const text of answer) signers.set(text, (signers.get(text) ?? 0) + 1);
  }
  if (beyond > count - threshold && weakness !== "ignores what is beyond its digests") {
    return { ...gateway, phase: "refusing", asksAll: false, open: [] };
  }
  let next: Gateway = { ...gateway, phase: "signing", asksAll: false };
  const awaited: string[] = [];
  const waits = weakness !== "does not wait for rounds in the way";
  const learned = [...signers].sort(([a, x], [b, y]) => y - x || textOf(a).time - textOf(b).time);
  for (const [text, signed] of weakness === "does not learn" ? [] : learned) {
    const { first, end, digests, time } = textOf(text);
    const canBeCompleted = signed >= threshold || time === clock ||
      isVouchable && signed >= vouchersNeeded(network);
    if (!canBeCompleted || accepted.slice(first, end) !== digests) continue;
    if (awaited.some((other) => overlap(other, text))) continue;
    if (!unformed(next).some((range) => range.first <= first && end <= range.end)) {
      const isCrossed = next.open.some((round) =>
        overlap(round.text, text) &&
        (textOf(round.text).first !== first || textOf(round.text).end !== end)
      );
      const isCertain = signed > count - threshold;
      if (isCrossed && isCertain && waits) awaited.push(text);
      continue;
    }
    next = { ...next, open: [...next.open, { text, free: 0 }] };
  }
  if (awaited.length > 0 && gateway.asksAll) {
    return { ...next, phase: "learning", asksAll: true };
  }
  return next;
}

export const bits = (mask: number) => {
  let count = 0;
  for (; mask > 0; mask &= mask - 1) count++;
  return count;
};

/** What a gateway does once it has these answers to `round`, as masks of witnesses. */
export function decided(
  { count, threshold, weakness }: Network,
  gateway: Gateway,
  { text, free }: OpenRound,
  answers: { readonly signed: number; readonly hash: number; readonly text: number },
  clock: number,
): Gateway {
  const others = gateway.open.filter((round) => round.text !== text);
  if (bits(answers.signed) >= threshold) {
    return { ...gateway, store: [...gateway.store, text], open: others };
  }
  if (bits(answers.hash) > count - threshold) return { ...gateway, phase: "refusing", open: [] };
  const conflicts = answers.text |
    (weakness === "counts one kind of conflict" ? 0 : answers.hash);
  const isBlocked = answers.text > 0 && bits(conflicts) > count - threshold;
  if (isBlocked && weakness !== "never gives up") {
    return { ...gateway, phase: "learning", asksAll: true, open: others };
  }
  const isGivenUp = textOf(text).time !== clock && bits(free) >= threshold;
  const round = isGivenUp ? { text: text.replace(/@.*/, `@${clock}`), free: 0 } : { text, free };
  return { ...gateway, open: gateway.open.map((one) => one.text === text ? round : one) };
}
