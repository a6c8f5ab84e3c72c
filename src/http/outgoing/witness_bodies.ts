/**
 * The bodies of requests to a witness (protocol.md "Witness").
 *
 * @module
 */

import { hexOf } from "../../base/bytes.ts";
import type { Beacon } from "../../proof/format/round.ts";
import type { CosignRequest, RoundRequest } from "../../proof/format/witness_request.ts";

/** The members of a request to cosign a head. */
export function cosignMembers(request: CosignRequest) {
  const { network_id, tree_size, timestamp, root_hash } = request.treeHead;
  return {
    tree_head: { network_id, tree_size, timestamp, root_hash },
    log_signature: hexOf(request.logSignature),
    old_size: request.oldSize,
    consistency_path: request.consistencyPath.map(hexOf),
    epoch: request.epoch,
  };
}

/** Bodies by request: all witnesses of a round get the same one. */
const roundBodies = new WeakMap<RoundRequest, string>();

/** The body of a request to sign a round. */
export function roundBody(request: RoundRequest): string {
  const made = roundBodies.get(request);
  if (made !== undefined) return made;
  const hex = hexOf(request.digests);
  const body = JSON.stringify({
    network_id: request.networkId,
    timestamp: request.timestamp,
    first_sequence: request.firstSequence,
    hashes: Array.from({ length: hex.length / 64 }, (_, i) => hex.slice(i * 64, (i + 1) * 64)),
    ...(request.beacon !== null && { beacon: beaconMembers(request.beacon) }),
    epoch: request.epoch,
    vouchers: request.vouchers,
  });
  roundBodies.set(request, body);
  return body;
}

function beaconMembers({ chain_hash, round, signature }: Beacon): Beacon {
  return { chain_hash, round, signature };
}
