/**
 * One exchange with one peer: a head, with the proofs that the peer turns out to need.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import type { CrossAnchorRecord } from "../format/records.ts";
import { showFirstRoot } from "../merkle/shown_root.ts";
import type { SignatureCrypto } from "../verify/verifier_crypto.ts";
import { checkCrossAnchor } from "./cross_anchor_check.ts";
import { knownSignatures } from "./known_signatures.ts";
import {
  type CrossAnchoredLog,
  type GrowthProof,
  type LoggedTreeHead,
  MAX_GROWTH_PROOFS,
  type Peer,
  type PeerClient,
} from "./ports.ts";

/** What exchanges are made with. */
export interface ExchangeContext {
  /** Our network. */
  readonly network: NetworkConfiguration;
  readonly log: Pick<CrossAnchoredLog, "consistencyPath" | "root">;
  readonly crypto: SignatureCrypto;
  readonly clock: Clock;
}

/** A peer that our heads are sent to. */
export type AskedPeer = Peer & { readonly client: PeerClient };

/**
 * Requests in one exchange: the gateway says where it stands, then the witnesses where they do, and
 * both may have moved meanwhile. A peer that needs more is asked again later.
 */
const MAX_REQUESTS = 4;

/**
 * The verified cross-anchor of `head` by `peer`. `from` is the size that it cosigned last, 0 when it
 * did not. Rejects with `peer_unreachable`, `peer_refused`, with `tree_size_conflict` when the peer
 * knows a larger tree of ours, or with what our own log rejects with.
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
    if (largest > size) throw largerKnown(peer, size, largest);
    // A witness that had its proof may have been cut off: earlier sizes stay, the last ones first.
    sizes = [...new Set([...answer.sizes, ...sizes])].slice(0, MAX_GROWTH_PROOFS);
  }
  throw new CountersignError(
    "peer_refused",
    `Cannot have tree head cosigned by ${peer.network.id}: an answer after ${MAX_REQUESTS} ` +
      "requests required, found it in need of other proofs at every one",
  );
}

/** Proofs from those of `sizes` that are below ours, ascending; those in `known` are not made again. */
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

function largerKnown(peer: Peer, size: number, known: number): CountersignError {
  return new CountersignError(
    "tree_size_conflict",
    `Cannot have tree head of size ${size} cosigned by ${peer.network.id}: our largest tree head ` +
      `required, found that it knows one of size ${known}: our store may be an old copy`,
  );
}
