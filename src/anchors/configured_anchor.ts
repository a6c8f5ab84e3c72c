/**
 * An external anchor service as an operator configured it.
 *
 * @module
 */

import type { AnchorProvider, AnchorService } from "./ports.ts";

/**
 * `off`: asks nothing, and what is stored stays visible. `best_effort`: anchors, and a failure is
 * told. `required`: besides, the gateway is not ready while a published batch is without a confirmed
 * anchor for too long. In no mode does publishing wait.
 */
export type AnchorMode = "off" | "best_effort" | "required";

/** One entry of `anchors`. */
export interface ConfiguredAnchor {
  /** Distinct within a configuration; what is stored is stored under it. */
  readonly name: string;
  readonly provider: AnchorProvider;
  readonly mode: AnchorMode;
  /** Least time between two anchors; 0 for one after each batch. */
  readonly intervalSeconds: number;
  /** What `required` allows. */
  readonly maxDelaySeconds: number;
  /** Absent in mode `off`. */
  readonly service?: AnchorService;
}
