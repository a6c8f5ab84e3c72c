/**
 * A model of the rounds of a log, small enough to explore every interleaving: two gateways, each of which may
 * start again at any time over any prefix of any store; three or four witnesses, of which one may lie; and
 * two sequences. {@linkcode explore} visits every state.
 *
 * A text that a gateway proposed once may reach a witness at any later time, twice or never. An answer that a
 * gateway does not hear, a crash between a witness's commit and its answer, and a silent witness are all
 * steps that are not taken.
 *
 * @module
 */

import {
  acceptedOf,
  adopted,
  answerOf,
  decided,
  formed,
  type Gateway,
  type Network,
  type OpenRound,
  overlap,
  roundsOf,
  textOf,
  unformed,
} from "./rules.ts";
import { firstUnsettled } from "./settling.ts";

export interface Scenario extends Network {
  /** `any` proposes every text, of any time, to anybody, and stands for all gateways. */
  readonly gateways: 1 | 2 | "any";
  readonly sequences: 1 | 2;
  /** The latest time. A text of an earlier time than the present one is more than 60 s old. */
  readonly times: number;
}

export interface State {
  readonly clock: number;
  /** What gateways proposed and a witness can still sign. */
  readonly sent: readonly string[];
  /** A text that an honest witness signed by vouchers though no other honest one had signed it. */
  readonly backdated?: string;
  /** Texts by honest witness. */
  readonly signed: readonly (readonly string[])[];
  /** All that left an honest witness, also what it forgot. */
  readonly issued: readonly (readonly string[])[];
  readonly gateways: readonly Gateway[];
}

export interface Exploration {
  readonly states: number;
  /** The first violation and the steps to it. */
  readonly violation?: { readonly rule: string; readonly steps: readonly string[] };
  /** States in which a vote is split, so that all witnesses together sign no text of a sequence. */
  readonly split: number;
}

const STOPPED: Gateway = { store: [], phase: "stopped", asksAll: false, open: [] };

function initial({ gateways, count, liars, sequences, times }: Scenario): State {
  const nothing = Array.from({ length: count - liars }, () => []);
  return {
    clock: 0,
    sent: gateways === "any" ? everyText(sequences, times) : [],
    signed: nothing,
    issued: nothing,
    gateways: gateways === "any" ? [] : Array.from({ length: gateways }, () => STOPPED),
  };
}

function everyText(sequences: number, times: number): string[] {
  const bodies = sequences === 1 ? ["0a", "0b"] : ["0a", "0b", "1a", "1b", "0aa", "0ab", "0ba"];
  return bodies.flatMap((body) => Array.from({ length: times + 1 }, (_, t) => `${body}@${t}`));
}

const quorums = new Map<string, number[][]>();

/** All sets of `size` of the witnesses 0 to `count` - 1. */
export function setsOf(count: number, size: number): number[][] {
  const key = `${count} ${size}`;
  let sets = quorums.get(key);
  if (sets === undefined) {
    sets = [];
    for (let mask = 0; mask < 1 << count; mask++) {
      const members = Array.from({ length: count }, (_, w) => w).filter((w) => mask >> w & 1);
      if (members.length === size) sets.push(members);
    }
    quorums.set(key, sets);
  }
  return sets;
}

/** How many honest witnesses signed `text`. */
export const signersOf = ({ issued }: State, text: string) =>
  issued.filter((texts) => texts.includes(text)).length;

const added = (values: readonly string[], value: string) =>
  values.includes(value) ? values : [...values, value].sort();

/** The state after honest witness `w` signed `text`. */
export function signedBy(state: State, { weakness }: Network, w: number, text: string): State {
  const { clock } = state;
  const isBackdated = textOf(text).time !== clock && signersOf(state, text) === 0;
  const signed = weakness === "signs before it stores"
    ? state.signed
    : state.signed.with(w, added(state.signed[w]!, text));
  return {
    ...state,
    ...(isBackdated && { backdated: text }),
    sent: weakness === "keeps digests only"
      ? state.sent
      : state.sent.filter((one) => canBeSigned(signed, one)),
    signed,
    issued: state.issued.with(w, added(state.issued[w]!, text)),
  };
}

/** Whether any witness has signed nothing yet that shares a sequence with `text`. */
const canBeSigned = (signed: State["signed"], text: string) =>
  signed.some((texts) => !texts.some((other) => overlap(other, text)));

/** The state with `gateway` as number `g`; what it wants signed is sent. */
export function withGateway(state: State, g: number, gateway: Gateway): State {
  const sent = gateway.open.reduce(
    (sent, { text }) => canBeSigned(state.signed, text) ? added(sent, text) : sent,
    state.sent,
  );
  return { ...state, sent, gateways: state.gateways.with(g, gateway) };
}

/** The end of what honest witness `w` signed. */
export const endOf = ({ signed }: State, w: number) =>
  signed[w]!.reduce((end, text) => Math.max(end, textOf(text).end), 0);

/** Every step that is possible in `state`. */
function* stepsOf(state: State, scenario: Scenario): Generator<[string, State]> {
  const { clock } = state;
  if (clock < scenario.times) yield ["a minute passes", { ...state, clock: clock + 1 }];
  for (const text of state.sent) {
    const vouchers = signersOf(state, text) + scenario.liars;
    for (const [w, signed] of state.signed.entries()) {
      const answer = answerOf(scenario, signed, text, { clock, vouchers });
      if (answer !== "new" && answer !== "vouched") continue;
      if (state.issued[w]!.includes(text)) continue;
      yield [`witness ${w} signs ${text}, ${answer}`, signedBy(state, scenario, w, text)];
    }
  }
  for (const [g, gateway] of state.gateways.entries()) {
    yield* startsOf(state, g);
    for (const [name, next] of gatewaySteps(state, scenario, g, gateway)) {
      yield [`gateway ${g} ${name}`, withGateway(state, g, next)];
    }
  }
}

/** The gateway starts over any prefix of any store. */
function* startsOf(state: State, g: number): Generator<[string, State]> {
  const stores = new Map<string, readonly string[]>();
  for (const { store } of state.gateways) {
    for (let kept = 0; kept <= store.length; kept++) {
      stores.set(store.slice(0, kept).join(), store.slice(0, kept));
    }
  }
  for (const [name, store] of stores) {
    const gateway: Gateway = { ...STOPPED, store, phase: "started" };
    yield [`gateway ${g} starts with ${name || "nothing"}`, withGateway(state, g, gateway)];
  }
}

function* gatewaySteps(
  state: State,
  scenario: Scenario,
  g: number,
  gateway: Gateway,
): Generator<[string, Gateway]> {
  const { count, threshold, liars, sequences } = scenario;
  const { phase } = gateway;
  const { clock } = state;
  const accepted = acceptedOf(gateway);
  if (phase === "started") {
    const behind = state.signed.filter((_, w) => endOf(state, w) > accepted.length).length;
    if (count - behind >= threshold) yield ["agrees", { ...gateway, phase: "learning" }];
    if (behind + liars > count - threshold) yield ["refuses", { ...gateway, phase: "refusing" }];
  }
  if (phase === "learning") {
    for (const [name, answers] of learnable(state, scenario, gateway)) {
      yield [
        `learns from ${name}`,
        adopted(scenario, gateway, answers, { clock, isVouchable: true }),
      ];
    }
  }
  if (phase === "signing" && unformed(gateway).length > 0) {
    yield ["forms its rounds", formed(gateway, clock)];
  }
  if ((phase === "learning" || phase === "signing") && accepted.length < sequences) {
    const letter = "ab"[g]!;
    yield [`accepts ${letter}`, { ...gateway, store: [...gateway.store, letter] }];
  }
  for (const round of gateway.open) {
    yield* answersTo(state, scenario, gateway, round);
  }
}

/** The answers that a gateway that learns may get, by the witnesses that give them. */
function* learnable(
  { signed, clock }: State,
  { count, threshold, liars, weakness }: Scenario,
  gateway: Gateway,
): Generator<[string, string[][]]> {
  const { asksAll } = gateway;
  const asked = weakness === "learns from fewer"
    ? threshold - 1
    : asksAll && weakness !== "asks no more than a quorum"
    ? count
    : threshold;
  // One that was asked may be away.
  for (const size of new Set([weakness === "learns from fewer" ? asked : threshold, asked])) {
    for (const witnesses of setsOf(count, size)) {
      const honest = witnesses.filter((w) => w < count - liars);
      const known = honest.map((w) => [...signed[w]!]);
      if (honest.length === witnesses.length) {
        yield [witnesses.join(), known];
        continue;
      }
      yield [`${witnesses}, of which one says nothing`, [...known, []]];
      for (const text of liesTo(gateway, clock)) {
        yield [`${witnesses}, of which one says ${text}`, [...known, [text]]];
      }
    }
  }
}

/** Texts that a gateway would adopt. */
export function liesTo(gateway: Gateway, clock: number): string[] {
  const accepted = acceptedOf(gateway);
  return unformed(gateway).map(({ first, end }) =>
    `${first}${accepted.slice(first, end)}@${clock}`
  );
}

/** A gateway hears answers to a round: enough of them to decide, or one more refusal of its time. */
function* answersTo(
  { clock, signed }: State,
  scenario: Scenario,
  gateway: Gateway,
  round: OpenRound,
): Generator<[string, Gateway]> {
  const { count, liars } = scenario;
  const lie = liars > 0 ? 1 << (count - 1) : 0;
  const masks = { signed: lie, hash: lie, text: lie, time: lie };
  for (const [w, texts] of signed.entries()) {
    // The request that it refuses may have been sent without vouchers.
    const answer = answerOf(scenario, texts, round.text, { clock, vouchers: 0 });
    if (answer !== "new" && answer !== "vouched") masks[answer] |= 1 << w;
  }
  const nothing = { signed: 0, hash: 0, text: 0 };
  const { signed: isSigned, hash, text } = masks;
  for (const heard of [{ signed: isSigned }, { hash }, { text }, { hash, text }]) {
    const next = decided(scenario, gateway, round, { ...nothing, ...heard }, clock);
    if (next.open.length === gateway.open.length) continue;
    yield [`hears of ${round.text}: ${Object.keys(heard)}`, next];
  }
  if (textOf(round.text).time === clock) return;
  for (let w = 0; w < count; w++) {
    const bit = 1 << w;
    if (!(masks.time & bit) || round.free & bit) continue;
    const next = decided(scenario, gateway, { ...round, free: round.free | bit }, nothing, clock);
    yield [`hears that ${w} refuses the time of ${round.text}`, next];
  }
}

/** The first rule that `state` breaks. */
function brokenRule(state: State, scenario: Scenario): string | undefined {
  const { threshold, liars } = scenario;
  const texts = new Set(state.issued.flat());
  for (const { store } of state.gateways) {
    for (const one of store) if (one.includes("@")) texts.add(one);
  }
  const complete = [...texts].filter((text) => signersOf(state, text) + liars >= threshold);
  for (const [at, text] of complete.entries()) {
    const other = complete.slice(at + 1).find((other) => overlap(text, other));
    if (other !== undefined) return `two texts of one sequence: ${text} and ${other}`;
  }
  if (state.backdated !== undefined) {
    return `no honest witness signed ${state.backdated} when it was new`;
  }
  for (const gateway of state.gateways) {
    const shown = roundsOf(gateway).find((text) => !complete.includes(text));
    if (shown !== undefined) return `a gateway shows ${shown}, which the threshold did not sign`;
  }
  return undefined;
}

/** Whether there is a sequence of which all honest witnesses together sign no text any more. */
function isSplit({ signed, issued }: State, { threshold, sequences }: Scenario): boolean {
  const covers = (text: string, at: number) => textOf(text).first <= at && at < textOf(text).end;
  for (let at = 0; at < sequences; at++) {
    const free = signed.filter((texts) => !texts.some((text) => covers(text, at))).length;
    if (free >= threshold) continue;
    const texts = new Set(issued.flat().filter((text) => covers(text, at)));
    const canBeSigned = [...texts].some((text) =>
      signed.filter((own) => own.every((one) => one === text || !overlap(one, text))).length >=
        threshold
    );
    if (!canBeSigned) return true;
  }
  return false;
}

/** Of what does not change. */
const TEXTS = new WeakMap<object, string>();

function nameOf<T extends object>(value: T, make: (value: T) => string): string {
  let name = TEXTS.get(value);
  if (name === undefined) TEXTS.set(value, name = make(value));
  return name;
}

/** The text of a state. Honest witnesses have the same role, so their order does not matter. */
function keyOf(state: State, scenario: Scenario): string {
  const { clock, sent, backdated = "", gateways } = state;
  return `${clock}|${joined(sent)}|${backdated}|${gateways.map(nameOfGateway).join("|")}|${
    witnessesOf(state, scenario, gateways)
  }`;
}

const joined = (values: readonly string[]) => nameOf(values, (values) => values.join());

const nameOfGateway = (gateway: Gateway) =>
  nameOf(
    gateway,
    ({ store, phase, asksAll, open }) =>
      `${store};${phase};${asksAll};${open.map(({ text }) => text)}`,
  );

/** The text of all witnesses, as far as these gateways tell them apart. */
function witnessesOf(
  { signed, issued }: State,
  { count, weakness }: Scenario,
  gateways: readonly Gateway[],
): string {
  const masks = gateways.flatMap(({ open }) => open.map(({ free }) => free));
  const bitsOf = (w: number) => masks.map((mask) => mask >> w & 1).join("");
  const honest = signed.map((texts, w) =>
    `${joined(texts)};${weakness === undefined ? "" : joined(issued[w]!)};${bitsOf(w)}`
  ).sort();
  for (let w = signed.length; w < count; w++) honest.push(bitsOf(w));
  return honest.join("|");
}

/** Visits every state, breadth first, up to a violation or `limit` states. */
export function explore(scenario: Scenario, limit = Infinity): Exploration {
  const start = initial(scenario);
  const visited = new Set<string>([keyOf(start, scenario)]);
  const states: State[] = [start];
  const froms: number[] = [0];
  const names: string[] = ["start"];
  let split = 0;
  const pathTo = (at: number): string[] => {
    const path: string[] = [];
    for (; at !== 0; at = froms[at]!) path.unshift(names[at]!);
    return path;
  };
  const settled = new Set<string>();
  /** What a gateway does alone depends on no other one, and not on what was sent. */
  const unsettled = (state: State) => {
    for (const [g, gateway] of state.gateways.entries()) {
      const key = `${state.clock}|${nameOfGateway(gateway)}|${
        witnessesOf(state, scenario, [gateway])
      }`;
      if (settled.has(key)) continue;
      settled.add(key);
      const rule = firstUnsettled(state, scenario, g);
      if (rule !== undefined) return rule;
    }
    return undefined;
  };
  for (let at = 0; at < states.length && states.length < limit; at++) {
    const state = states[at]!;
    const rule = brokenRule(state, scenario) ?? unsettled(state);
    if (rule !== undefined) {
      return { states: states.length, split, violation: { rule, steps: pathTo(at) } };
    }
    if (isSplit(state, scenario)) split++;
    for (const [name, next] of stepsOf(state, scenario)) {
      const key = keyOf(next, scenario);
      if (visited.has(key)) continue;
      visited.add(key);
      states.push(next);
      froms.push(at);
      names.push(name);
    }
    // Only its successors need it.
    states[at] = start;
  }
  return { states: states.length, split };
}
