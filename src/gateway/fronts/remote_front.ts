/**
 * A front on another machine than its sequencer. Updates reach it a little late, so it asks the sequencer
 * again before it answers that something does not exist; and its link can be lost, so what waits for the
 * sequencer ends when its client does not wait longer.
 *
 * @module
 */

import { CountersignError, type ErrorCode } from "../../errors.ts";
import type { GatewayService } from "../gateway_service.ts";
import { wrapMethods } from "./wrapped_methods.ts";

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
  const fresh = afterRefresh(async () => {
    await link.sync();
    await refreshIndexes();
  });
  const { epochs, jobs, proofs, log, status } = front;
  return {
    get network() {
      return front.network;
    },
    epochs,
    status,
    jobs: {
      submit: (hash, seconds, admission) =>
        link.held(jobs.submit(hash, seconds, admission), seconds ?? 0),
      submitAll: (digests, seconds, admission) =>
        link.held(jobs.submitAll(digests, seconds, admission), seconds ?? 0),
      ...wrapMethods(jobs, ["get"], fresh),
    },
    proofs: wrapMethods(proofs, [
      "bundle",
      "tlogProof",
      "coseReceipt",
      "merkleProof",
      "inclusion",
      "externalAnchors",
    ], fresh),
    log: {
      ...log,
      ...wrapMethods(log, [
        "sthAt",
        "checkpointAt",
        "consistency",
        "consistencyReceipt",
        "batch",
        "tile",
        "entries",
      ], fresh),
    },
  };
}

const MISSING: readonly ErrorCode[] = [
  "hash_unknown",
  "not_confirmed",
  "not_batched",
  "no_tree_head",
  "tree_size_not_published",
  "batch_not_found",
  "tile_not_found",
];

/**
 * Makes a call again after `refresh` if it found nothing. `refresh` rejects if the front cannot know what
 * exists.
 */
function afterRefresh(refresh: () => Promise<void>): (call: () => unknown) => unknown {
  return (call) => {
    const again = () => refresh().then(call);
    try {
      const result = call();
      if (!(result instanceof Promise)) return result === undefined ? again() : result;
      return result.then(
        (value) => value === undefined ? again() : value,
        (error) => isMissing(error) ? again() : Promise.reject(error),
      );
    } catch (error) {
      if (isMissing(error)) return again();
      throw error;
    }
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof CountersignError && MISSING.includes(error.code);
}
