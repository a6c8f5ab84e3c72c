// Whether a product of pairings is 1.

import { FP2_ONE } from "./curve_constants";
import { finalExponentiation } from "./final_exponentiation";
import { PAIR, pairIsZero, pairSub } from "./field";
import { FP12 } from "./fp12";
import { millerLoop } from "./miller_loop";

const product: usize = memory.data(768, 16);

/** Whether the product of the pairings of all terms of the loop is 1. */
export function productIsOne(): bool {
  millerLoop(product);
  finalExponentiation(product, product);
  pairSub(product, product, FP2_ONE);
  for (let i: usize = 0; i < FP12; i += PAIR) {
    if (pairIsZero(product + i) !== 3) return false;
  }
  return true;
}
