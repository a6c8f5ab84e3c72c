/**
 * Audits a gateway from outside: rebuilds the tree from the entries that it publishes, and holds its
 * tiles, tree heads, batches, jobs and bundles against it. Streams: memory is 8 to 12 bytes for each
 * digest and O(log n) of the tree.
 *
 * A log that grows meanwhile is audited up to the tree head that was the latest at the beginning.
 *
 * @module
 */

import { type Bytes, bytesOfHex, HASH_LENGTH } from "../bytes.ts";
import { type EntryBundle, splitEntryBundle } from "../format/entry_bundle.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import { partialWidth, TILE_WIDTH, tileWidth } from "../merkle/tile.ts";
import { verifyBundle } from "../verify/bundle.ts";
import { VERIFY_REASONS } from "../verify/reasons.ts";
import type { VerifierCrypto } from "../verify/verifier_crypto.ts";
import { BeaconCheck } from "./beacon_check.ts";
import { compareNodes } from "./compare_nodes.ts";
import type { DigestSink } from "./digest_rows.ts";
import type { FaultLog } from "./faults.ts";
import { Fingerprints, UNIQUE_DIGEST } from "./fingerprints.ts";
import { checkJobs, type ExpectedJob } from "./job_check.ts";
import { VerdictCache } from "./verdict_cache.ts";
import type { PublishedLog } from "./ports.ts";
import { PublishedHeadCheck } from "./published_heads_check.ts";
import { TreeRebuild } from "./tree_rebuild.ts";

/** What a published log is audited with. */
export interface PublishedAuditContext {
  /** The configuration that is trusted: nothing is verified against the gateway's own. */
  readonly network: NetworkConfiguration;
  readonly crypto: VerifierCrypto;
  readonly faults: FaultLog;
  /** Told now and then how many sequences of how many were looked at. */
  readonly onProgress: (done: number, total: number) => void;
}

/** How far a published log has come, as it was read. */
export interface PublishedReport {
  readonly tree_size: number;
  readonly entries: number;
  readonly tiles: number;
  readonly sths: number;
  readonly jobs: number;
  readonly bundles: number;
  /** What could not be compared, because what it has to be compared with is missing. */
  readonly not_compared: readonly string[];
}

/** Audits `log`; faults go to the context's log of them. */
export async function auditPublished(
  log: PublishedLog,
  context: PublishedAuditContext,
): Promise<PublishedReport> {
  return await new PublishedAudit(log, context).run();
}

class PublishedAudit {
  readonly #log: PublishedLog;
  readonly #context: PublishedAuditContext;
  readonly #verdicts: VerdictCache;
  readonly #beacons: BeaconCheck;
  readonly #fingerprints: Fingerprints;
  readonly #counts = { entries: 0, tiles: 0, jobs: 0, bundles: 0 };

  constructor(log: PublishedLog, context: PublishedAuditContext) {
    this.#log = log;
    this.#context = context;
    this.#verdicts = new VerdictCache(context.crypto);
    this.#beacons = new BeaconCheck(context.crypto.bls, context.faults);
    this.#fingerprints = new Fingerprints(context.crypto.kernels, UNIQUE_DIGEST);
  }

  async run(): Promise<PublishedReport> {
    const { network, crypto, faults, onProgress } = this.#context;
    const log = this.#log;
    // The checkpoint first: the tree head that is read after it is not smaller.
    const checkpoint = await this.#readCheckpoint();
    const latest = await this.#readLatest(checkpoint !== undefined);
    const context = { log, network, crypto, faults };
    const heads = await PublishedHeadCheck.open(context, latest, checkpoint);
    const tree = new TreeRebuild(crypto.kernels, {
      nextSize: (at) => heads.nextSize(at),
      reached: (at, root) => heads.reached(at, root),
      full: async (level, index, hashes) => {
        // Level 0 is compared entry by entry.
        if (level > 0) await this.#compareTile(level, index, hashes);
      },
    });
    const { size } = heads;
    let isWhole = true;
    for (let start = 0; start < size; start += TILE_WIDTH) {
      const { leaves, attestations } = await this.#readBundle(start, size);
      isWhole &&= leaves !== undefined;
      const end = Math.min(start + TILE_WIDTH, size);
      if (isWhole && leaves !== undefined) await tree.append(leaves);
      else await heads.nextSize(end);
      // The tree first: which batch an entry is in is known once the tree has passed it.
      await this.#checkEntries(start, attestations, heads);
      onProgress(end, size);
    }
    const rebuilt = await tree.finish();
    await this.#compareEdges(rebuilt.size, rebuilt.edges);
    await heads.finish();
    await this.#fingerprints.report((sink) => this.#feed(size, sink), faults);
    return {
      tree_size: size,
      ...this.#counts,
      sths: heads.count,
      not_compared: isWhole ? [] : [
        `tiles and heads above size ${rebuilt.size}: the tree cannot be rebuilt further`,
      ],
    };
  }

  async #readCheckpoint(): Promise<string | undefined> {
    const checkpoint = await this.#log.checkpoint();
    if (checkpoint === undefined || "value" in checkpoint) return checkpoint?.value;
    this.#context.faults.add("checkpoint", "latest", "a signed note", checkpoint.damage);
    return undefined;
  }

  async #readLatest(hasCheckpoint: boolean): Promise<SignedTreeHead | undefined> {
    const { faults } = this.#context;
    const latest = await this.#log.latestSth();
    if (latest !== undefined && "value" in latest) {
      if (!hasCheckpoint) faults.add("checkpoint", "latest", "one beside the tree head", "none");
      return latest.value;
    }
    if (latest !== undefined) faults.add("sth", "latest", "a signed tree head", latest.damage);
    else if (hasCheckpoint) faults.add("sth", "latest", "one beside the checkpoint", "none");
    return undefined;
  }

  /** The entries from `start`. Where there are none the tile stands in for their leaves. */
  async #readBundle(
    start: number,
    size: number,
  ): Promise<Pick<EntryBundle, "attestations"> & { readonly leaves: Bytes | undefined }> {
    const { faults } = this.#context;
    const index = start / TILE_WIDTH;
    const width = tileWidth(0, index, size);
    const [bundle, tile] = await Promise.all([
      this.#bundle(index, width),
      this.#log.tile(0, index, width),
    ]);
    this.#counts.tiles++;
    if ("leaves" in bundle) {
      compareNodes(faults, "tile", `0/${index}`, bundle.leaves, tile);
      return bundle;
    }
    faults.add("entry", `bundle ${index}`, `${width} entries`, bundle.reason);
    if (tile !== undefined && "value" in tile && tile.value.length === width * HASH_LENGTH) {
      return { leaves: tile.value, attestations: [] };
    }
    const found = tile === undefined ? "none" : "damage" in tile ? tile.damage : "other bytes";
    faults.add("tile", `0/${index}`, `${width} nodes`, found);
    return { leaves: undefined, attestations: [] };
  }

  async #bundle(index: number, width: number): Promise<EntryBundle | { readonly reason: string }> {
    const bundle = await this.#log.entries(index, width);
    if (bundle === undefined) return { reason: "none" };
    if ("damage" in bundle) return { reason: bundle.damage };
    return splitEntryBundle(this.#context.crypto.kernels, bundle.value, width) ??
      { reason: "bytes that do not split so" };
  }

  async #checkEntries(
    start: number,
    attestations: EntryBundle["attestations"],
    heads: PublishedHeadCheck,
  ): Promise<void> {
    const { network, faults } = this.#context;
    const expected: ExpectedJob[] = [];
    for (const [i, attestation] of attestations.entries()) {
      const sequence = start + i;
      this.#counts.entries++;
      if (attestation?.network_id !== network.id || attestation.sequence !== sequence) {
        const found = attestation === undefined
          ? "another text"
          : `${attestation.network_id} ${attestation.sequence}`;
        faults.add("entry", sequence, `an attestation of ${network.id} ${sequence}`, found);
        continue;
      }
      const batch = await heads.batchOf(sequence);
      expected.push({ attestation, batchId: batch?.id });
      this.#fingerprints.add(sequence, digestOf(attestation));
      if (batch?.id === sequence + 1) await this.#checkBundle(attestation.hash);
    }
    this.#counts.jobs += expected.length;
    const [log, verdicts, beacons] = [this.#log, this.#verdicts, this.#beacons];
    await checkJobs({ log, network, verdicts, beacons, faults }, expected);
  }

  /** One bundle of each batch is verified whole: the others are made of the same parts. */
  async #checkBundle(hash: string): Promise<void> {
    const { network, crypto, faults } = this.#context;
    this.#counts.bundles++;
    const bundle = await this.#log.bundle(hash);
    if (bundle === undefined || "damage" in bundle) {
      faults.add("bundle", hash, "a proof bundle", bundle?.damage ?? "none");
      return;
    }
    const { layers } = await verifyBundle(crypto, { network, peers: [] }, bundle.value, { hash });
    for (const layer of [layers.attestation, layers.batch]) {
      if (layer.status === "verified") continue;
      const found = layer.reason === undefined ? layer.status : VERIFY_REASONS[layer.reason];
      faults.add("bundle", hash, "a verified attestation in a verified batch", found);
    }
  }

  async #compareTile(level: number, index: number, hashes: Bytes): Promise<void> {
    this.#counts.tiles++;
    const tile = await this.#log.tile(level, index, hashes.length / HASH_LENGTH);
    compareNodes(this.#context.faults, "tile", `${level}/${index}`, hashes, tile);
  }

  /** The partial tiles at the right; that of level 0 was compared entry by entry. */
  async #compareEdges(size: number, edges: readonly Bytes[]): Promise<void> {
    for (const [level, hashes] of edges.entries()) {
      if (level === 0 || partialWidth(level, size) === 0) continue;
      await this.#compareTile(level, Math.floor(size / TILE_WIDTH ** (level + 1)), hashes);
    }
  }

  /** Gives `sink` every digest again; what is wrong with the entries was reported before. */
  async #feed(size: number, sink: DigestSink): Promise<void> {
    for (let start = 0; start < size; start += TILE_WIDTH) {
      const index = start / TILE_WIDTH;
      const bundle = await this.#bundle(index, tileWidth(0, index, size));
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
