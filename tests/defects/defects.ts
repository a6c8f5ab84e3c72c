/**
 * The list of defects. Whoever changes tests runs `deno task test:defects` before and after.
 *
 * @module
 */

import type { Defect } from "./defect.ts";
import { PROOF_DEFECTS } from "./proof_defects.ts";

export const DEFECTS: readonly Defect[] = [...PROOF_DEFECTS];
