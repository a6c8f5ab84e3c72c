/**
 * Who is killed when, chosen at random from a seed.
 *
 * @module
 */

/** One crash of some processes, all at once. */
export interface Crash {
  readonly gateway: boolean;
  /** Indexes, ascending. */
  readonly witnesses: readonly number[];
  /** The database server of the log. */
  readonly database?: boolean;
  /** Index of the witness whose next cosigning is waited for. */
  readonly atCosigningOf: number | undefined;
  /** Milliseconds from there, or from when enough was accepted, to the kill. */
  readonly delayMs: number;
  /** Milliseconds for which all of them stay dead. */
  readonly downMs: number;
  /** Milliseconds after which they are killed once more in their start; `undefined` for not. */
  readonly againAfterMs: number | undefined;
}

const WITNESSES = 3;
/** A witness's memory and its answer lie about as far apart. */
const COSIGNING_MS = 4;
const MOMENT_MS = 120;
const DOWN_MS = 150;
/** A start takes about as long. */
const START_MS = 900;

/** Shares of the kinds of crashes, in percent. */
const KINDS = [
  { percent: 35, witnesses: 0, gateway: true, isAimed: false },
  { percent: 20, witnesses: 1, gateway: false, isAimed: true },
  { percent: 10, witnesses: 1, gateway: false, isAimed: false },
  { percent: 15, witnesses: 1, gateway: true, isAimed: true },
  { percent: 10, witnesses: 2, gateway: false, isAimed: true },
  { percent: 10, witnesses: 3, gateway: true, isAimed: true },
] as const;
const AGAIN_SHARE = 0.3;
const DATABASE_SHARE = 0.4;
/** In so many crashes of the database no other process is killed. */
const ALONE_SHARE = 0.5;

/** The next crash; `random` answers a number in [0, 1). */
export function nextCrash(random: () => number, hasDatabase: boolean): Crash {
  const crash = nextOfProcesses(random);
  if (!hasDatabase || random() >= DATABASE_SHARE) return crash;
  const alone = { gateway: false, witnesses: [], atCosigningOf: undefined };
  return { ...crash, ...(random() < ALONE_SHARE && alone), database: true };
}

function nextOfProcesses(random: () => number): Crash {
  let left = 100 * random();
  const kind = KINDS.find(({ percent }) => (left -= percent) < 0) ?? KINDS[0];
  const witnesses = shuffled([...new Array(WITNESSES).keys()], random).slice(0, kind.witnesses);
  const atCosigningOf = kind.isAimed ? witnesses[0] : undefined;
  return {
    gateway: kind.gateway,
    witnesses: witnesses.toSorted(),
    atCosigningOf,
    delayMs: random() * (kind.isAimed ? COSIGNING_MS : MOMENT_MS),
    downMs: random() * DOWN_MS,
    againAfterMs: random() < AGAIN_SHARE ? random() * START_MS : undefined,
  };
}

/** Numbers in [0, 1) that depend on `seed` alone (the generator mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A crash in a few words. */
export function wordsOf({ gateway, database, witnesses, againAfterMs }: Crash): string {
  const own = [...(gateway ? ["gateway"] : []), ...(database ? ["database"] : [])];
  const names = [...own, ...witnesses.map((index) => `w${index + 1}`)];
  return names.join(" + ") + (againAfterMs === undefined ? "" : ", again at start-up");
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items.map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}
