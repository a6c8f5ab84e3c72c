/**
 * The anchors in bundles, from their two stores: cross-anchors by peers, external anchors by services.
 *
 * @module
 */

import { anchoredDigest } from "../../gateway/anchors/answers.ts";
import {
  coveringAnchors,
  externalAnchorJson,
  sharedProviders,
} from "../../gateway/anchors/external_anchor.ts";
import type { AnchorReads, ConfiguredAnchor } from "../../gateway/anchors/ports.ts";
import { utf8 } from "../../base/bytes.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import type { FederationReads, Peer } from "../../gateway/federation/ports.ts";
import type {
  AnchorRecord,
  CrossAnchorRecord,
  WitnessedCheckpoint,
} from "../../proof/format/records.ts";
import { signerCount } from "../../proof/format/signature_set.ts";
import type { AnchorsFeed } from "../../gateway/fronts/ports.ts";
import type { WitnessingState } from "../../gateway/fronts/ports.ts";
import type {
  AnchoringStatus,
  AnchorSource,
  HeadAnchor,
  HeadAnchors,
} from "../../gateway/ports.ts";
import { RecentlyUsed } from "../../base/recently_used.ts";
import { countCosigners } from "../../proof/verify/cross_anchors.ts";
import { type FollowedNetwork, followSuccession } from "../../proof/verify/followed_network.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";
import { verifyWitnessLines } from "../../proof/verify/witness_lines.ts";
import type { WitnessedReads } from "../../gateway/witnessing/ports.ts";

/** Verified records to remember, about 100 bytes each. */
const MAX_VERIFIED = 4_096;

/** Damaged cosignatures that one look-up passes over. */
const MAX_DAMAGED = 8;

export interface StoredAnchorsContext {
  readonly crossAnchors: Pick<
    FederationReads,
    "firstCrossAnchor" | "lastCrossAnchor" | "peerLinks"
  >;
  /** In the order of bundles. */
  readonly peers: readonly ShownPeer[];
  readonly externalAnchors: Pick<AnchorReads, "firstConfirmed" | "firstPending">;
  readonly services: readonly ShownService[];
  readonly witnessed: WitnessedReads;
  /** The origin of our log. */
  readonly networkId: string;
  readonly current: Pick<AnchorsFeed, "value">;
  readonly crypto: VerifierCrypto;
  /** Called for a damaged anchor, which is omitted. */
  readonly damaged: (error: CountersignError) => void;
  readonly status: (latest: number) => Promise<AnchoringStatus>;
}

/** A peer whose cross-anchors bundles show. */
export interface ShownPeer extends Pick<Peer, "network" | "minWitnesses"> {
  /** Whether it is asked to cosign our heads. */
  readonly isAsked: boolean;
}

/** A service whose anchors bundles show. */
export type ShownService = Pick<ConfiguredAnchor, "name" | "mode"> & {
  readonly provider: Pick<ConfiguredAnchor["provider"], "name" | "verify">;
};

/** {@linkcode AnchorSource} over both stores. A damaged anchor is reported and omitted. */
export class StoredAnchors implements AnchorSource {
  readonly #context: StoredAnchorsContext;
  readonly #verified = new RecentlyUsed<string, true>(MAX_VERIFIED);
  /** Peers that went through a succession after this process started. */
  readonly #followed = new Map<string, FollowedNetwork>();

  constructor(context: StoredAnchorsContext) {
    this.#context = context;
  }

  get version(): number {
    return this.#context.current.value.version;
  }

  async covering(size: number): Promise<HeadAnchors> {
    const { peers, services, crypto: { kernels } } = this.#context;
    const byPeer = await Promise.all(peers.map((peer) => this.#crossAnchorOf(peer, size)));
    const shared = sharedProviders(services);
    const byService = await Promise.all(
      services.map(async (service) => ({ service, ...await this.#anchorOf(service, size) })),
    );
    const witnessed = await this.#witnessedFrom(size);
    const live = byService.filter(({ service }) => service.mode !== "off");
    const old = byService.filter(({ service }) => service.mode === "off");
    return {
      crossAnchors: byPeer.flatMap((record) => record === undefined ? [] : [crossAnchor(record)]),
      externalAnchors: [...live, ...old].flatMap(({ records }) =>
        records.map((record) => externalAnchor(kernels, record, shared))
      ),
      ...(witnessed !== undefined && { witnessed }),
      // Peers that are no longer contacted add nothing.
      isFinal: live.every(({ final }) => final) &&
        peers.every((peer, i) => !peer.isAsked || isEnough(peer, byPeer[i])) &&
        this.#isFinal(witnessed),
    };
  }

  get latestWitnessed(): WitnessingState | undefined {
    return this.#context.current.value.witnessing;
  }

  /** The record that covers `size`; after a damaged one, the next. */
  async #witnessedFrom(size: number): Promise<WitnessedCheckpoint | undefined> {
    for (let from = size, tries = 0; tries < MAX_DAMAGED; tries++) {
      const found = await this.#context.witnessed.covering(from);
      const record = found === undefined ? undefined : await this.witnessedAt(found);
      if (found === undefined || record !== undefined) return record;
      from = found + 1;
    }
    return undefined;
  }

  witnessedAt(size: number): Promise<WitnessedCheckpoint | undefined> {
    return this.#unlessDamaged(async () => {
      const record = await this.#context.witnessed.at(size);
      if (record === undefined) return undefined;
      const { crypto, networkId } = this.#context;
      const verifies = () => verifyWitnessLines(crypto, networkId, record);
      await this.#verifyOnce(record, `cosignatures of size ${record.size}`, verifies);
      return record;
    });
  }

  /** No foreign witness can add to it. */
  #isFinal(witnessed: WitnessedCheckpoint | undefined): boolean {
    const { witnessing } = this.#context.current.value;
    return witnessing === undefined ||
      witnessed?.meetsQuorum === true && witnessed.lines.length >= witnessing.keys;
  }

  status(latest: number): Promise<AnchoringStatus> {
    return this.#context.status(latest);
  }

  /** The first that covers `size`, or the last one if the first has too few signatures by now. */
  async #crossAnchorOf(peer: ShownPeer, size: number): Promise<CrossAnchorRecord | undefined> {
    const { crossAnchors } = this.#context;
    const { id } = peer.network;
    const first = await this.#unlessDamaged(async () => {
      const record = await crossAnchors.firstCrossAnchor(id, size);
      return record && await this.#verifiedCrossAnchor(peer, record);
    });
    if (first !== undefined && isEnough(peer, first)) return first;
    const last = await this.#unlessDamaged(async () => {
      const record = await crossAnchors.lastCrossAnchor(id);
      if (record === undefined || record.treeHead.tree_size < size) return undefined;
      return await this.#verifiedCrossAnchor(peer, record);
    });
    return isEnough(peer, last) ? last : first;
  }

  async #anchorOf(
    service: ShownService,
    size: number,
  ): Promise<Awaited<ReturnType<typeof coveringAnchors>>> {
    const found = await this.#unlessDamaged(async () => {
      const covering = await coveringAnchors(this.#context.externalAnchors, [service], size);
      for (const record of covering.records) await this.#verifyAnchor(service, record);
      return covering;
    });
    return found ?? { records: [], final: false };
  }

  #unlessDamaged<T>(read: () => Promise<T>): Promise<T | undefined> {
    return unlessDamaged(read, this.#context.damaged);
  }

  async #verifiedCrossAnchor(
    { network }: ShownPeer,
    record: CrossAnchorRecord,
  ): Promise<CrossAnchorRecord> {
    const { peer, treeHead, signatures } = record;
    await this.#verifyOnce(record, `cross-anchor ${treeHead.tree_size} by ${peer}`, async () => {
      const { crypto, crossAnchors } = this.#context;
      const known = this.#followed.get(peer) ?? network;
      const counted = await countCosigners(crypto, known, treeHead, signatures);
      if (counted?.met) return true;
      const links = await crossAnchors.peerLinks(peer);
      const { network: followed } = await followSuccession(crypto, known, links);
      this.#followed.set(peer, followed);
      const { reason } = await countCosigners(crypto, followed, treeHead, signatures) ?? {};
      // The peer's threshold may have been lower when this was stored.
      return reason === undefined || reason === "threshold_not_met";
    });
    return record;
  }

  async #verifyAnchor({ provider }: ShownService, record: AnchorRecord): Promise<void> {
    const { service, status, timestamp, proof, treeHead } = record;
    // The service had another provider when this was stored.
    if (record.provider !== provider.name) return;
    await this.#verifyOnce(record, `anchor ${treeHead.tree_size} of ${service}`, async () => {
      const digest = anchoredDigest(this.#context.crypto.kernels, treeHead);
      const verdict = await provider.verify({ status, timestamp, proof, digest, roots: [] });
      return verdict.status !== "failed";
    });
  }

  /** Rejects with `store_corrupt` unless `verifies`; a verified record is not verified again. */
  async #verifyOnce(
    record: CrossAnchorRecord | AnchorRecord | WitnessedCheckpoint,
    name: string,
    verifies: () => Promise<boolean>,
  ): Promise<void> {
    const key = this.#context.crypto.kernels.sha256(utf8(JSON.stringify(record))).toHex();
    if (this.#verified.get(key) !== undefined) return;
    if (!await verifies()) {
      throw new CountersignError(
        "store_corrupt",
        `Stored ${name} does not verify; run fsck, then restore anchors.kv from a backup`,
      );
    }
    this.#verified.set(key, true);
  }
}

/** The result of `read`; `undefined`, after a call of `damaged`, if what it reads is damaged. */
export async function unlessDamaged<T>(
  read: () => Promise<T>,
  damaged: (error: CountersignError) => void,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!hasCode(error, "store_corrupt")) throw error;
    damaged(error);
    return undefined;
  }
}

/** Stored records have only verified signatures by distinct witnesses. */
function isEnough(
  { minWitnesses }: ShownPeer,
  record: CrossAnchorRecord | undefined,
): record is CrossAnchorRecord {
  return record !== undefined && signerCount(record.signatures) >= minWitnesses;
}

function crossAnchor({ peer, treeHead, signatures }: CrossAnchorRecord): HeadAnchor {
  return {
    treeSize: treeHead.tree_size,
    rootHash: treeHead.root_hash,
    json: (consistencyPath) =>
      JSON.stringify({
        witnessing_network: peer,
        tree_head: treeHead,
        consistency_path: consistencyPath,
        ...signatures,
      }),
  };
}

function externalAnchor(
  kernels: Pick<Kernels, "sha256">,
  record: AnchorRecord,
  shared: ReadonlySet<string>,
): HeadAnchor {
  return {
    treeSize: record.treeHead.tree_size,
    rootHash: record.treeHead.root_hash,
    json: (consistencyPath) => externalAnchorJson(kernels, record, consistencyPath, shared),
  };
}
