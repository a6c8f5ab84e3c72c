/**
 * How many fronts the gateways of a long run have.
 *
 * @module
 */

/** The gateways of a run have these in turn: none, one, and several. */
export const FRONT_COUNTS: readonly number[] = [0, 1, 3];

/** Counts that are separated by commas. */
export function frontCountsOf(text: string): readonly number[] {
  if (/^[0-8](,[0-8])*$/.test(text)) return text.split(",").map(Number);
  throw new Error(`--fronts needs counts from 0 to 8, such as 0,1,3; got ${text}`);
}
