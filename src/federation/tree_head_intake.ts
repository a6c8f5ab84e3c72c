/**
 * Takes the tree heads of peer networks: verifies each against the peer's pinned configuration,
 * remembers it, and has our witnesses cosign it. Nobody has to believe us for that: each witness
 * verifies the log's key, and growth from where it stands itself.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { plainPath } from "../merkle/shown_root.ts";
import { judgeGrowth } from "../verify/contradiction.ts";
import { verifyLoggedTreeHead } from "../verify/logged_tree_head.ts";
import { VERIFY_REASONS } from "../verify/reasons.ts";
import type { ThresholdCrypto } from "../verify/verifier_crypto.ts";
import { Evidence } from "./evidence.ts";
import { knownSignatures } from "./known_signatures.ts";
import type {
  Contradiction,
  CosigningWitnesses,
  CrossAnchorAnswer,
  CrossAnchorRequest,
  FederationStore,
  LoggedTreeHead,
  Peer,
  SeenTreeHead,
} from "./ports.ts";
import { MAX_CLOCK_DIFFERENCE_SECONDS } from "./time_rule.ts";

/** What peers' heads are taken with. */
export interface TreeHeadIntakeContext {
  /** Our network, whose witnesses cosign. */
  readonly network: NetworkConfiguration;
  /** Distinct ids, each configuration with the log's key. */
  readonly peers: readonly Peer[];
  readonly witnesses: CosigningWitnesses;
  readonly store: FederationStore;
  readonly crypto: ThresholdCrypto;
  readonly clock: Clock;
  /** Told of a contradiction that was not known before, once it is stored. */
  readonly contradictionFound: (contradiction: Contradiction) => void;
}

/** The heads of all peers. */
export class TreeHeadIntake {
  readonly #context: TreeHeadIntakeContext;
  readonly #peers: ReadonlyMap<string, NetworkConfiguration>;
  readonly #evidence: Evidence;
  /** By origin: ends when the last head of it that was taken so far is answered. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(context: TreeHeadIntakeContext) {
    this.#context = context;
    this.#peers = new Map(context.peers.map(({ network }) => [network.id, network]));
    this.#evidence = new Evidence(context.store, context.contradictionFound);
  }

  /**
   * Takes a head that `peer` sent, of whom the token told. Rejects with `network_refused` (another
   * network's head), `tree_head_refused`, `tree_heads_contradict`, `consistency_refused`,
   * `witnesses_unavailable`, `overloaded`, `storage_failed`.
   */
  async take(
    peer: string,
    request: CrossAnchorRequest,
    signal: AbortSignal,
  ): Promise<CrossAnchorAnswer> {
    const required = this.#requiredOf(request);
    // A pure function of the request: no turn is spent on what is refused here.
    const network = await this.#verify(peer, request);
    const { tree_head, ...signatures } = request.sth;
    const sth = { tree_head, ...knownSignatures(network, signatures) };
    return await this.#inTurn(peer, async () => {
      signal.throwIfAborted();
      return await this.#takeVerified({ ...request, sth }, required, signal);
    });
  }

  /** The head last accepted of each peer, in the order of the configuration. `storage_failed`. */
  async seenHeads(): Promise<readonly SeenTreeHead[]> {
    const { store, peers } = this.#context;
    const heads = await Promise.all(peers.map(({ network }) => store.seenHead(network.id)));
    return heads.filter((head) => head !== undefined);
  }

  /** What is held against peers, oldest first. `storage_failed`. */
  contradictions(): Promise<readonly Contradiction[]> {
    return this.#evidence.all();
  }

  #requiredOf({ minWitnesses }: CrossAnchorRequest): number {
    const { threshold, witnesses } = this.#context.network;
    if (minWitnesses > witnesses.length) {
      throw refused(`at most ${witnesses.length} witnesses asked for`, String(minWitnesses));
    }
    return Math.max(threshold, minWitnesses);
  }

  /** The pinned configuration by which `head` is verified. */
  async #verify(peer: string, head: LoggedTreeHead): Promise<NetworkConfiguration> {
    const network = this.#peers.get(peer);
    const { network_id: origin, timestamp } = head.sth.tree_head;
    if (network === undefined || origin !== peer) {
      throw new CountersignError(
        "network_refused",
        "Cannot take tree head: a head of the peer whose token it is required, found another",
      );
    }
    const { reason } = await verifyLoggedTreeHead(this.#context.crypto, network, head);
    if (reason !== undefined) {
      throw refused(
        `a head signed by the pinned ${origin}`,
        `${reason}: ${VERIFY_REASONS[reason]}`,
      );
    }
    // An old head is as good as any: its log may not have grown since.
    const latest = unixSeconds(this.#context.clock) + MAX_CLOCK_DIFFERENCE_SECONDS;
    if (timestamp > latest) throw refused(`a time up to ${latest}`, String(timestamp));
    return network;
  }

  /** Heads of one origin are compared and remembered one after another. */
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
      // Refused whenever it is shown again, and never cosigned: the older head stays the one seen.
      if (finding === "contradicts") throw await this.#accuse(seen, head, path);
      if (finding === "unproven") throw unproven(seenSize);
    }
    // Before the witnesses are asked: that the peer signed this is a fact whatever they say, and
    // whatever it signs from here on has to extend it. Killed after this, the next try is a growth
    // from here or the same head again.
    await store.saveSeenHead({
      sth: head.sth,
      logSignature: head.logSignature,
      seenAt: unixSeconds(clock),
    });
    const asked: TreeHeadRequest = {
      // The time of our witnesses' signatures is ours: theirs may be long past.
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

  /** The refusal of a head that contradicts `seen`, once the pair is stored. */
  async #accuse(
    seen: SeenTreeHead,
    head: LoggedTreeHead,
    path: Contradiction["path"],
  ): Promise<CountersignError> {
    const { network_id: origin, tree_size: size } = head.sth.tree_head;
    // Stored before it is answered: who asks hears of the evidence when it is durable.
    await this.#evidence.add({
      origin,
      foundAt: unixSeconds(this.#context.clock),
      first: { sth: seen.sth, logSignature: seen.logSignature },
      second: { sth: head.sth, logSignature: head.logSignature },
      path,
    });
    return new CountersignError(
      "tree_heads_contradict",
      `Cannot take tree head of size ${size}: one that extends the head of size ` +
        `${seen.sth.tree_head.tree_size} required, found another history, kept as evidence`,
    );
  }
}

type TreeHeadRequest = Parameters<CosigningWitnesses["cosign"]>[0];

/**
 * The path by which `head` extends the head of `seenSize`: none needed from the same or the empty
 * tree. `undefined` when there is no proof from there, as from a larger size there cannot be.
 */
function pathFrom(seenSize: number, head: CrossAnchorRequest): Contradiction["path"] | undefined {
  if (seenSize === 0 || seenSize === head.sth.tree_head.tree_size) return [];
  return head.growth.find(({ oldSize }) => oldSize === seenSize)?.path;
}

function refused(required: string, found: string): CountersignError {
  return new CountersignError(
    "tree_head_refused",
    `Cannot take tree head: ${required} required, found ${found}`,
  );
}

function unproven(seenSize: number): CountersignError {
  return new CountersignError(
    "consistency_refused",
    `Cannot take tree head: a proof that it extends the head of size ${seenSize} required, ` +
      "found none that holds",
  );
}
