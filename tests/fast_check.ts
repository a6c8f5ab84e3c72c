/**
 * fast-check with our seed, for every property that has none.
 *
 * @module
 */

import fc from "fast-check-unseeded";
import { SEED } from "./seed.ts";

fc.configureGlobal({ seed: SEED });

export { default } from "fast-check-unseeded";
