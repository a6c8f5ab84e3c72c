/**
 * Audits a store: rebuilds the log from its digests and rounds, and compares all other records with it.
 * It shares no walk with the audit of a published log: a store has no entries, and its tree is larger
 * than any head that verifies it from above. Memory is 8 to 12 bytes per digest and per spent id, one run of each index, and O(log n) for the tree.
 *
 * Digests without a round and leaves above the last published head are not faults: the gateway has not
 * finished them yet.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../base/bytes.ts";
import type { FollowedNetwork } from "../../proof/verify/followed_network.ts";
import { emptyRoot } from "../../proof/merkle/tree.ts";
import type { CryptoSuite } from "../../proof/crypto/crypto_suite.ts";
import { BeaconChecker } from "./beacon_check.ts";
import { DigestRows, type DigestSink } from "./digest_rows.ts";
import { FaultLog } from "./faults.ts";
import { Fingerprints } from "./fingerprints.ts";
import { claimsOf, endsOf, HeadCheck } from "./head_check.ts";
import { IndexCheck } from "./index_check.ts";
import { VerdictCache } from "./verdict_cache.ts";
import { SignatureCheck } from "./signature_check.ts";
import type { Stored, StoredLog, WitnessMemory } from "./ports.ts";
import { type RebuiltRound, RoundReader } from "./round_reader.ts";
import { SpentCheck } from "./spent_check.ts";
import { sizeOfEdges, StoredTiles } from "./stored_tiles.ts";
import { TreeRebuild } from "./tree_rebuild.ts";

/** Leaves per read of stored tiles that replace a missing round. */
const PAGE = 2 ** 12;

export interface StoreAuditContext {
  /** Includes the log's key, to verify its signatures. */
  readonly network: FollowedNetwork & { readonly log_vkey: string };
  readonly crypto: CryptoSuite;
  readonly witnesses: readonly WitnessMemory[];
  readonly faults: FaultLog;
  /** Called from time to time with the number of sequences. */
  readonly onProgress: (done: number, total: number) => void;
}

export interface StoreReport {
  readonly accepted: number;
  readonly rows: number;
  readonly rounds: number;
  /** Sequences in rounds with verified signatures. */
  readonly signed: number;
  readonly tree_size: number;
  readonly tiles: number;
  readonly sths: number;
  /** Size of the last published head. */
  readonly published: number;
  readonly index_runs: number;
  /** Spent ids. */
  readonly spent: number;
  readonly spent_rows: number;
  readonly spent_index_runs: number;
  readonly witness_heads: number;
  /** Parts that were not compared, because the other side is damaged. */
  readonly not_compared: readonly string[];
}

/** Audits `log` and adds faults to the context's fault log. */
export async function auditStore(
  log: StoredLog,
  context: StoreAuditContext,
): Promise<StoreReport> {
  return await new StoreAudit(log, context).run();
}

class StoreAudit {
  readonly #log: StoredLog;
  readonly #context: StoreAuditContext;
  readonly #notCompared: string[] = [];

  constructor(log: StoredLog, context: StoreAuditContext) {
    this.#log = log;
    this.#context = context;
  }

  async run(): Promise<StoreReport> {
    const { network, crypto, faults, witnesses } = this.#context;
    const log = this.#log;
    const { kernels } = crypto;
    const digests = new Fingerprints(kernels, "digest");
    const ids = new Fingerprints(kernels, "spent");
    const index = log.index && await IndexCheck.open(log.index, "index", faults);
    const spentIndex = log.spentIndex &&
      await IndexCheck.open(log.spentIndex, "spent_index", faults);
    const spent = new SpentCheck(log.spent(), spentIndex ? [ids, spentIndex] : [ids], faults);
    const sinks = index ? [digests, index, spent] : [digests, spent];
    const rows = new DigestRows(log.rows(), sinks, faults);
    const signatures = new SignatureCheck(network, new VerdictCache(crypto), faults);
    const rounds = new RoundReader(log.rounds(), {
      networkId: network.id,
      kernels,
      rows,
      signatures,
      beacons: new BeaconChecker(crypto.bls, faults),
      faults,
    });
    const tree = await this.#checkTree(rounds, signatures);
    await rows.finish();
    await spent.finish();
    index?.finish(rows.end);
    await digests.report((sink) => feed(log, sink), faults);
    spentIndex?.finish(spent.end);
    await ids.report((sink) => feedSpent(log, sink), faults);
    for await (const { place, problem } of log.anomalies()) faults.add("store", place, problem);
    for (const check of [index, spentIndex]) this.#notCompared.push(...check?.notCompared ?? []);
    return {
      accepted: rows.end,
      rows: rows.count,
      rounds: rounds.count,
      signed: rounds.signed,
      ...tree,
      index_runs: index?.done ?? 0,
      spent: spent.end,
      spent_rows: spent.count,
      spent_index_runs: spentIndex?.done ?? 0,
      witness_heads: witnesses.filter((witness) => "head" in witness && witness.head).length,
      not_compared: this.#notCompared,
    };
  }

  async #checkTree(rounds: RoundReader, signatures: SignatureCheck) {
    const { network, crypto, faults, witnesses } = this.#context;
    const { kernels } = crypto;
    const edges = await collect(this.#log.edges());
    const stored = await this.#readHead(edges);
    const tiles = new StoredTiles(this.#log, { size: stored.size, edges }, faults);
    const claims = [...endsOf(network), ...claimsOf(witnesses, faults)];
    const heads = new HeadCheck(
      this.#log.sths(),
      stored.root === undefined ? claims : [...claims, {
        part: "head",
        place: stored.size,
        size: stored.size,
        root: stored.root,
      }],
      { network, crypto, signatures, faults },
    );
    await heads.walk.reached(0, emptyRoot(kernels));
    const tree = new TreeRebuild(kernels, {
      nextSize: (size) => heads.walk.nextSize(size),
      reached: (size, root) => heads.walk.reached(size, root),
      full: (tile) => tiles.compare(tile),
    });
    await this.#grow({ tree, rounds, tiles, size: stored.size });
    const rebuilt = await tree.finish();
    if (rebuilt.size === stored.size) {
      tiles.compareEdges(rebuilt.edges);
      await tiles.reportRemaining(rebuilt.size);
    } else {
      this.#notCompared.push(
        `tiles and heads above size ${rebuilt.size}: the tree cannot be rebuilt further`,
      );
    }
    await heads.finish(stored.size);
    return {
      tree_size: stored.size,
      tiles: tiles.compared,
      sths: heads.walk.count,
      published: heads.published,
    };
  }

  /** Grows the tree to `size` leaves, as far as these are known, and reads all rounds. */
  async #grow(
    { tree, rounds, tiles, size }: {
      readonly tree: TreeRebuild;
      readonly rounds: RoundReader;
      readonly tiles: StoredTiles;
      readonly size: number;
    },
  ): Promise<void> {
    const { faults, onProgress } = this.#context;
    const total = await this.#log.length();
    let isWhole = true;
    let next = 0;
    const skip = async (to: number) => {
      const end = Math.min(to, size);
      if (next >= end) return;
      // A damaged record was reported already.
      if (!rounds.damaged.has(next)) {
        faults.add("round", next, `no round has sequence ${next}, which is in the tree`);
      }
      while (isWhole && tree.size < end) {
        const leaves = await tiles.leaves(tree.size, Math.min(tree.size + PAGE, end), true);
        isWhole = leaves !== undefined;
        if (leaves !== undefined) await tree.append(leaves);
      }
    };
    for await (const round of rounds.read()) {
      await skip(round.first);
      next = round.end;
      onProgress(round.end, total);
      const end = Math.min(round.end, size);
      if (!isWhole || round.first >= size) continue;
      if (round.signedLeaves === undefined) await this.#appendUnsigned(round, end, { tree, tiles });
      else await tree.append(cut(round.signedLeaves, end - round.first));
      isWhole = tree.size === end;
    }
    await skip(size);
  }

  /**
   * Appends the stored leaves of a round without valid signatures, so that one lost digest is not
   * reported again in every later head.
   */
  async #appendUnsigned(
    round: RebuiltRound,
    end: number,
    { tree, tiles }: { readonly tree: TreeRebuild; readonly tiles: StoredTiles },
  ): Promise<void> {
    const leaves = await tiles.leaves(round.first, end, round.leaves === undefined) ??
      (round.leaves && cut(round.leaves, end - round.first));
    if (leaves !== undefined) await tree.append(leaves);
  }

  /**
   * Size and root of the stored tree. If the head is damaged, the edges give the size, and the root is
   * unknown.
   */
  async #readHead(
    edges: readonly Stored<Bytes>[],
  ): Promise<{ readonly size: number; readonly root?: Bytes }> {
    const { faults } = this.#context;
    const head = await this.#log.head();
    if (head !== undefined && "value" in head) return { size: head.key, root: head.value };
    const size = sizeOfEdges(edges) ?? 0;
    if (head !== undefined) {
      faults.add("head", "head", `the record is damaged: ${head.damage}`);
    } else if (edges.length > 0) {
      faults.add("head", "head", `the record is missing; the edges are of size ${size}`);
    }
    return { size };
  }
}

function cut(leaves: Bytes, count: number): Bytes {
  return leaves.subarray(0, count * HASH_LENGTH);
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Passes every digest to `sink`. Faults of the rows were reported at the first read. */
async function feed(log: StoredLog, sink: DigestSink): Promise<void> {
  await new DigestRows(log.rows(), [sink], new FaultLog()).finish();
}

/** {@linkcode feed} for spent ids. */
async function feedSpent(log: StoredLog, sink: DigestSink): Promise<void> {
  await new SpentCheck(log.spent(), [sink], new FaultLog()).finish();
}
