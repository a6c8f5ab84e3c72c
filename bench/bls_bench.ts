/**
 * The BLS scheme with every implementation. `deno task bench:core` measures the same with
 * interleaved trials, and prints tables.
 *
 * @module
 */

import { systemIo } from "../src/server/io.ts";
import { benchTrials } from "./bench_trials.ts";
import { blsTrials, loadBlsContenders } from "./bls_contenders.ts";
import { BLS_OPERATIONS, type BlsOperation } from "./bls_operations.ts";

const { present, remarks } = await loadBlsContenders();
for (const remark of remarks) systemIo.err(remark);

for (const [operation, group] of Object.entries(BLS_OPERATIONS)) {
  benchTrials(group, blsTrials(present, operation as BlsOperation));
}
