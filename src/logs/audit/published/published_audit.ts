/**
 * Audits a log as it is published, by the same walk of verified tiles that copies it: every entry and
 * tile under the head, the earlier heads, and a gateway's batches, jobs and bundles. Memory is 8 to 12
 * bytes per digest and O(log n) for the tree.
 *
 * The audit ends at the tree head that is the latest when it begins.
 *
 * @module
 */

import { type Bytes, bytesOfHex, equalBytes, HASH_LENGTH, hexOf } from "../../../base/bytes.ts";
import type { CryptoSuite } from "../../../proof/crypto/crypto_suite.ts";
import type { Attestation } from "../../../proof/format/attestation.ts";
import { attestationIn } from "../../../proof/format/entry_bundle.ts";
import type { SignedTreeHead } from "../../../proof/format/tree_head.ts";
import { TILE_WIDTH, tilePath, tileWidth } from "../../../proof/merkle/tile.ts";
import { verifyBundle } from "../../../proof/verify/bundle.ts";
import type { FollowedNetwork } from "../../../proof/verify/followed_network.ts";
import { VERIFY_REASONS } from "../../../proof/verify/reasons.ts";
import { type WalkedTile, walkLog } from "../../publishing/log_walk.ts";
import type { LogSource } from "../../publishing/ports.ts";
import {
  type NamedTiles,
  readEntries,
  type TreeReading,
  UnverifiedData,
  type VerifiedTree,
} from "../../publishing/verified_tree.ts";
import { BeaconChecker } from "../beacon_check.ts";
import type { DigestSink } from "../digest_rows.ts";
import type { FaultLog } from "../faults.ts";
import { Fingerprints } from "../fingerprints.ts";
import { VerdictCache } from "../verdict_cache.ts";
import { damageOf, isDamaged, published, type PublishedRecords } from "./gateway_records.ts";
import { checkJobs, type ExpectedJob } from "./job_check.ts";
import { openMended, usable } from "./mended_tree.ts";
import { PublishedHeadCheck } from "./published_heads_check.ts";

export interface PublishedAuditContext {
  readonly source: LogSource;
  /** Absent for a copy, which has only checkpoint, entries and tiles. */
  readonly records?: PublishedRecords | undefined;
  /**
   * The trusted configuration with the epochs of the log, asked for once the head that is audited is
   * known. The gateway's own is not used.
   */
  readonly follow: () => Promise<FollowedNetwork>;
  readonly crypto: CryptoSuite;
  readonly faults: FaultLog;
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

/** Audits a published log and adds faults to the context's fault log. */
export async function auditPublished(context: PublishedAuditContext): Promise<PublishedReport> {
  return await new PublishedAudit(context).run();
}

/** What entries are compared with. */
interface Trusted {
  readonly network: FollowedNetwork;
  readonly heads: PublishedHeadCheck;
  readonly tree: VerifiedTree;
}

class PublishedAudit {
  readonly #context: PublishedAuditContext;
  readonly #reading: TreeReading;
  readonly #verdicts: VerdictCache;
  readonly #beacons: BeaconChecker;
  readonly #fingerprints: Fingerprints;
  readonly #counts = { entries: 0, tiles: 0, jobs: 0, bundles: 0 };
  #unknownRoots = 0;

  constructor(context: PublishedAuditContext) {
    const { source, crypto, faults } = context;
    this.#context = context;
    this.#reading = { kernels: crypto.kernels, source: tilesOf(source) };
    this.#verdicts = new VerdictCache(crypto);
    this.#beacons = new BeaconChecker(crypto.bls, faults);
    this.#fingerprints = new Fingerprints(crypto.kernels, "digest");
  }

  async run(): Promise<PublishedReport> {
    const { records, follow, crypto, faults, onProgress } = this.#context;
    // The checkpoint first, so that the latest tree head is not smaller.
    const checkpoint = await this.#readCheckpoint();
    const latest = records && await this.#readLatest(records, checkpoint !== undefined);
    const network = await follow();
    const context = { records, network, crypto, faults };
    const heads = await PublishedHeadCheck.open(context, latest, checkpoint);
    const { size } = heads.head;
    const tree = await openMended(this.#reading, heads.head, faults);
    const trusted = { network, heads, tree };
    if (size === 0) await heads.walk.reached(0, await tree.rootAt(0));
    await walkLog({ from: 0, to: size, lanes: 1 }, async (tile) => {
      this.#counts.tiles++;
      if (tile.level === 0) {
        await this.#checkEntries(tile, trusted);
        onProgress(tile.index * TILE_WIDTH + tile.width, size);
      } else {
        // A fault is reported by the tree.
        await usable(() => tree.nodes(tile.level, tile.index, tile.width));
      }
    });
    await heads.walk.finish(size);
    await this.#fingerprints.report((sink) => this.#feed(size, sink), faults);
    return {
      tree_size: size,
      ...this.#counts,
      sths: heads.walk.count,
      not_compared: this.#unknownRoots === 0 ? [] : [
        `the roots of ${this.#unknownRoots} tree heads: entries and tiles below them are lost`,
      ],
    };
  }

  async #readCheckpoint(): Promise<string | undefined> {
    const { source, records, faults } = this.#context;
    const checkpoint = await published(() => source.checkpoint());
    if (!isDamaged(checkpoint)) return checkpoint.value;
    if (checkpoint !== undefined) faults.add("checkpoint", "latest", checkpoint.damage);
    else if (records === undefined) faults.add("checkpoint", "latest", "the copy has none");
    return undefined;
  }

  async #readLatest(
    records: PublishedRecords,
    hasCheckpoint: boolean,
  ): Promise<SignedTreeHead | undefined> {
    const { faults } = this.#context;
    const latest = await records.latestSth();
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

  /** Compares an entry bundle with its tile, and what is published of its entries with them. */
  async #checkEntries({ index, width }: WalkedTile, trusted: Trusted): Promise<void> {
    const { faults, records } = this.#context;
    const { heads, tree } = trusted;
    const first = index * TILE_WIDTH;
    const [bundle, leaves] = await Promise.all([
      usable(() => readEntries(this.#reading, index, width)),
      usable(() => tree.nodes(0, index, width)),
    ]);
    await this.#checkHeads(first, first + width, heads, tree);
    if (bundle instanceof UnverifiedData) {
      faults.add("entry", `bundle ${index}`, `cannot read ${width} entries: ${bundle.reason}`);
      return;
    }
    const attestations = this.#checkTexts(first, bundle.entries.map(attestationIn), trusted);
    if (!(leaves instanceof UnverifiedData)) this.#compareLeaves(first, bundle.leaves, leaves);
    if (records !== undefined) await this.#checkRecords(records, attestations, trusted);
  }

  /** Compares the heads of sizes in (`from`, `to`] with the tree. */
  async #checkHeads(
    from: number,
    to: number,
    { walk }: PublishedHeadCheck,
    tree: VerifiedTree,
  ): Promise<void> {
    let size = await walk.nextSize(from);
    while (size <= to) {
      const known = size;
      const root = await usable(() => tree.rootAt(known));
      if (root instanceof UnverifiedData) this.#unknownRoots++;
      else await walk.reached(known, root);
      size = await walk.nextSize(known);
    }
  }

  #compareLeaves(first: number, found: Bytes, required: Bytes): void {
    if (equalBytes(found, required)) return;
    for (let at = 0; at < required.length; at += HASH_LENGTH) {
      const leaf = required.subarray(at, at + HASH_LENGTH);
      if (equalBytes(found.subarray(at, at + HASH_LENGTH), leaf)) continue;
      const problem = `the entry does not hash to the leaf in the tree, ${hexOf(leaf)}`;
      this.#context.faults.add("entry", first + at / HASH_LENGTH, problem);
    }
  }

  /** Returns the attestations that are in their place. */
  #checkTexts(
    first: number,
    found: readonly (Attestation | undefined)[],
    { network }: Trusted,
  ): readonly Attestation[] {
    return found.flatMap((attestation, i) => {
      const sequence = first + i;
      this.#counts.entries++;
      if (attestation?.network_id === network.id && attestation.sequence === sequence) {
        this.#fingerprints.add(sequence, digestOf(attestation));
        return [attestation];
      }
      const problem = attestation === undefined
        ? "the text is not an attestation"
        : `the attestation is ${attestation.sequence} of ${attestation.network_id}`;
      this.#context.faults.add("entry", sequence, problem);
      return [];
    });
  }

  /** Call it after the heads were checked: they have the batches of the entries. */
  async #checkRecords(
    records: PublishedRecords,
    attestations: readonly Attestation[],
    { network, heads }: Trusted,
  ): Promise<void> {
    const expected: ExpectedJob[] = [];
    for (const attestation of attestations) {
      const batch = await heads.batchOf(attestation.sequence);
      expected.push({ attestation, batchId: batch?.id });
      if (batch?.id === attestation.sequence + 1) {
        await this.#checkBundle(records, network, attestation.hash);
      }
    }
    this.#counts.jobs += expected.length;
    const { faults } = this.#context;
    const [verdicts, beacons] = [this.#verdicts, this.#beacons];
    await checkJobs({ records, network, verdicts, beacons, faults }, expected);
  }

  /** Verifies one bundle per batch: the others consist of the same parts. */
  async #checkBundle(
    records: PublishedRecords,
    network: FollowedNetwork,
    hash: string,
  ): Promise<void> {
    const { crypto, faults } = this.#context;
    this.#counts.bundles++;
    const bundle = await records.bundle(hash);
    if (isDamaged(bundle)) return faults.add("bundle", hash, damageOf(bundle));
    const { layers } = await verifyBundle(crypto, { network, peers: [] }, bundle.value, { hash });
    for (const name of ["attestation", "batch"] as const) {
      const { status, reason } = layers[name];
      if (status === "verified") continue;
      faults.add("bundle", hash, `layer ${name}: ${reason ? VERIFY_REASONS[reason] : status}`);
    }
  }

  /** Passes every digest to `sink` again. Faults of the entries were reported before. */
  async #feed(size: number, sink: DigestSink): Promise<void> {
    for (let start = 0; start < size; start += TILE_WIDTH) {
      const index = start / TILE_WIDTH;
      const bundle = await usable(() =>
        readEntries(this.#reading, index, tileWidth(0, index, size))
      );
      if (bundle instanceof UnverifiedData) continue;
      for (const [i, attestation] of bundle.entries.map(attestationIn).entries()) {
        if (attestation !== undefined) await sink.add(start + i, digestOf(attestation));
      }
    }
  }
}

/** The tiles of `source`. One that is refused is a fault of this tile alone. */
function tilesOf(source: LogSource): NamedTiles {
  return {
    name: source.name,
    async tile(address) {
      const found = await published(() => source.tile(address));
      if (found === undefined || "value" in found) return found?.value;
      const path = tilePath(address.level, address.index, address.width);
      throw new UnverifiedData(source, found.damage, "missing", path);
    },
  };
}

function digestOf({ hash }: { readonly hash: string }): Bytes {
  return bytesOfHex(hash, HASH_LENGTH)!;
}
