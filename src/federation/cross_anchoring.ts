/**
 * Cross-anchoring, outbound: has our published heads cosigned by every peer, each by itself, beside
 * the pipeline and never before it.
 *
 * @module
 */

import type { AskedPeer } from "./cross_anchor_exchange.ts";
import { PeerLoop, type PeerLoopContext, type PeerStatus } from "./peer_loop.ts";
import type { Peer } from "./ports.ts";

/** What cross-anchoring works with. */
export interface CrossAnchoringContext extends PeerLoopContext {
  readonly peers: readonly Peer[];
}

/** All peers that our heads are sent to. */
export class CrossAnchoring {
  readonly #loops: readonly PeerLoop[];

  constructor(context: CrossAnchoringContext) {
    this.#loops = context.peers.filter(isAsked).map((peer) => new PeerLoop(peer, context));
  }

  /** Runs until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.run(signal)));
  }

  /** In the order of the configuration; peers that are not sent to are left out. */
  status(): readonly PeerStatus[] {
    return this.#loops.map((loop) => loop.status);
  }
}

function isAsked(peer: Peer): peer is AskedPeer {
  return peer.client !== undefined;
}
