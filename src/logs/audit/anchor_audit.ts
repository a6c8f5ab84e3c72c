/**
 * Checks `anchors.kv`: every cross-anchor and external anchor must be over a published head and verify.
 * Heads of peers and contradictions must verify too.
 *
 * @module
 */

import { hexOf } from "../../base/bytes.ts";
import type { AnyContradiction, LoggedTreeHead } from "../../proof/format/federation.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import type {
  AnchorRecord,
  CrossAnchorRecord,
  SthRecord,
  WitnessedCheckpoint,
} from "../../proof/format/records.ts";
import type { CheckpointBody } from "../../proof/format/tree_head.ts";
import { countCosigners } from "../../proof/verify/cross_anchors.ts";
import { type FollowedNetwork, followSuccession } from "../../proof/verify/followed_network.ts";
import { verifyLoggedTreeHead } from "../../proof/verify/logged_tree_head.ts";
import { VERIFY_REASONS } from "../../proof/verify/reasons.ts";
import { verifyAnyContradiction } from "../../proof/verify/succession_conflict.ts";
import { verifyWitnessLines } from "../../proof/verify/witness_lines.ts";
import type { CryptoSuite } from "../../proof/crypto/crypto_suite.ts";
import type { FaultLog, FaultPart } from "./faults.ts";
import type { Stored } from "./ports.ts";

/** One record; `place` is its key as text. */
export type AuditedAnchor =
  & { readonly place: string }
  & (
    | ({ readonly part: "cross_anchor" } & CrossAnchorRecord)
    | { readonly part: "external_anchor"; readonly anchor: AnchorRecord }
    | { readonly part: "seen_head"; readonly head: LoggedTreeHead }
    | { readonly part: "peer_link"; readonly link: SuccessionLink }
    | { readonly part: "contradiction"; readonly contradiction: AnyContradiction }
    | { readonly part: "witnessed_checkpoint"; readonly witnessed: WitnessedCheckpoint }
    | { readonly part: FaultPart; readonly damage: string }
  );

export interface AnchorAuditContext {
  readonly networkId: string;
  /** The published heads of the store beside it. */
  readonly sths: () => AsyncIterable<Stored<SthRecord>>;
  /** Pinned configurations of peers. */
  readonly peers: readonly FollowedNetwork[];
  readonly crypto: CryptoSuite;
  /** Why an anchor's proof does not verify for its head; `undefined` when it does. */
  readonly proofFault: (anchor: AnchorRecord) => Promise<string | undefined>;
  readonly faults: FaultLog;
}

export interface AnchorFindings {
  readonly cross_anchors: number;
  readonly external_anchors: number;
  readonly seen_heads: number;
  readonly contradictions: number;
  /** Signatures that were not verified because the peer's configuration is missing. */
  readonly not_compared: readonly string[];
}

/** Checks the records of `entries`, which is read three times: first for links of peers and the sizes of the anchored heads. */
export async function auditAnchors(
  entries: () => AsyncIterable<AuditedAnchor>,
  context: AnchorAuditContext,
): Promise<AnchorFindings> {
  const peers = await followedPeers(entries, context);
  const audit = new AnchorAudit({ ...context, peers }, await publishedRoots(entries, context));
  for await (const entry of entries()) await audit.check(entry);
  return audit.report();
}

/** The peers, followed by the stored links. */
async function followedPeers(
  entries: () => AsyncIterable<AuditedAnchor>,
  { peers, crypto, faults }: AnchorAuditContext,
): Promise<readonly FollowedNetwork[]> {
  const chains = new Map<string, SuccessionLink[]>(peers.map(({ id }) => [id, []]));
  for await (const entry of entries()) {
    if ("link" in entry) chains.get(entry.link.predecessor.id)?.push(entry.link);
  }
  return await Promise.all(peers.map(async (peer) => {
    const { network, failure } = await followSuccession(crypto, peer, chains.get(peer.id)!);
    if (failure !== undefined) {
      const why = `it does not lead from the pinned configuration: ${
        VERIFY_REASONS[failure.reason]
      }`;
      faults.add("peer_link", `succession of ${peer.id}`, why);
    }
    return network;
  }));
}

/** Hex roots of the anchored heads that are published, by size. */
async function publishedRoots(
  entries: () => AsyncIterable<AuditedAnchor>,
  { sths }: AnchorAuditContext,
): Promise<ReadonlyMap<number, string>> {
  const sizes = new Set<number>();
  for await (const entry of entries()) {
    if ("treeHead" in entry) sizes.add(entry.treeHead.tree_size);
    if ("anchor" in entry) sizes.add(entry.anchor.treeHead.tree_size);
    if ("witnessed" in entry) sizes.add(entry.witnessed.size);
  }
  const roots = new Map<number, string>();
  for await (const sth of sths()) {
    if ("value" in sth && sizes.has(sth.key)) roots.set(sth.key, hexOf(sth.value.root));
  }
  return roots;
}

class AnchorAudit {
  readonly #context: AnchorAuditContext;
  readonly #roots: ReadonlyMap<number, string>;
  readonly #counts = new Map<AuditedAnchor["part"], number>();
  readonly #unknownPeers = new Set<string>();

  constructor(context: AnchorAuditContext, roots: ReadonlyMap<number, string>) {
    this.#context = context;
    this.#roots = roots;
  }

  async check(entry: AuditedAnchor): Promise<void> {
    const { faults } = this.#context;
    if ("damage" in entry) return faults.add(entry.part, entry.place, entry.damage);
    this.#counts.set(entry.part, (this.#counts.get(entry.part) ?? 0) + 1);
    if ("peer" in entry) await this.#checkCrossAnchor(entry);
    else if ("anchor" in entry) await this.#checkAnchor(entry);
    else if ("head" in entry) await this.#checkSeen(entry);
    else if ("contradiction" in entry) await this.#checkContradiction(entry);
    else if ("witnessed" in entry) await this.#checkWitnessed(entry);
  }

  report(): AnchorFindings {
    const count = (part: AuditedAnchor["part"]) => this.#counts.get(part) ?? 0;
    return {
      cross_anchors: count("cross_anchor"),
      external_anchors: count("external_anchor"),
      seen_heads: count("seen_head"),
      contradictions: count("contradiction"),
      not_compared: [...this.#unknownPeers].map((id) =>
        `signatures of ${id}: its configuration is missing`
      ),
    };
  }

  async #checkCrossAnchor(
    entry: Extract<AuditedAnchor, { part: "cross_anchor"; peer: string }>,
  ): Promise<void> {
    const { crypto } = this.#context;
    const { part, place, peer: id, treeHead, signatures } = entry;
    this.#requirePublished(part, place, treeHead);
    const peer = this.#peer(id);
    if (peer === undefined) return;
    const { reason } = await countCosigners(crypto, peer, treeHead, signatures) ?? {};
    if (reason !== undefined) {
      this.#fault(part, place, `not signed by the threshold of ${id}: ${VERIFY_REASONS[reason]}`);
    }
  }

  async #checkAnchor(
    { part, place, anchor }: Extract<AuditedAnchor, { part: "external_anchor"; anchor: unknown }>,
  ): Promise<void> {
    this.#requirePublished(part, place, anchor.treeHead);
    const fault = await this.#context.proofFault(anchor);
    if (fault !== undefined) this.#fault(part, place, `the proof does not verify: ${fault}`);
  }

  async #checkSeen(
    { part, place, head }: Extract<AuditedAnchor, { part: "seen_head"; head: unknown }>,
  ): Promise<void> {
    const peer = this.#peer(head.sth.tree_head.network_id);
    if (peer === undefined) return;
    const { reason } = await verifyLoggedTreeHead(this.#context.crypto, peer, head);
    if (reason !== undefined) {
      this.#fault(part, place, `the head is not signed by ${peer.id}: ${VERIFY_REASONS[reason]}`);
    }
  }

  async #checkContradiction(
    { part, place, contradiction }: Extract<
      AuditedAnchor,
      { part: "contradiction"; contradiction: unknown }
    >,
  ): Promise<void> {
    const peer = this.#peer(contradiction.origin);
    if (peer === undefined) return;
    const { reason } = await verifyAnyContradiction(this.#context.crypto, peer, contradiction);
    if (reason !== undefined) {
      this.#fault(part, place, `it proves no contradiction: ${VERIFY_REASONS[reason]}`);
    }
  }

  async #checkWitnessed(
    { part, place, witnessed }: Extract<
      AuditedAnchor,
      { part: "witnessed_checkpoint"; witnessed: unknown }
    >,
  ): Promise<void> {
    const { crypto, networkId } = this.#context;
    const { size: tree_size, rootHash: root_hash } = witnessed;
    this.#requirePublished(part, place, { network_id: networkId, tree_size, root_hash });
    if (!await verifyWitnessLines(crypto, networkId, witnessed)) {
      this.#fault(part, place, "a cosignature does not verify");
    }
  }

  #requirePublished(part: FaultPart, place: string, head: CheckpointBody): void {
    const root = this.#roots.get(head.tree_size);
    if (head.network_id !== this.#context.networkId) {
      this.#fault(part, place, `its head is of ${head.network_id}`);
    } else if (root === undefined) {
      this.#fault(part, place, `no head of size ${head.tree_size} is published`);
    } else if (root !== head.root_hash) {
      this.#fault(part, place, `the published head of size ${head.tree_size} has another root`);
    }
  }

  #fault(part: FaultPart, place: string, problem: string): void {
    this.#context.faults.add(part, place, problem);
  }

  #peer(id: string): FollowedNetwork | undefined {
    const peer = this.#context.peers.find((peer) => peer.id === id);
    if (peer === undefined) this.#unknownPeers.add(id);
    return peer;
  }
}
