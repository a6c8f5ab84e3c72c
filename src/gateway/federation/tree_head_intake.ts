/**
 * Takes tree heads of peer networks: verifies each against the peer's pinned configuration, stores
 * it, and has our witnesses cosign it. Each witness verifies the log's signature and the consistency
 * proof from its own size, so it does not have to trust this gateway.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../../base/clock.ts";
import { CountersignError, errorBuilder } from "../../base/errors.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import type { TreeHead } from "../../proof/format/tree_head.ts";
import { plainPath } from "../../proof/merkle/shown_root.ts";
import { judgeGrowth } from "../../proof/verify/contradiction.ts";
import { checkEnd, signersOfHead } from "../../proof/verify/followed_network.ts";
import { verifyLoggedTreeHead } from "../../proof/verify/logged_tree_head.ts";
import { VERIFY_REASONS } from "../../proof/verify/reasons.ts";
import type { ThresholdCrypto } from "../../proof/verify/verifier_crypto.ts";
import { knownSignatures, MAX_CLOCK_DIFFERENCE_SECONDS } from "./cross_anchor_check.ts";
import { type Evidence, seenHeadsOf } from "./evidence.ts";
import type {
  AnyContradiction,
  Contradiction,
  CrossAnchorAnswer,
  CrossAnchorRequest,
  LoggedTreeHead,
  SeenTreeHead,
} from "../../proof/format/federation.ts";
import type { CosigningWitnesses, FederationStore, Peer } from "./ports.ts";

const refused = errorBuilder("tree_head_refused", "Cannot take tree head");

/** The parts of a {@linkcode TreeHeadIntake}. */
export interface TreeHeadIntakeContext {
  /** Our network, whose witnesses cosign: another one in the next epoch. */
  readonly network: NetworkConfiguration;
  /** Distinct ids, each configuration with the log's key. */
  readonly peers: readonly Peer[];
  readonly witnesses: CosigningWitnesses;
  readonly store: FederationStore;
  readonly crypto: ThresholdCrypto;
  readonly clock: Clock;
  /** The one of `store`. */
  readonly evidence: Evidence;
}

/** Verifies, stores and cosigns the tree heads of the configured peers. */
export class TreeHeadIntake {
  readonly #context: TreeHeadIntakeContext;
  readonly #peers: ReadonlyMap<string, Peer>;
  /** By origin: settles when the last queued head of that origin is answered. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(context: TreeHeadIntakeContext) {
    this.#context = context;
    this.#peers = new Map(context.peers.map((peer) => [peer.network.id, peer]));
  }

  /**
   * Takes a head from `peer`, the peer that the token identifies. Rejects with `network_refused`
   * (another network's head), `tree_head_refused`, `tree_heads_contradict`, `consistency_refused`,
   * `witnesses_unavailable`, `overloaded`, `storage_failed`, `fence_lost`.
   */
  async take(
    peer: string,
    request: CrossAnchorRequest,
    signal: AbortSignal,
  ): Promise<CrossAnchorAnswer> {
    const required = this.#requiredOf(request);
    // Needs no state, so invalid heads do not wait for a turn.
    const network = await this.#verify(peer, request, signal);
    const { tree_head, ...signatures } = request.sth;
    const sth = { tree_head, ...knownSignatures(network, signatures) };
    return await this.#inTurn(peer, async () => {
      signal.throwIfAborted();
      return await this.#takeVerified({ ...request, sth }, required, signal);
    });
  }

  /** The latest accepted head of each peer, in the order of the configuration; `storage_failed`. */
  seenHeads(): Promise<readonly SeenTreeHead[]> {
    return seenHeadsOf(this.#context.store, [...this.#peers.keys()]);
  }

  /** Evidence against peers, oldest first; `storage_failed`. */
  contradictions(): Promise<readonly AnyContradiction[]> {
    return this.#context.evidence.all();
  }

  #requiredOf({ minWitnesses }: CrossAnchorRequest): number {
    const { threshold, witnesses } = this.#context.network;
    if (minWitnesses > witnesses.length) {
      throw refused(`${minWitnesses} signatures requested from ${witnesses.length} witnesses`);
    }
    return Math.max(threshold, minWitnesses);
  }

  /** The configuration by which `head` is verified: that of its epoch. */
  async #verify(
    id: string,
    head: LoggedTreeHead,
    signal: AbortSignal,
  ): Promise<NetworkConfiguration> {
    const peer = this.#peers.get(id);
    const { network_id: origin, timestamp, tree_size: size } = head.sth.tree_head;
    if (peer === undefined || origin !== id) {
      throw new CountersignError(
        "network_refused",
        "Cannot take tree head: its network is not the peer that the token identifies",
      );
    }
    const { crypto } = this.#context;
    let { reason } = await verifyLoggedTreeHead(crypto, peer.network, head);
    // The peer may have gone through a succession.
    if (reason !== undefined && await peer.follow?.(signal)) {
      ({ reason } = await verifyLoggedTreeHead(crypto, peer.network, head));
    }
    if (reason !== undefined) {
      throw refused(`not signed by the pinned ${origin}: ${reason}: ${VERIFY_REASONS[reason]}`);
    }
    // An old time is valid: the log may not have grown since.
    const latest = unixSeconds(this.#context.clock) + MAX_CLOCK_DIFFERENCE_SECONDS;
    if (timestamp > latest) {
      throw refused(`its time ${timestamp} is after ${latest}; check both clocks`);
    }
    return signersOfHead(peer.network, size)!;
  }

  /** Serializes heads of one origin. */
  #inTurn<T>(origin: string, take: () => Promise<T>): Promise<T> {
    const taken = (this.#turns.get(origin) ?? Promise.resolve()).then(take);
    this.#turns.set(origin, taken.catch(() => {}));
    return taken;
  }

  async #takeVerified(
    head: CrossAnchorRequest,
    required: number,
    signal: AbortSignal,
  ): Promise<CrossAnchorAnswer> {
    const { store, witnesses, clock, crypto } = this.#context;
    const { tree_head: treeHead } = head.sth;
    const seen = await store.seenHead(treeHead.network_id);
    if (seen !== undefined) {
      const { tree_size: seenSize } = seen.sth.tree_head;
      const path = pathFrom(seenSize, head);
      if (path === undefined) return { kind: "sizes_required", sizes: [seenSize] };
      const finding = judgeGrowth(crypto.kernels, seen.sth.tree_head, treeHead, path);
      // The older head stays the stored one, so the new head is refused every time.
      if (finding === "contradicts") throw await this.#accuse(seen, head, path);
      if (finding === "unproven") {
        throw new CountersignError(
          "consistency_refused",
          `Cannot take tree head: its consistency proof from size ${seenSize} does not verify`,
        );
      }
    }
    this.#requireEnd(treeHead);
    // Stored before the witnesses are asked: the peer signed this head whatever they answer, and
    // later heads must extend it.
    await store.saveSeenHead({
      sth: head.sth,
      logSignature: head.logSignature,
      seenAt: unixSeconds(clock),
    });
    const asked: TreeHeadRequest = {
      // Our witnesses sign our time; the peer's may be long past.
      treeHead: { ...treeHead, timestamp: unixSeconds(clock) },
      logSignature: head.logSignature,
      growth: head.growth.map(({ oldSize, path }) => ({
        oldSize,
        path: plainPath(oldSize, treeHead.tree_size, path).path,
      })),
      required,
    };
    const answer = await witnesses.cosign(asked, signal);
    if (answer.kind === "sizes_required") return answer;
    const { treeHead: cosigned } = asked;
    const cosignature = { treeHead: cosigned, signatures: answer.signatures };
    return { kind: "cosigned", cosignature };
  }

  /** After the heads were compared, so that a contradiction is kept. */
  #requireEnd(head: TreeHead): void {
    const fork = checkEnd(this.#peers.get(head.network_id)!.network, head);
    if (fork !== undefined) throw refused(VERIFY_REASONS[fork.reason]);
  }

  /** The refusal of a head that contradicts `seen`, once the pair is stored. */
  async #accuse(
    seen: SeenTreeHead,
    head: LoggedTreeHead,
    path: Contradiction["path"],
  ): Promise<CountersignError> {
    const { network_id: origin, tree_size: size } = head.sth.tree_head;
    // Durable before it is answered.
    await this.#context.evidence.add({
      origin,
      foundAt: unixSeconds(this.#context.clock),
      first: { sth: seen.sth, logSignature: seen.logSignature },
      second: { sth: head.sth, logSignature: head.logSignature },
      path,
    });
    return new CountersignError(
      "tree_heads_contradict",
      `The tree head of size ${size} contradicts the head of size ` +
        `${seen.sth.tree_head.tree_size}; both are stored as evidence`,
    );
  }
}

type TreeHeadRequest = Parameters<CosigningWitnesses["cosign"]>[0];

/**
 * The consistency path from `seenSize` to `head`; empty from the same size or from 0. `undefined` if
 * the request has none.
 */
function pathFrom(seenSize: number, head: CrossAnchorRequest): Contradiction["path"] | undefined {
  if (seenSize === 0 || seenSize === head.sth.tree_head.tree_size) return [];
  return head.growth.find(({ oldSize }) => oldSize === seenSize)?.path;
}
