/**
 * Audits a gateway from outside: rebuilds the tree from the published entries and compares tiles, tree
 * heads, batches, jobs and bundles with it. Memory is 8 to 12 bytes per digest and O(log n) for the
 * tree.
 *
 * The audit ends at the tree head that is the latest when it begins.
 *
 * @module
 */

import { type Bytes, bytesOfHex, HASH_LENGTH } from "../../base/bytes.ts";
import { type EntryBundle, splitEntryBundle } from "../../proof/format/entry_bundle.ts";
import type { SignedTreeHead } from "../../proof/format/tree_head.ts";
import { partialWidth, TILE_WIDTH, tileWidth } from "../../proof/merkle/tile.ts";
import { verifyBundle } from "../../proof/verify/bundle.ts";
import type { FollowedNetwork } from "../../proof/verify/followed_network.ts";
import { VERIFY_REASONS } from "../../proof/verify/reasons.ts";
import type { CryptoSuite } from "../../proof/crypto/crypto_suite.ts";
import { BeaconChecker } from "./beacon_check.ts";
import type { DigestSink } from "./digest_rows.ts";
import type { FaultLog } from "./faults.ts";
import { Fingerprints } from "./fingerprints.ts";
import { checkJobs, type ExpectedJob } from "./job_check.ts";
import { VerdictCache } from "./verdict_cache.ts";
import { type AuditedLog, damageOf, isDamaged } from "./gateway_log.ts";
import { PublishedHeadCheck } from "./published_heads_check.ts";
import { compareNodes, TreeRebuild } from "./tree_rebuild.ts";

export interface PublishedAuditContext {
  /**
   * The trusted configuration with the epochs of the log, asked for once the head that is audited is
   * known. The gateway's own is not used.
   */
  readonly follow: () => Promise<FollowedNetwork>;
  readonly crypto: CryptoSuite;
  readonly faults: FaultLog;
  /** The log is a copy: only checkpoint, entries and tiles. */
  readonly isCopy?: boolean;
  /** Called from time to time with the number of sequences. */
  readonly onProgress: (done: number, total: number) => void;
}

export interface PublishedReport {
  readonly tree_size: number;
  readonly entries: number;
  readonly tiles: number;
  readonly sths: number;
  readonly jobs: number;
  readonly bundles: number;
  /** Parts that were not compared, because the other side is missing. */
  readonly not_compared: readonly string[];
}

/** Audits `log` and adds faults to the context's fault log. */
export async function auditPublished(
  log: AuditedLog,
  context: PublishedAuditContext,
): Promise<PublishedReport> {
  return await new PublishedAudit(log, context).run();
}

class PublishedAudit {
  readonly #log: AuditedLog;
  readonly #context: PublishedAuditContext;
  readonly #verdicts: VerdictCache;
  readonly #beacons: BeaconChecker;
  readonly #fingerprints: Fingerprints;
  readonly #counts = { entries: 0, tiles: 0, jobs: 0, bundles: 0 };

  constructor(log: AuditedLog, context: PublishedAuditContext) {
    this.#log = log;
    this.#context = context;
    this.#verdicts = new VerdictCache(context.crypto);
    this.#beacons = new BeaconChecker(context.crypto.bls, context.faults);
    this.#fingerprints = new Fingerprints(context.crypto.kernels, "digest");
  }

  async run(): Promise<PublishedReport> {
    const { follow, crypto, faults, onProgress, isCopy = false } = this.#context;
    const log = this.#log;
    // The checkpoint first, so that the latest tree head is not smaller.
    const checkpoint = await this.#readCheckpoint();
    const latest = isCopy ? undefined : await this.#readLatest(checkpoint !== undefined);
    const network = await follow();
    const context = { log, network, crypto, faults };
    const heads = await PublishedHeadCheck.open(context, latest, checkpoint);
    const tree = new TreeRebuild(crypto.kernels, {
      nextSize: (at) => heads.walk.nextSize(at),
      reached: (at, root) => heads.walk.reached(at, root),
      full: async (level, index, hashes) => {
        // Level 0 is compared when its entries are read.
        if (level > 0) await this.#compareTile(level, index, hashes);
      },
    });
    const { size } = heads;
    let isWhole = true;
    for (let start = 0; start < size; start += TILE_WIDTH) {
      const { leaves, attestations } = await this.#readEntries(start, size);
      isWhole &&= leaves !== undefined;
      const end = Math.min(start + TILE_WIDTH, size);
      if (isWhole && leaves !== undefined) await tree.append(leaves);
      else await heads.walk.nextSize(end);
      // After the tree: the batch of an entry is known once the tree has passed it.
      await this.#checkEntries(start, attestations, { network, heads });
      onProgress(end, size);
    }
    const rebuilt = await tree.finish();
    await this.#compareEdges(rebuilt.size, rebuilt.edges);
    await heads.walk.finish(size);
    await this.#fingerprints.report((sink) => this.#feed(size, sink), faults);
    return {
      tree_size: size,
      ...this.#counts,
      sths: heads.walk.count,
      not_compared: isWhole ? [] : [
        `tiles and heads above size ${rebuilt.size}: the tree cannot be rebuilt further`,
      ],
    };
  }

  async #readCheckpoint(): Promise<string | undefined> {
    const checkpoint = await this.#log.checkpoint();
    if (!isDamaged(checkpoint)) return checkpoint.value;
    const { faults, isCopy } = this.#context;
    if (checkpoint !== undefined) faults.add("checkpoint", "latest", checkpoint.damage);
    else if (isCopy) faults.add("checkpoint", "latest", "the copy has none");
    return undefined;
  }

  async #readLatest(hasCheckpoint: boolean): Promise<SignedTreeHead | undefined> {
    const { faults } = this.#context;
    const latest = await this.#log.latestSth();
    if (!isDamaged(latest)) {
      if (!hasCheckpoint) {
        faults.add("checkpoint", "latest", "there is a tree head, but no checkpoint");
      }
      return latest.value;
    }
    if (latest !== undefined) faults.add("sth", "latest", latest.damage);
    else if (hasCheckpoint) faults.add("sth", "latest", "there is a checkpoint, but no tree head");
    return undefined;
  }

  /** The entries from `start`. If they are missing, the leaves are those of the tile. */
  async #readEntries(
    start: number,
    size: number,
  ): Promise<Pick<EntryBundle, "attestations"> & { readonly leaves: Bytes | undefined }> {
    const { faults } = this.#context;
    const index = start / TILE_WIDTH;
    const width = tileWidth(0, index, size);
    const [bundle, tile] = await Promise.all([
      this.#entryBundle(index, width),
      this.#log.tile(0, index, width),
    ]);
    this.#counts.tiles++;
    if ("leaves" in bundle) {
      compareNodes(faults, "tile", `0/${index}`, bundle.leaves, tile);
      return bundle;
    }
    faults.add("entry", `bundle ${index}`, `cannot read ${width} entries: ${bundle.reason}`);
    if (!isDamaged(tile) && tile.value.length === width * HASH_LENGTH) {
      return { leaves: tile.value, attestations: [] };
    }
    const reason = isDamaged(tile) ? damageOf(tile) : `it has ${tile.value.length} bytes`;
    faults.add("tile", `0/${index}`, `cannot read ${width} nodes: ${reason}`);
    return { leaves: undefined, attestations: [] };
  }

  async #entryBundle(
    index: number,
    width: number,
  ): Promise<EntryBundle | { readonly reason: string }> {
    const bundle = await this.#log.entries(index, width);
    if (isDamaged(bundle)) return { reason: damageOf(bundle) };
    return splitEntryBundle(this.#context.crypto.kernels, bundle.value, width) ??
      { reason: "the bytes are not an entry bundle" };
  }

  async #checkEntries(
    start: number,
    attestations: EntryBundle["attestations"],
    { network, heads }: {
      readonly network: FollowedNetwork;
      readonly heads: PublishedHeadCheck;
    },
  ): Promise<void> {
    const { faults, isCopy = false } = this.#context;
    const expected: ExpectedJob[] = [];
    for (const [i, attestation] of attestations.entries()) {
      const sequence = start + i;
      this.#counts.entries++;
      if (attestation?.network_id !== network.id || attestation.sequence !== sequence) {
        const problem = attestation === undefined
          ? "the text is not an attestation"
          : `the attestation is ${attestation.sequence} of ${attestation.network_id}`;
        faults.add("entry", sequence, problem);
        continue;
      }
      this.#fingerprints.add(sequence, digestOf(attestation));
      if (isCopy) continue;
      const batch = await heads.batchOf(sequence);
      expected.push({ attestation, batchId: batch?.id });
      if (batch?.id === sequence + 1) await this.#checkBundle(network, attestation.hash);
    }
    this.#counts.jobs += expected.length;
    const [log, verdicts, beacons] = [this.#log, this.#verdicts, this.#beacons];
    await checkJobs({ log, network, verdicts, beacons, faults }, expected);
  }

  /** Verifies one bundle per batch: the others consist of the same parts. */
  async #checkBundle(network: FollowedNetwork, hash: string): Promise<void> {
    const { crypto, faults } = this.#context;
    this.#counts.bundles++;
    const bundle = await this.#log.bundle(hash);
    if (isDamaged(bundle)) return faults.add("bundle", hash, damageOf(bundle));
    const { layers } = await verifyBundle(crypto, { network, peers: [] }, bundle.value, { hash });
    for (const name of ["attestation", "batch"] as const) {
      const { status, reason } = layers[name];
      if (status === "verified") continue;
      faults.add("bundle", hash, `layer ${name}: ${reason ? VERIFY_REASONS[reason] : status}`);
    }
  }

  async #compareTile(level: number, index: number, hashes: Bytes): Promise<void> {
    this.#counts.tiles++;
    const tile = await this.#log.tile(level, index, hashes.length / HASH_LENGTH);
    compareNodes(this.#context.faults, "tile", `${level}/${index}`, hashes, tile);
  }

  /** Compares the partial tiles above level 0. */
  async #compareEdges(size: number, edges: readonly Bytes[]): Promise<void> {
    for (const [level, hashes] of edges.entries()) {
      if (level === 0 || partialWidth(level, size) === 0) continue;
      await this.#compareTile(level, Math.floor(size / TILE_WIDTH ** (level + 1)), hashes);
    }
  }

  /** Passes every digest to `sink` again. Faults of the entries were reported before. */
  async #feed(size: number, sink: DigestSink): Promise<void> {
    for (let start = 0; start < size; start += TILE_WIDTH) {
      const index = start / TILE_WIDTH;
      const bundle = await this.#entryBundle(index, tileWidth(0, index, size));
      if (!("attestations" in bundle)) continue;
      for (const [i, attestation] of bundle.attestations.entries()) {
        if (attestation !== undefined) await sink.add(start + i, digestOf(attestation));
      }
    }
  }
}

function digestOf({ hash }: { readonly hash: string }): Bytes {
  return bytesOfHex(hash, HASH_LENGTH)!;
}
