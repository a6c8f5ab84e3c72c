/**
 * The part of a gateway that HTTP serves.
 *
 * @module
 */

import type { NetworkConfiguration } from "../proof/format/network.ts";
import type { Jobs } from "./intake/jobs.ts";
import type { Proofs } from "./proving/proofs.ts";
import type { PublishedLog } from "./proving/published_log.ts";
import type { StatusSource } from "./status_source.ts";
import type { Epochs } from "./succession/epochs.ts";

/** Implemented by a gateway, and by a front that follows one. */
export interface GatewayService {
  /** Configuration of the present epoch. */
  readonly network: NetworkConfiguration;
  readonly epochs: Pick<Epochs, "ofLeaf" | "chain" | "chainJson">;
  readonly jobs: Pick<Jobs, "submit" | "submitAll" | "get">;
  readonly proofs: Pick<Proofs, keyof Proofs>;
  readonly log: Pick<
    PublishedLog,
    | "latest"
    | "sthAt"
    | "consistency"
    | "consistencyReceipt"
    | "batches"
    | "batch"
    | "checkpoint"
    | "checkpointAt"
    | "tile"
    | "entries"
  >;
  readonly status: Pick<StatusSource, "health" | "resource" | "anchoring">;
}
