/**
 * What a gateway does while it is alone and every witness answers, whichever answer is the first. A gateway
 * that holds digests of a sequence whose text the threshold signed ends with that text, or it refuses.
 *
 * @module
 */

import {
  endOf,
  liesTo,
  type Scenario,
  setsOf,
  signedBy,
  signersOf,
  type State,
  withGateway,
} from "./model.ts";
import { acceptedOf, adopted, answerOf, bits, decided, formed, roundsOf, textOf } from "./rules.ts";

/** More than any gateway needs that does not repeat itself. */
const MAX_TURNS = 24;

/** When a gateway goes on: at once, after minutes, or after more than an hour, when nobody vouches any more. */
const WAITS = [
  { name: "at once", seconds: 0, isVouchable: true },
  { name: "after minutes", seconds: 1, isVouchable: true },
  { name: "after hours", seconds: 1, isVouchable: false },
] as const;

/** A text that the threshold signed, of digests that gateway `g` holds, and that it does not complete. */
export function firstUnsettled(state: State, scenario: Scenario, g: number): string | undefined {
  const { threshold, count, liars, weakness } = scenario;
  const gateway = state.gateways[g]!;
  if (gateway.phase === "stopped" || gateway.phase === "refusing") return undefined;
  const stored = roundsOf(gateway);
  const lost = [...new Set(state.issued.flat())].filter((text) =>
    signersOf(state, text) >= threshold && !stored.includes(text) &&
    textOf(text).first < acceptedOf(gateway).length
  );
  if (lost.length === 0) return undefined;
  const size = weakness === "learns from fewer" ? threshold - 1 : threshold;
  for (const wait of WAITS) {
    for (const early of setsOf(count, size)) {
      const lies = early.some((w) => w >= count - liars) ? [false, true] : [false];
      for (const lie of lies) {
        const end = settles(state, scenario, g, { early, lie, wait }).gateways[g]!;
        if (end.phase === "refusing") continue;
        const missing = lost.find((text) => !roundsOf(end).includes(text));
        if (missing === undefined) continue;
        return `gateway ${g} does not complete ${missing}, ${wait.name}, with ${early} first` +
          (lie ? ", of which one lies" : "");
      }
    }
  }
  return undefined;
}

export interface Settling {
  /** The witnesses that answer first. */
  readonly early: readonly number[];
  readonly lie: boolean;
  readonly wait: typeof WAITS[number];
}

/** The state after gateway `g` was alone for long. Witnesses that lie sign nothing. */
export function settles(
  from: State,
  scenario: Scenario,
  g: number,
  { early, lie, wait }: Settling,
): State {
  const { count, threshold, liars, weakness } = scenario;
  let state: State = { ...from, clock: from.clock + wait.seconds };
  const { clock } = state;
  const { isVouchable } = wait;
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const gateway = state.gateways[g]!;
    if (gateway.phase === "refusing") return state;
    if (gateway.phase === "started") {
      const accepted = acceptedOf(gateway).length;
      const behind = state.signed.filter((_, w) => endOf(state, w) > accepted).length;
      const phase = behind > count - threshold ? "refusing" : "learning";
      state = withGateway(state, g, { ...gateway, phase });
      continue;
    }
    if (gateway.phase === "learning") {
      const isWhole = gateway.asksAll && weakness !== "asks no more than a quorum" &&
        weakness !== "learns from fewer";
      const asked = isWhole ? Array.from({ length: count }, (_, w) => w) : early;
      const answers = asked.map((w) =>
        w < count - liars ? state.signed[w]! : lie ? liesTo(gateway, clock) : []
      );
      state = withGateway(state, g, adopted(scenario, gateway, answers, { clock, isVouchable }));
    }
    const { phase } = state.gateways[g]!;
    if (phase === "refusing") return state;
    if (phase === "signing") state = withGateway(state, g, formed(state.gateways[g]!, clock));
    const [round, ...others] = state.gateways[g]!.open;
    if (round === undefined) {
      if (phase === "signing") return state;
      continue;
    }
    // One after the other, so that no two are given up at once.
    state = withGateway(state, g, { ...state.gateways[g]!, open: [...others, round] });
    state = attempt(state, scenario, g, round.text, isVouchable);
  }
  return state;
}

/** All honest witnesses answer to a round, and then once more with what the first of them signed. */
function attempt(
  from: State,
  scenario: Scenario,
  g: number,
  text: string,
  isVouchable: boolean,
): State {
  let state = from;
  const { clock } = state;
  const masks = { hash: 0, text: 0, signed: 0, free: 0 };
  for (let turn = 0; turn < 2; turn++) {
    masks.free = 0;
    const vouchers = isVouchable ? bits(masks.signed) : 0;
    for (const [w, signed] of state.signed.entries()) {
      const answer = answerOf(scenario, signed, text, { clock, vouchers });
      if (answer === "hash" || answer === "text") masks[answer] |= 1 << w;
      else if (answer === "time") masks.free |= 1 << w;
      else {
        masks.signed |= 1 << w;
        if (answer !== "signed") state = signedBy(state, scenario, w, text);
      }
    }
  }
  const gateway = state.gateways[g]!;
  // Another round may have made it refuse.
  if (!gateway.open.some((round) => round.text === text)) return state;
  const next = decided(scenario, gateway, { text, free: masks.free }, masks, clock);
  return withGateway(state, g, next);
}
