/**
 * A front on another machine than its sequencer. Updates reach it a little late, so it asks the sequencer
 * again before it answers that something does not exist; and its link can be lost, so what waits for the
 * sequencer ends when its client does not wait longer.
 *
 * @module
 */

import type { GatewayService } from "../gateway_service.ts";
import { afterRefresh } from "./after_refresh.ts";

/** The link, beyond what every front needs of it. */
export interface LossyLink {
  /** Resolves once all updates are applied that the sequencer had published; `standby` without a link. */
  sync(): Promise<void>;
  /**
   * The result of `work`; `standby` if the link is lost, not before `seconds` have passed since the call.
   */
  held<T>(work: Promise<T>, seconds: number): Promise<T>;
}

/** `front` behind a link that can be lost. `refreshIndexes` reads what was stored before the call. */
export function remoteService(
  front: GatewayService,
  link: LossyLink,
  refreshIndexes: () => Promise<void>,
): GatewayService {
  const refresh = async () => {
    await link.sync();
    await refreshIndexes();
  };
  const { epochs, jobs, proofs, log, status } = front;
  return {
    get network() {
      return front.network;
    },
    ...{ epochs, status },
    jobs: {
      submit: (hash, seconds, admission) =>
        link.held(jobs.submit(hash, seconds, admission), seconds ?? 0),
      submitAll: (digests, seconds, admission) =>
        link.held(jobs.submitAll(digests, seconds, admission), seconds ?? 0),
      ...afterRefresh(refresh, jobs, ["get"]),
    },
    proofs: afterRefresh(refresh, proofs, [
      ...["bundle", "tlogProof", "coseReceipt", "merkleProof", "inclusion"] as const,
      "externalAnchors",
    ]),
    log: {
      ...log,
      ...afterRefresh(refresh, log, [
        ...["sthAt", "checkpointAt", "consistency", "consistencyReceipt", "batch"] as const,
        ...["tile", "entries"] as const,
      ]),
    },
  };
}
