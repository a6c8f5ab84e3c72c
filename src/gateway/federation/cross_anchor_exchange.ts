/**
 * One exchange with one peer: sends a tree head with the consistency proofs that the peer asks for.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import type { CrossAnchorRecord } from "../../proof/format/records.ts";
import { showFirstRoot } from "../../proof/merkle/shown_root.ts";
import type { SignatureCrypto } from "../../proof/verify/verifier_crypto.ts";
import { checkCrossAnchor, knownSignatures } from "./cross_anchor_check.ts";
import {
  type GrowthProof,
  type LoggedTreeHead,
  MAX_GROWTH_PROOFS,
} from "../../proof/format/federation.ts";
import type { CrossAnchoredLog, Peer, PeerClient } from "./ports.ts";

/** The parts of an exchange. */
export interface ExchangeContext {
  /** Our network, in its present epoch. */
  readonly network: NetworkConfiguration;
  readonly log: Pick<CrossAnchoredLog, "consistencyPath" | "root">;
  readonly crypto: SignatureCrypto;
  readonly clock: Clock;
}

/** A peer that cosigns our heads. */
export type AskedPeer = Peer & { readonly client: PeerClient };

/**
 * Requests in one exchange: the peer's gateway asks for a proof from its size, then its witnesses from
 * theirs, and both may have grown in between. A peer that needs more is asked again later.
 */
const MAX_REQUESTS = 4;

/**
 * The verified cross-anchor of `head` by `peer`. `from` is the size that it cosigned last, 0 for none.
 * Rejects with `peer_unreachable`, `peer_refused`, `tree_size_conflict` when the peer knows a larger
 * tree of ours, or with an error of our own log.
 */
export async function obtainCrossAnchor(
  context: ExchangeContext,
  peer: AskedPeer,
  { head, from }: { readonly head: LoggedTreeHead; readonly from: number },
  signal: AbortSignal,
): Promise<CrossAnchorRecord> {
  const { network, crypto, clock } = context;
  const { tree_head: treeHead } = head.sth;
  const { tree_size: size } = treeHead;
  const proofs = new Map<number, GrowthProof>();
  let sizes: readonly number[] = [from];
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    const growth = await proveGrowth(context.log, sizes, size, proofs);
    const { minWitnesses } = peer;
    const answer = await peer.client.crossAnchor({ ...head, minWitnesses, growth }, signal);
    if (answer.kind === "cosigned") {
      const expected = { own: network, peer, head: treeHead, now: unixSeconds(clock) };
      await checkCrossAnchor(crypto, expected, answer.cosignature);
      const { cosignature } = answer;
      const signatures = knownSignatures(peer.network, cosignature.signatures);
      return { peer: peer.network.id, treeHead: cosignature.treeHead, signatures };
    }
    const largest = Math.max(...answer.sizes);
    if (largest > size) {
      throw new CountersignError(
        "tree_size_conflict",
        `Peer ${peer.network.id} knows a tree head of size ${largest} of ours, but our latest has ` +
          `size ${size}: our store may be an old copy`,
      );
    }
    // Keep earlier sizes, the latest first: a witness may still need the proof that it had before.
    sizes = [...new Set([...answer.sizes, ...sizes])].slice(0, MAX_GROWTH_PROOFS);
  }
  throw new CountersignError(
    "peer_refused",
    `Peer ${peer.network.id} asked for other consistency proofs in each of ${MAX_REQUESTS} requests`,
  );
}

/** Consistency proofs from each of `sizes` below `size`, ascending. `known` caches them. */
async function proveGrowth(
  log: ExchangeContext["log"],
  sizes: readonly number[],
  size: number,
  known: Map<number, GrowthProof>,
): Promise<GrowthProof[]> {
  const needed = sizes.filter((oldSize) => oldSize > 0 && oldSize < size)
    .toSorted((a, b) => a - b);
  const growth: GrowthProof[] = [];
  for (const oldSize of needed) {
    const proof = known.get(oldSize) ?? {
      oldSize,
      path: showFirstRoot(
        oldSize,
        await log.root(oldSize),
        await log.consistencyPath(oldSize, size),
      ),
    };
    known.set(oldSize, proof);
    growth.push(proof);
  }
  return growth;
}
