/**
 * The seed of all inputs that tests draw: the same in every run, so that none fails by chance. Every
 * night the tests run with another one, `COUNTERSIGN_TEST_SEED`.
 *
 * @module
 */

import process from "node:process";

export const SEED = Number(process.env.COUNTERSIGN_TEST_SEED ?? 20_261_121);
