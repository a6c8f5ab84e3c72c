/**
 * Writes the compression function of SHA-256 (FIPS 180-4 section 6.2.2) as AssemblyScript, all 64
 * rounds unrolled, for one message in `u32` and for four at once in the lanes of a `v128`.
 *
 * Unrolled code has constant addresses only, which engines with explicit bounds checks need not
 * check, and the eight working variables are renamed instead of moved.
 *
 * @module
 */

const ROUNDS = 64;
const WORDS = 16;

/** The operations of one kind of lane. */
interface Lanes {
  readonly type: "u32" | "v128";
  /** Bytes of one word of state or schedule in all lanes. */
  readonly width: 4 | 16;
  add(x: string, y: string): string;
  xor(x: string, y: string): string;
  and(x: string, y: string): string;
  rotr(x: string, n: number): string;
  shr(x: string, n: number): string;
  load(base: string, index: number): string;
  store(base: string, index: number, value: string): string;
  /** Round constant `index` in every lane. */
  constant(index: number): string;
}

const ONE: Lanes = {
  type: "u32",
  width: 4,
  add: (x, y) => `(${x} + ${y})`,
  xor: (x, y) => `(${x} ^ ${y})`,
  and: (x, y) => `(${x} & ${y})`,
  rotr: (x, n) => `rotr<u32>(${x}, ${n})`,
  shr: (x, n) => `(${x} >>> ${n})`,
  load: (base, index) => `load<u32>(${base}, ${4 * index})`,
  store: (base, index, value) => `store<u32>(${base}, ${value}, ${4 * index})`,
  constant: (index) => `load<u32>(K, ${4 * index})`,
};

const FOUR: Lanes = {
  type: "v128",
  width: 16,
  add: (x, y) => `i32x4.add(${x}, ${y})`,
  xor: (x, y) => `v128.xor(${x}, ${y})`,
  and: (x, y) => `v128.and(${x}, ${y})`,
  // WebAssembly has no rotation of lanes. XOR joins the halves, so a sum of rotations is only XOR.
  rotr: (x, n) => `v128.xor(i32x4.shr_u(${x}, ${n}), i32x4.shl(${x}, ${32 - n}))`,
  shr: (x, n) => `i32x4.shr_u(${x}, ${n})`,
  load: (base, index) => `v128.load(${base}, ${16 * index})`,
  store: (base, index, value) => `v128.store(${base}, ${value}, ${16 * index})`,
  constant: (index) => `v128.load32_splat(K, ${4 * index})`,
};

/** Section 4.1.2: the functions Sigma and sigma, whose last term is a shift where `shift` says. */
function sigma(lanes: Lanes, x: string, terms: readonly [number, number, number], shift = false) {
  const [first, second, third] = terms;
  const last = shift ? lanes.shr(x, third) : lanes.rotr(x, third);
  return lanes.xor(lanes.xor(lanes.rotr(x, first), lanes.rotr(x, second)), last);
}

/** Word `t` of the schedule from the 16 before it, which stand in a ring at `W`. */
function scheduledWord(lanes: Lanes, t: number): string {
  const word = (back: number) => lanes.load("W", (t - back) % WORDS);
  return [
    `w = ${lanes.add(word(16), word(7))};`,
    `x = ${word(15)};`,
    `w = ${lanes.add("w", sigma(lanes, "x", [7, 18, 3], true))};`,
    `x = ${word(2)};`,
    `w = ${lanes.add("w", sigma(lanes, "x", [17, 19, 10], true))};`,
    // No later word reads the last words.
    t < ROUNDS - 2 ? `${lanes.store("W", t % WORDS, "w")};` : "",
  ].join(" ");
}

/**
 * Round `t`. Maj(a, b, c) is b ^ ((a ^ b) & (b ^ c)), whose second difference is the first one of
 * the round before; Ch(e, f, g) is g ^ (e & (f ^ g)).
 */
function round(lanes: Lanes, t: number): string {
  const name = (offset: number) => "abcdefgh"[(offset + ROUNDS - t) % 8]!;
  const [a, b, , d, e, f, g, h] = Array.from({ length: 8 }, (_, i) => name(i)) as [
    ...[string, string, string, string],
    ...[string, string, string, string],
  ];
  const { add, xor, and } = lanes;
  const [difference, before] = t % 2 === 0 ? ["y", "z"] : ["z", "y"];
  const choice = xor(g, and(e, xor(f, g)));
  return [
    `w = ${add(add(h, "w"), choice)};`,
    `w = ${add("w", sigma(lanes, e, [6, 11, 25]))};`,
    `${d} = ${add(d, "w")};`,
    `${difference} = ${xor(a, b)};`,
    `x = ${add(sigma(lanes, a, [2, 13, 22]), xor(b, and(difference, before)))};`,
    `${h} = ${add("w", "x")};`,
  ].join(" ");
}

function stateLines(line: (name: string, index: number) => string): string {
  return [..."abcdefgh"].map(line).join(" ");
}

/** A function of all rounds over the state at `H`; `word` puts the sum of W and K of a round in w. */
function compression(
  lanes: Lanes,
  header: string,
  addresses: { readonly H: string; readonly W: string },
  word: (t: number) => string,
): string {
  const rounds = Array.from({ length: ROUNDS }, (_, t) => `  ${word(t)}\n  ${round(lanes, t)}`);
  return [
    `export function ${header}: void {`,
    `  const H: usize = ${addresses.H}, W: usize = ${addresses.W};`,
    `  let w: ${lanes.type}, x: ${lanes.type}, y: ${lanes.type};`,
    `  ${stateLines((name, i) => `let ${name} = ${lanes.load("H", i)};`)}`,
    `  let z = ${lanes.xor("b", "c")};`,
    ...rounds,
    `  ${stateLines((name, i) => lanes.store("H", i, lanes.add(name, lanes.load("H", i))) + ";")}`,
    "}",
  ].join("\n");
}

/** One block whose words stand at `W`, big-endian order undone; overwrites them. */
function blockCompression(lanes: Lanes, name: string, addresses: { H: string; W: string }): string {
  return compression(lanes, `${name}()`, addresses, (t) => {
    const word = t < WORDS ? `w = ${lanes.load("W", t)};` : scheduledWord(lanes, t);
    return `${word} w = ${lanes.add("w", lanes.constant(t))};`;
  });
}

/** How many words ahead of their rounds rows are turned into columns. */
const ROWS_AHEAD = 8;

/**
 * Puts the sums of round `t` of four messages in w, from the row of each in the table of padding
 * blocks. Four columns are made at a time, and early: so they fill the gaps in the rounds before.
 */
function sumOfRows(t: number): string {
  const columns = (first: number) => {
    const rows = [0, 1, 2, 3].map((lane) => `v128.load(row${lane}, ${4 * first})`).join(", ");
    return `storeTransposed(${rows}, SUMS_FOUR + ${16 * first});`;
  };
  const sum = `w = ${FOUR.load("W", t)};`;
  if (t === 0) return `${columns(0)} ${sum}`;
  // The sums of words 4 to 15 are those of every row, and stand where they are read.
  const ahead = t + ROWS_AHEAD;
  return t % 4 === 0 && ahead >= WORDS && ahead < ROUNDS ? `${columns(ahead)} ${sum}` : sum;
}

/** The source that `wasm/assembly/hashing/` imports as `./compress`. */
export function compressSource(): string {
  const rows = [0, 1, 2, 3].map((lane) => `row${lane}: usize`).join(", ");
  return [
    'import { K, STATE, STATE_FOUR, SUMS_FOUR, WORDS, WORDS_FOUR } from "./layout";',
    'import { storeTransposed } from "./words";',
    blockCompression(ONE, "compress", { H: "STATE", W: "WORDS" }),
    // A row of the table of padding blocks: the schedule with the round constants added.
    compression(
      ONE,
      "compressRow(row: usize)",
      { H: "STATE", W: "row" },
      (t) => `w = ${ONE.load("W", t)};`,
    ),
    blockCompression(FOUR, "compressFour", { H: "STATE_FOUR", W: "WORDS_FOUR" }),
    compression(
      FOUR,
      `compressFourRows(${rows})`,
      { H: "STATE_FOUR", W: "SUMS_FOUR" },
      sumOfRows,
    ),
    "",
  ].join("\n");
}
