/**
 * Everything that reads what a stranger wrote.
 *
 * @module
 */

import type { Target } from "./engine.ts";
import { FORMAT_TARGETS } from "./format_targets.ts";
import { OPERATOR_TARGETS } from "./operator_targets.ts";
import { STORED_TARGETS } from "./stored_targets.ts";
import { VERIFIER_TARGETS } from "./verifier_targets.ts";
import { WIRE_TARGETS } from "./wire_targets.ts";

/** All targets, each with a name of its own. */
export const TARGETS: readonly Target[] = [
  ...FORMAT_TARGETS,
  ...WIRE_TARGETS,
  ...STORED_TARGETS,
  ...VERIFIER_TARGETS,
  ...OPERATOR_TARGETS,
];
