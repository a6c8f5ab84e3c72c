/**
 * The list of defects. Whoever changes tests runs `deno task test:defects` before and after.
 *
 * @module
 */

import { CLIENT_DEFECTS } from "./client_defects.ts";
import type { Defect } from "./defect.ts";
import { GATEWAY_DEFECTS } from "./gateway_defects.ts";
import { PROOF_DEFECTS } from "./proof_defects.ts";
import { SCENARIO_DEFECTS } from "./scenario_defects.ts";
import { SERVICE_DEFECTS } from "./service_defects.ts";
import { WITNESS_DEFECTS } from "./witness_defects.ts";

export const DEFECTS: readonly Defect[] = [
  ...PROOF_DEFECTS,
  ...WITNESS_DEFECTS,
  ...GATEWAY_DEFECTS,
  ...SERVICE_DEFECTS,
  ...CLIENT_DEFECTS,
  ...SCENARIO_DEFECTS,
];
