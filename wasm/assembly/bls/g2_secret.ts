// The public key of a secret scalar: its multiple of the generator of G2. No branch and no address
// depends on the scalar: tables are read whole, and the sums are complete.

import { GENERATOR_X, GENERATOR_Y } from "./curve_constants";
import { PAIR, pairChoose, pairCopy } from "./field";
import { G2, g2Add, g2Double, g2FromAffine, g2Identity, g2ToAffine, g2Wipe } from "./g2";

const WINDOW: u32 = 4;
const WINDOWS: u32 = 64;
const TABLE_POINTS: u32 = 16;

// 0 to 15 times the generator: public, made at first use.
const table: usize = memory.data(16 * 384, 16);
let hasTable: bool = false;

const generator: usize = memory.data(256, 16);
const selected: usize = memory.data(384, 16);
const sum: usize = memory.data(384, 16);

/** dst = k times the generator, affine, for the scalar of 4 words, least significant first, 0 < k < r. */
export function g2MultiplyGenerator(dst: usize, scalar: usize): void {
  if (!hasTable) fillTable();
  g2Identity(sum);
  for (let w = WINDOWS; w-- > 0;) {
    for (let bit: u32 = 0; bit < WINDOW; bit++) g2Double(sum, sum);
    const word = load<u64>(scalar + ((w >> 4) << 3));
    select(<u32>(word >> ((w & 15) << 2)) & 15);
    g2Add(sum, sum, selected);
  }
  // Homogeneous coordinates would leak information about k, so they are wiped.
  g2ToAffine(dst, sum);
  memory.fill(selected, 0, G2);
  memory.fill(sum, 0, G2);
  g2Wipe();
}

function fillTable(): void {
  pairCopy(generator, GENERATOR_X);
  pairCopy(generator + PAIR, GENERATOR_Y);
  g2Identity(table);
  g2FromAffine(table + G2, generator);
  for (let i: usize = 2; i < TABLE_POINTS; i++) g2Add(table + i * G2, table + (i - 1) * G2, table + G2);
  hasTable = true;
}

// selected = the point of a digit: by masks over the whole table.
function select(digit: u32): void {
  for (let i: u32 = 0; i < TABLE_POINTS; i++) {
    // 1 where digit and i are one, since both are below 16.
    const isThis = ((digit ^ i) - 1) >>> 31;
    const lanes = isThis | (isThis << 1);
    const point = table + <usize>i * G2;
    for (let at: usize = 0; at < G2; at += PAIR) {
      pairChoose(selected + at, point + at, selected + at, lanes);
    }
  }
}
