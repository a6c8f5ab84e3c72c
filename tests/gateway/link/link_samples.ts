/**
 * Requests and updates of every kind and form.
 *
 * @module
 */

import type { IndexedSignatureSet } from "../../../src/proof/format/records.ts";
import type { AssignRequest } from "../../../src/gateway/fronts/ports.ts";
import type { FramedUpdates } from "../../../src/gateway/link/link_updates.ts";
import { QUICKNET_BEACONS } from "../../beacons.ts";
import { threeEpochs } from "../../proof/verify/test_succession.ts";
import { witnessed } from "../../storage/anchor_records.ts";

const filled = (length: number, value = 7) => new Uint8Array(length).fill(value);

const LIST = [{ witness: 0, signature: filled(64) }, { witness: 2, signature: filled(64, 9) }];
const AGGREGATE = { witnesses: [0, 9], signature: filled(48) };

const TRACE = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  traceFlags: 1,
};

export const SAMPLE_REQUESTS: readonly AssignRequest[] = [
  { digests: filled(32), sealedRuns: 0 },
  { digests: filled(96, 1), sealedRuns: 2 ** 31 },
  {
    digests: filled(96, 2),
    spends: { positions: [0, 2], ids: filled(64, 3) },
    sealedRuns: 1,
  },
  { digests: filled(32, 4), sealedRuns: 0, trace: TRACE },
  {
    digests: filled(32, 4),
    spends: { positions: [0], ids: filled(32, 5) },
    sealedRuns: 1,
    trace: { ...TRACE, traceFlags: 0xff },
  },
];

function round(first: number, signatures: IndexedSignatureSet, hasBeacon: boolean) {
  return {
    first,
    size: 40,
    timestamp: 1_766_275_200,
    attempts: 3,
    beacon: hasBeacon ? QUICKNET_BEACONS[0] : null,
    signatures,
    upperNodes: filled(64),
  };
}

function head(size: number, signatures: IndexedSignatureSet) {
  return {
    size,
    root: filled(32),
    timestamp: 1_766_275_200,
    logSignature: filled(64),
    receiptSignature: filled(64),
    signatures,
  };
}

const HELD = { formed: 2 ** 40, backlog: 3, answerMs: 1.25, isHeld: true };
const IDLE = { formed: 0, backlog: 0, answerMs: 0, isHeld: false };

/** Calls each method, with every form of its arguments. */
export function sampleUpdates(follower: FramedUpdates): void {
  follower.accepted(2 ** 53 - 1, HELD);
  follower.accepted(1, IDLE);
  follower.confirmed(
    { record: round(2 ** 40, LIST, true), levels: [filled(64), filled(32, 8)] },
    HELD,
  );
  follower.confirmed({ record: round(0, AGGREGATE, false) }, IDLE);
  follower.treeGrown({ size: 2 ** 40, root: filled(32) }, [filled(32), filled(0), filled(8192)]);
  follower.headCosigned(head(2 ** 40, LIST), true);
  follower.headCosigned(head(40, AGGREGATE), false);
  const further = LIST.map(({ witness }) => ({ witness, signature: filled(2420, witness) }));
  const mlDsa = { log: filled(2420, 3), witnesses: further };
  follower.headCosigned({ ...head(41, LIST), mlDsa }, true);
  follower.headCosigned({ ...head(42, LIST), mlDsa: { witnesses: further } }, true);
  follower.headCosigned({ ...head(43, LIST), mlDsa: { log: filled(2420), witnesses: [] } }, true);
  follower.healthChanged({ status: "ok", isSigning: true, unacknowledged: "none" });
  follower.healthChanged({
    status: "storage_failed",
    refusal: { code: "storage_failed", message: "The store rejects commits: disk full \u00fc" },
    isSigning: false,
    unacknowledged: "all",
  });
  follower.failingChanged([], IDLE);
  follower.failingChanged([
    { first: 5, size: 2, state: { attempts: 1, nextAttemptAt: 1_766_275_260 } },
    {
      first: 7,
      size: 512,
      state: { attempts: 9, lastError: { code: "witness_unreachable", message: "w1" } },
    },
  ], HELD);
  follower.statusChanged({
    witnesses: [{ id: "w1", healthy: false, last_error: "witness_refused", failing: ["sign"] }],
    pending: 12,
    oldestPendingAt: 1_766_275_200,
    beacon: null,
  });
  follower.statusChanged({
    witnesses: [],
    pending: 0,
    succession: { epoch: 1, next: 2, step: "ending", tree_size: 40, waits_for: ["w1"] },
  });
  const { epochs, links } = threeEpochs();
  follower.epochEnded({ network: epochs[2].configuration, links });
  follower.epochEnded({ network: epochs[0].configuration, links: [] });
  follower.anchorsChanged({ version: 3, length: 2, failingPeers: ["peer.example"] });
  const { size, rootHash, lines } = witnessed(9);
  follower.anchorsChanged({
    version: 4,
    length: 2,
    failingPeers: [],
    witnessing: { size, rootHash, lines, keys: 2 },
    foreignWitnesses: [
      {
        name: "a.example",
        publicUrl: "https://a.example/",
        last: { treeSize: 9, at: 1_800_000_000 },
      },
      {
        name: "b.example",
        lastError: "witness_refused",
        failingSince: 1_800_000_000,
        nextAttemptAt: 1_800_000_009,
      },
    ],
    foreignQuorum: { size: 9, behindSince: 1_800_000_000 },
  });
}
