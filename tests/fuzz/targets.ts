/**
 * All readers of untrusted input.
 *
 * @module
 */

import { ADDRESS_TARGETS } from "./address_targets.ts";
import { ANCHOR_STORE_TARGETS } from "./anchor_store_targets.ts";
import { ANCHOR_TARGETS } from "./anchor_targets.ts";
import type { Target } from "./engine.ts";
import { EVENT_TARGETS } from "./event_targets.ts";
import { EXPLORER_TARGETS } from "./explorer_targets.ts";
import { FEDERATION_TARGETS } from "./federation_targets.ts";
import { FORMAT_TARGETS } from "./format_targets.ts";
import { LINK_TARGETS } from "./link_targets.ts";
import { MONITOR_TARGETS } from "./monitor_targets.ts";
import { OPENTIMESTAMPS_TARGETS } from "./opentimestamps_targets.ts";
import { OPERATOR_TARGETS } from "./operator_targets.ts";
import { REKOR_TARGETS } from "./rekor_targets.ts";
import { RFC3161_TARGETS } from "./rfc3161_targets.ts";
import { STORED_TARGETS } from "./stored_targets.ts";
import { SUCCESSION_TARGETS } from "./succession_targets.ts";
import { TLOG_PROOF_TARGETS } from "./tlog_proof_targets.ts";
import { TOKEN_TARGETS } from "./token_targets.ts";
import { VERIFIER_TARGETS } from "./verifier_targets.ts";
import { WIRE_TARGETS } from "./wire_targets.ts";

/** All targets, with distinct names. */
export const TARGETS: readonly Target[] = [
  ...FORMAT_TARGETS,
  ...FEDERATION_TARGETS,
  ...WIRE_TARGETS,
  ...STORED_TARGETS,
  ...ANCHOR_STORE_TARGETS,
  ...ANCHOR_TARGETS,
  ...OPENTIMESTAMPS_TARGETS,
  ...REKOR_TARGETS,
  ...RFC3161_TARGETS,
  ...VERIFIER_TARGETS,
  ...TLOG_PROOF_TARGETS,
  ...SUCCESSION_TARGETS,
  ...OPERATOR_TARGETS,
  ...MONITOR_TARGETS,
  ...EXPLORER_TARGETS,
  ...EVENT_TARGETS,
  ...TOKEN_TARGETS,
  ...ADDRESS_TARGETS,
  ...LINK_TARGETS,
];
