/**
 * A model of a succession, small enough to explore every interleaving: two gateways (one may be a
 * forked copy), three old and three new witnesses of threshold 2, and one or two documents. It has the
 * rules of docs/decisions/13_succession.md without bytes.
 *
 * A request may be delivered at any time after its sender could send it, twice or never: every delivery
 * that is possible is a step, and remains one. A process may end between any two steps, because a step
 * reads and writes durable state only. The steps of a witness that crashes between its commit and its
 * answer are covered by answers that nobody reads.
 *
 * @module
 */

export const THRESHOLD = 2;
const OLD = [0, 1, 2];
/** Witness 0 leaves and witness 3 comes. */
const NEW = [1, 2, 3];
const MAX_LEAVES = 2;

/** Names the leaf that binds a document to the log: "A" or "B". Other leaves are "x" and "y". */
export type DocumentName = "A" | "B";

/** What a weakened variant leaves out or gets wrong. */
export type Weakness =
  | "ends beyond signed rounds"
  | "forgets its end"
  | "begins by one signature"
  | "signs before it stores"
  | "ends again at a larger tree"
  | "leaves old epochs open at begin"
  | "asks the old epoch beyond its end"
  | "lies";

export interface Scenario {
  /** The document of each gateway; one gateway, or two. */
  readonly gateways: readonly DocumentName[];
  /** The documents that each witness may be armed with, in turn. */
  readonly armed: readonly string[];
  /**
   * The gateways log documents twice, ask for rounds and heads of anything, and for ends at every tree that ends with
   * their document. One that shows two logs is a fork. A link that it withholds is a step that is not taken.
   */
  readonly gatewaysLie?: boolean;
  readonly weakness?: Weakness;
  /** The witness with the weakness; by default all. */
  readonly weak?: number;
}

/** A tree is the string of its leaves, so that "extends" is "starts with". */
interface WitnessModel {
  /** 0 or 1; -1 before a new witness begins. */
  epoch: number;
  /** The tree that it ended epoch 0 at, which ends with the leaf of the document; "" before. */
  ended: string;
  /** The last cosigned tree. */
  head: string;
  /** Signed leaf by sequence, "" for none: durable. */
  signed: string[];
}

/** Signatures that left a witness. They are never taken back. */
interface Issued {
  /** By epoch: all signed "sequence leaf". */
  readonly rounds: [string[], string[]];
  /** By epoch: all cosigned trees. */
  readonly heads: [string[], string[]];
  readonly ends: string[];
}

interface State {
  /** Leaves of each gateway, in order: acknowledged and durable. */
  readonly logs: string[];
  readonly witnesses: WitnessModel[];
  readonly issued: Issued[];
}

export interface Exploration {
  readonly states: number;
  /** The first violation and the steps to it. */
  readonly violation?: { readonly rule: string; readonly steps: readonly string[] };
  /** Links that were possible in any state. */
  readonly links: readonly string[];
}

function initial({ gateways }: Scenario): State {
  return {
    logs: gateways.map(() => ""),
    witnesses: [0, 1, 2, 3].map((w) => ({
      epoch: OLD.includes(w) ? 0 : -1,
      ended: "",
      head: "",
      signed: ["", ""],
    })),
    issued: [0, 1, 2, 3].map(() => ({ rounds: [[], []], heads: [[], []], ends: [] })),
  };
}

const membersOf = (epoch: number) => epoch === 0 ? OLD : NEW;
const isDocument = (leaf: string | undefined) => leaf === "A" || leaf === "B";

function hasQuorum({ issued }: State, epoch: number, has: (issued: Issued) => boolean): boolean {
  return membersOf(epoch).filter((w) => has(issued[w]!)).length >= THRESHOLD;
}

/** The trees at which the threshold of the old witnesses ended. */
export function linksOf(state: State, required = THRESHOLD): string[] {
  const ends = new Set(state.issued.flatMap(({ ends }) => ends));
  return [...ends].filter((tree) =>
    OLD.filter((w) => state.issued[w]!.ends.includes(tree)).length >= required
  );
}

/** All leaves of `log` below `size` are signed by the thresholds of the epochs that they are in. */
function isConfirmed(state: State, log: string, size: number): boolean {
  return [...log.slice(0, size)].every((leaf, sequence) =>
    [0, 1].some((epoch) =>
      hasQuorum(state, epoch, ({ rounds }) => rounds[epoch]!.includes(`${sequence}${leaf}`))
    )
  );
}

/** Adds a value once and in order, so that equal states have equal texts. */
function note(values: string[], value: string): void {
  if (values.includes(value)) return;
  values.push(value);
  values.sort();
}

/** Its name, the witness that it changes, and the change. */
type Step = [name: string, witness: number | undefined, take: (next: State) => void];

/** The sizes at which a gateway asks for the end. */
function endsOf(log: string, document: DocumentName, lies: boolean): number[] {
  const sizes = [...log].flatMap((leaf, at) => leaf === document ? [at + 1] : []);
  return lies ? sizes : sizes.slice(0, 1);
}

/** Every step that is possible in `state`. */
function* stepsOf(state: State, scenario: Scenario): Generator<Step> {
  const { gateways, armed, weakness, weak, gatewaysLie = false } = scenario;
  for (const [g, document] of gateways.entries()) {
    const log = state.logs[g]!;
    if (log.length < MAX_LEAVES) {
      const leaf = "xy"[g]!;
      yield [`gateway ${g} accepts ${leaf}`, undefined, (next) => next.logs[g] += leaf];
      // Found again by its index, so an honest gateway never adds the document twice.
      if (gatewaysLie || !log.includes(document)) {
        yield [`gateway ${g} logs ${document}`, undefined, (next) => next.logs[g] += document];
      }
    }
  }
  // Links of all gateways: links are public.
  const links = linksOf(state, weakness === "begins by one signature" ? 1 : THRESHOLD);
  for (const w of [0, 1, 2, 3]) {
    const witness = state.witnesses[w]!;
    const has = (which: Weakness) => weakness === which && (weak === undefined || weak === w);
    const lies = has("lies");
    for (const [g, document] of gateways.entries()) {
      const log = state.logs[g]!;
      for (const epoch of [0, 1]) {
        const mayAct = lies || witness.epoch === epoch && witness.ended === "" ||
          epoch === 0 && has("leaves old epochs open at begin") && witness.epoch === 1;
        if (!membersOf(epoch).includes(w) || !mayAct) continue;
        const boundary = log.indexOf(document) + 1;
        for (const [sequence, leaf] of [...log].entries()) {
          const isBeyond = epoch === 0 && boundary > 0 && sequence >= boundary;
          const isAsked = gatewaysLie || weakness === "asks the old epoch beyond its end";
          if (isBeyond && !isAsked) continue;
          const signed = witness.signed[sequence]!;
          const isAllowed = sequence >= witness.head.length && (signed === "" || signed === leaf);
          if (!lies && !isAllowed) continue;
          if (state.issued[w]!.rounds[epoch]!.includes(`${sequence}${leaf}`)) continue;
          yield [
            `witness ${w} signs ${sequence} ${leaf} of gateway ${g} in epoch ${epoch}`,
            w,
            (n) => {
              if (!has("signs before it stores")) n.witnesses[w]!.signed[sequence] = leaf;
              note(n.issued[w]!.rounds[epoch]!, `${sequence}${leaf}`);
            },
          ];
        }
        for (let size = 1; size <= log.length; size++) {
          const tree = log.slice(0, size);
          const isGrowth = tree.startsWith(witness.head) &&
            (gatewaysLie || isConfirmed(state, log, size));
          if (!lies && !isGrowth) continue;
          if (state.issued[w]!.heads[epoch]!.includes(tree)) continue;
          yield [`witness ${w} cosigns ${tree} in epoch ${epoch}`, w, (next) => {
            if (!lies) next.witnesses[w]!.head = tree;
            note(next.issued[w]!.heads[epoch]!, tree);
          }];
        }
      }
      for (const size of OLD.includes(w) ? endsOf(log, document, gatewaysLie) : []) {
        const tree = log.slice(0, size);
        const isArmed = armed[w]!.includes(document);
        const { ended } = witness;
        const isAgain = ended !== "" && ended !== tree &&
          !(has("ends again at a larger tree") && tree.startsWith(ended));
        const hasEnded = !has("forgets its end") && isAgain;
        // An honest gateway asks for ends once it has published the head of the boundary.
        const isAsked = gatewaysLie ||
          hasQuorum(state, 0, ({ heads }) => heads[0].includes(tree));
        const mayEnd = isAsked && witness.epoch === 0 && isArmed && !hasEnded &&
          tree.startsWith(witness.head) &&
          (has("ends beyond signed rounds") || !witness.signed.slice(size).some(Boolean));
        if ((!lies && !mayEnd) || state.issued[w]!.ends.includes(tree)) continue;
        yield [`witness ${w} ends at ${tree}`, w, (next) => {
          const changed = next.witnesses[w]!;
          if (!lies && !has("forgets its end")) changed.ended = tree;
          if (!lies) changed.head = tree;
          note(next.issued[w]!.ends, tree);
        }];
      }
    }
    for (const tree of links) {
      const mayBegin = NEW.includes(w) && witness.epoch < 1 && armed[w]!.includes(tree.at(-1)!) &&
        tree.startsWith(witness.head);
      if (!mayBegin) continue;
      yield [`witness ${w} begins at ${tree}`, w, (next) => {
        Object.assign(next.witnesses[w]!, { epoch: 1, ended: "", head: tree });
      }];
    }
  }
}

/** The first rule that `state` breaks. */
function brokenRule(state: State): string | undefined {
  const links = linksOf(state);
  if (links.length > 1) return `two ends of one epoch: ${links.join(" and ")}`;
  const [end] = links;
  const quorums: string[][] = [[], []];
  for (const epoch of [0, 1]) {
    const all = new Set(state.issued.flatMap(({ rounds }) => rounds[epoch]!));
    for (const round of all) {
      if (!hasQuorum(state, epoch, ({ rounds }) => rounds[epoch]!.includes(round))) continue;
      quorums[epoch]!.push(round);
      const sequence = Number(round[0]);
      if (epoch === 0 && end !== undefined && sequence >= end.length) {
        return `the old quorum signed ${round} beyond its end ${end}`;
      }
      if (epoch === 1 && (end === undefined || sequence < end.length)) {
        return `the new quorum signed ${round} before epoch 1`;
      }
    }
  }
  const bySequence = new Map<string, string>();
  for (const round of quorums.flat()) {
    const other = bySequence.get(round[0]!) ?? round;
    if (other !== round) return `two leaves of one sequence: ${other} and ${round}`;
    bySequence.set(round[0]!, round);
  }
  const trees: string[] = [];
  for (const epoch of [0, 1]) {
    for (const tree of new Set(state.issued.flatMap(({ heads }) => heads[epoch]!))) {
      if (!hasQuorum(state, epoch, ({ heads }) => heads[epoch]!.includes(tree))) continue;
      if (epoch === 0 && end !== undefined && tree.length > end.length) {
        return `the old quorum cosigned ${tree} beyond its end ${end}`;
      }
      trees.push(tree);
    }
  }
  if (end !== undefined) trees.push(end);
  for (const tree of trees) {
    const other = trees.find((other) => !other.startsWith(tree) && !tree.startsWith(other));
    if (other !== undefined) return `two histories: ${tree} and ${other}`;
  }
  return undefined;
}

/** True when all that a single gateway acknowledged is confirmed, in a log that ended and went on. */
function isWhole(state: State): boolean {
  const [log] = state.logs;
  return linksOf(state).length === 1 && log!.length === MAX_LEAVES &&
    isConfirmed(state, log!, MAX_LEAVES);
}

/** Of a witness with what it issued: neither changes once a state has it. */
const TEXTS = new WeakMap<WitnessModel, string>();

/** The text of a state. Witnesses 1 and 2 have the same role, so their order does not matter. */
function keyOf({ logs, witnesses, issued }: State, scenario: Scenario): string {
  const one = witnesses.map((witness, w) => {
    const known = TEXTS.get(witness);
    if (known !== undefined) return known;
    const { epoch, ended, head, signed } = witness;
    const { rounds, heads, ends } = issued[w]!;
    const text = [epoch, ended, head, signed, rounds[0], rounds[1], heads[0], heads[1], ends]
      .join(";");
    TEXTS.set(witness, text);
    return text;
  });
  if (scenario.weak === undefined && scenario.armed[1] === scenario.armed[2] && one[1]! > one[2]!) {
    [one[1], one[2]] = [one[2]!, one[1]!];
  }
  return `${logs.join()}|${one.join("|")}`;
}

/**
 * Visits every state, breadth first, up to a violation or `limit` states. With one honest gateway it also reports as a
 * violation a state from which the log can no longer be completed.
 */
export function explore(scenario: Scenario, limit = Infinity): Exploration {
  const start = initial(scenario);
  const visited = new Map<string, number>([[keyOf(start, scenario), 0]]);
  const states: State[] = [start];
  const steps: { readonly from: number; readonly name: string }[] = [{ from: 0, name: "start" }];
  const before: number[][] = [[]];
  const links = new Set<string>();
  const pathTo = (at: number): string[] => {
    const path: string[] = [];
    for (; at !== 0; at = steps[at]!.from) path.unshift(steps[at]!.name);
    return path;
  };
  const result = { links: [] as string[] };
  for (let at = 0; at < states.length && states.length < limit; at++) {
    const state = states[at]!;
    for (const link of linksOf(state)) links.add(link);
    const rule = brokenRule(state);
    if (rule !== undefined) {
      return { ...result, states: states.length, violation: { rule, steps: pathTo(at) } };
    }
    for (const [name, witness, take] of stepsOf(state, scenario)) {
      const next = copyFor(state, witness);
      take(next);
      const key = keyOf(next, scenario);
      let found = visited.get(key);
      if (found === undefined) {
        found = states.length;
        visited.set(key, found);
        states.push(next);
        steps.push({ from: at, name });
        before.push([]);
      }
      before[found]!.push(at);
    }
  }
  result.links = [...links].sort();
  if (scenario.gateways.length === 1 && !scenario.gatewaysLie) {
    const stuck = firstStuck(states, before);
    if (stuck !== undefined) {
      const rule = "what was acknowledged can no longer be signed";
      return { ...result, states: states.length, violation: { rule, steps: pathTo(stuck) } };
    }
  }
  return { ...result, states: states.length };
}

/** The first state with a document in its log from which no whole state can be reached. */
function firstStuck(states: readonly State[], before: readonly number[][]): number | undefined {
  const canFinish = new Uint8Array(states.length);
  const queue: number[] = [];
  for (const [at, state] of states.entries()) if (isWhole(state)) queue.push(at);
  for (const at of queue) canFinish[at] = 1;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const from of before[at]!) {
      if (canFinish[from] === 1) continue;
      canFinish[from] = 1;
      queue.push(from);
    }
  }
  const at = states.findIndex(({ logs }, at) =>
    canFinish[at] === 0 && [...logs[0]!].some(isDocument)
  );
  return at < 0 ? undefined : at;
}

/** A copy in which `witness` may change, or the logs; the rest is shared. */
function copyFor({ logs, witnesses, issued }: State, witness: number | undefined): State {
  if (witness === undefined) return { logs: [...logs], witnesses, issued };
  const { signed, ...rest } = witnesses[witness]!;
  const { rounds, heads, ends } = issued[witness]!;
  return {
    logs,
    witnesses: witnesses.with(witness, { ...rest, signed: [...signed] }),
    issued: issued.with(witness, {
      rounds: [[...rounds[0]], [...rounds[1]]],
      heads: [[...heads[0]], [...heads[1]]],
      ends: [...ends],
    }),
  };
}
