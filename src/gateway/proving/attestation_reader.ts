/**
 * Reads signed attestations: those of recent rounds from memory, others from the record of their round and
 * the digests of one subtree. Digests from the store are verified by the nodes in their round's record. The
 * store keeps a checksum of that record, whose signatures were verified before it was stored.
 *
 * @module
 */

import { type Bytes, concat, equalBytes, HASH_LENGTH } from "../../base/bytes.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { CountersignError } from "../../base/errors.ts";
import { RecentlyUsed } from "../../base/recently_used.ts";
import { type Attestation } from "../../proof/format/attestation.ts";
import {
  namedSignatures,
  type RoundRecord,
  UPPER_NODE_HEIGHT,
} from "../../proof/format/records.ts";
import { type LeafTexts, roundLeaves, roundTexts } from "../../proof/merkle/round_tree.ts";
import { pathInLevels, treeLevels } from "../../proof/merkle/tree.ts";
import {
  hashesJson,
  type LevelTexts,
  pathJson,
  type ReadAttestation,
  type RoundTexts,
  sharedMembers,
} from "./attestation_json.ts";
import type { ConfirmedRounds } from "./confirmed_rounds.ts";
import { ABSENT, type DigestIndex, PERHAPS_SEALED } from "../index/digest_index.ts";
import { wordsOf } from "../index/keyed_hash.ts";
import type { RoundReads } from "../ports.ts";
import type { RecordCheck } from "../record_check.ts";
import type { Epochs } from "../succession/epochs.ts";
import { whenReady } from "../../base/when_ready.ts";
import { type StoredRound, StoredRounds, SUBTREE_LEAVES } from "./stored_rounds.ts";

const HEX_LENGTH = 2 * HASH_LENGTH;
/** Subtrees whose leaf hashes are kept, 1 KiB each: the proof of a leaf in the log needs them next. */
const MAX_SUBTREES = 256;
/** The tile of a group of leaves costs less than more look-ups of rounds. */
const MAX_PART_ROUNDS = 2;

/** Charges the caller before an attestation is read from the store; throws `rate_limited`. */
export type ChargeRead = () => void;

export interface ReaderContext {
  readonly networkId: string;
  readonly epochs: Epochs;
  readonly rounds: Pick<RoundReads, "roundBefore" | "rounds">;
  readonly index: Pick<DigestIndex, "probe" | "findSealed" | "digests" | "acceptedInMemory">;
  readonly confirmed: Pick<ConfirmedRounds, "isConfirmed" | "find" | "leaves">;
  readonly kernels: Kernels;
  readonly check: Pick<RecordCheck, "round">;
  /** Sequence after the last digest on disk. */
  readonly durable: () => number;
}

export class AttestationReader {
  readonly #context: ReaderContext;
  readonly #stored = new StoredRounds();
  /** By first sequence: the verified leaf hashes of a subtree of a stored round. */
  readonly #subtrees = new RecentlyUsed<number, Bytes>(MAX_SUBTREES);
  /** Reused for each look-up. */
  readonly #digest = new Uint8Array(HASH_LENGTH);
  readonly #words = wordsOf(this.#digest);

  constructor(context: ReaderContext) {
    this.#context = context;
  }

  /**
   * The sequence of an accepted hash (64 lowercase hex digits). A hash that is not on disk yet is not
   * accepted.
   */
  find(hash: string): number | undefined | Promise<number | undefined> {
    const { index } = this.#context;
    this.#digest.setFromHex(hash);
    const sequence = index.probe(this.#words, 0);
    if (sequence === ABSENT) return undefined;
    if (sequence !== PERHAPS_SEALED) return this.#ifDurable(sequence);
    return index.findSealed(this.#digest.slice()).then((found) => this.#ifDurable(found));
  }

  /** {@linkcode find}; `hash_unknown`. Calls `charge` unless its attestation can be read from memory. */
  locate(hash: string, charge?: ChargeRead): number | Promise<number> {
    return whenReady(this.find(hash), (sequence) => {
      if (sequence === undefined) {
        throw new CountersignError("hash_unknown", "Unknown hash: it was never submitted here");
      }
      if (charge !== undefined && !this.isInMemory(sequence)) charge();
      return sequence;
    });
  }

  /** Whether the signatures of a sequence are durable. */
  isConfirmed(sequence: number): boolean {
    return this.#context.confirmed.isConfirmed(sequence);
  }

  /**
   * The attestation of a sequence; `undefined` unless its signatures are durable. `hash` is its hash in
   * hex, if known. Rejects with `store_corrupt` if its round is damaged, or a digest of its subtree does not verify.
   */
  read(
    sequence: number,
    hash?: string,
  ): ReadAttestation | undefined | Promise<ReadAttestation | undefined> {
    const { confirmed, index } = this.#context;
    if (!confirmed.isConfirmed(sequence)) return undefined;
    const recent = confirmed.find(sequence);
    if (recent !== undefined) recent.levels ??= textsOf(recent.tree.levels);
    const stored = recent === undefined ? this.#stored.find(sequence) : undefined;
    const round = recent ?? stored;
    if (round?.levels === undefined) return this.#readStored(sequence, stored);
    // Digests in memory are those from which the tree was made.
    if (hash !== undefined && index.acceptedInMemory(sequence) !== undefined) {
      return readOf(round, sequence, hash);
    }
    const digest = hash === undefined
      ? index.digests(sequence, sequence + 1)
      : Uint8Array.fromHex(hash);
    return whenReady(digest, (digest) => {
      const read = readOf(round, sequence, digest.toHex());
      // The digest may have been damaged since the tree of its round was read.
      const leaf = this.#hashLeaves(round.record, sequence, digest);
      requireNodes(leaf, Uint8Array.fromHex(read.leafHash), sequence, sequence + 1);
      return read;
    });
  }

  /** Whether the job of an accepted sequence can be read without the store. */
  isInMemory(sequence: number): boolean {
    const { confirmed, index } = this.#context;
    const round = confirmed.find(sequence);
    if (round === undefined && !confirmed.isConfirmed(sequence)) return true;
    return index.acceptedInMemory(sequence) !== undefined &&
      (round ?? this.#stored.find(sequence)?.levels) !== undefined;
  }

  #ifDurable(sequence: number | undefined): number | undefined {
    return sequence !== undefined && sequence < this.#context.durable() ? sequence : undefined;
  }

  /** {@linkcode sharedMembers} of the round of an attestation. */
  sharedOf({ round }: Pick<ReadAttestation, "round">): string {
    const { beacon, signatures, first } = round.record;
    const { witnessIds } = this.#context.epochs.ofLeaf(first);
    return round.sharedJson ??= sharedMembers(beacon, namedSignatures(signatures, witnessIds));
  }

  /** Packed leaf hashes of confirmed sequences [start, end), verified by their rounds' signatures. */
  async leaves(start: number, end: number): Promise<Bytes> {
    const recent = this.#context.confirmed.leaves(start, end);
    if (recent !== undefined) return recent;
    const leaves = new Uint8Array((end - start) * HASH_LENGTH);
    for await (const { record, from, to } of this.#roundsOf(start, end)) {
      await this.#context.check.round(record);
      const [all] = await this.#levelsOf(record);
      const part = all!.subarray(
        (from - record.first) * HASH_LENGTH,
        (to - record.first) * HASH_LENGTH,
      );
      leaves.set(part, (from - start) * HASH_LENGTH);
    }
    return leaves;
  }

  /**
   * Packed leaf hashes of confirmed sequences [start, end) as they follow from stored digests, which are
   * not all verified, and rounds. `undefined` if they are of more than two rounds.
   */
  async storedLeaves(start: number, end: number): Promise<Bytes | undefined> {
    const recent = this.#context.confirmed.leaves(start, end);
    if (recent !== undefined) return recent;
    const records: RoundRecord[] = [];
    for (let next = start; next < end;) {
      if (records.length === MAX_PART_ROUNDS) return undefined;
      const { record } = this.#stored.find(next) ?? await this.#roundOf(next);
      records.push(record);
      next = record.first + record.size;
    }
    const parts: Bytes[] = [];
    for (const record of records) {
      const roundEnd = Math.min(end, record.first + record.size);
      for (let next = Math.max(start, record.first); next < roundEnd;) {
        const subtree = startOfSubtree(record, next);
        const to = Math.min(roundEnd, subtree + SUBTREE_LEAVES);
        parts.push(await this.#partOf(record, subtree, next, to));
        next = to;
      }
    }
    return parts.length === 1 ? parts[0] : concat(...parts);
  }

  /** The leaf hashes of [from, to) in the subtree that begins at sequence `subtree`. */
  async #partOf(record: RoundRecord, subtree: number, from: number, to: number): Promise<Bytes> {
    const kept = this.#subtrees.get(subtree);
    if (kept === undefined) {
      return this.#hashLeaves(record, from, await this.#context.index.digests(from, to));
    }
    return kept.subarray((from - subtree) * HASH_LENGTH, (to - subtree) * HASH_LENGTH);
  }

  /** The attestations of confirmed sequences [start, end) as stored, unverified. */
  async attestations(start: number, end: number): Promise<Attestation[]> {
    const attestations: Attestation[] = [];
    for await (const { record, from, to } of this.#roundsOf(start, end)) {
      const hex = (await this.#context.index.digests(from, to)).toHex();
      for (let sequence = from; sequence < to; sequence++) {
        attestations.push({
          hash: hex.slice((sequence - from) * 64, (sequence - from) * 64 + 64),
          timestamp: record.timestamp,
          network_id: this.#context.networkId,
          sequence,
        });
      }
    }
    return attestations;
  }

  /** The texts of confirmed sequences [start, end) by round, as stored, unverified. */
  async texts(start: number, end: number): Promise<LeafTexts[]> {
    const { index, networkId } = this.#context;
    const texts: LeafTexts[] = [];
    for await (const { record: { timestamp }, from, to } of this.#roundsOf(start, end)) {
      const digests = await index.digests(from, to);
      texts.push(roundTexts({ networkId, timestamp, first: from, digests }));
    }
    return texts;
  }

  /** The stored rounds that cover [start, end), each with its part [from, to); `store_corrupt`. */
  async *#roundsOf(
    start: number,
    end: number,
  ): AsyncGenerator<{ record: RoundRecord; from: number; to: number }> {
    const { rounds } = this.#context;
    let record = await rounds.roundBefore(start);
    let following: RoundRecord[] = [];
    for (let next = start; next < end;) {
      if (record === undefined || record.first > next || record.first + record.size <= next) {
        throw missingRound(next);
      }
      const to = Math.min(end, record.first + record.size);
      yield { record, from: next, to };
      if (following.length === 0) following = await rounds.rounds(to, end, 256);
      record = following.shift();
      next = to;
    }
  }

  async #readStored(
    sequence: number,
    kept: StoredRound | undefined,
  ): Promise<ReadAttestation | undefined> {
    const round = kept ?? await this.#roundOf(sequence);
    if (this.#stored.wantsTree(round)) {
      await this.#readTree(round);
      if (round.levels !== undefined) return await this.read(sequence);
    }
    return await this.#readSubtree(round, sequence);
  }

  /** The stored round of a confirmed sequence; cached from now on. */
  async #roundOf(sequence: number): Promise<StoredRound> {
    const record = await this.#context.rounds.roundBefore(sequence);
    if (record === undefined || sequence >= record.first + record.size) {
      throw missingRound(sequence);
    }
    return this.#stored.add(record);
  }

  async #readTree(round: StoredRound): Promise<void> {
    this.#stored.setTree(round, textsOf(await this.#levelsOf(round.record)));
  }

  /** The levels of a round's tree over its stored digests, verified by its upper nodes. */
  async #levelsOf(record: RoundRecord): Promise<readonly Bytes[]> {
    const { first, size, upperNodes } = record;
    const digests = await this.#context.index.digests(first, first + size);
    const levels = treeLevels(
      this.#context.kernels,
      this.#hashLeaves(record, first, digests),
    );
    requireNodes(levels[UPPER_NODE_HEIGHT] ?? levels.at(-1)!, upperNodes, first, first + size);
    return levels;
  }

  async #readSubtree(round: StoredRound, sequence: number): Promise<ReadAttestation> {
    const { kernels, index } = this.#context;
    const { record } = round;
    const from = startOfSubtree(record, sequence);
    const subtree = (from - record.first) / SUBTREE_LEAVES;
    const to = Math.min(from + SUBTREE_LEAVES, record.first + record.size);
    const digests = await index.digests(from, to);
    const leaves = this.#hashLeaves(record, from, digests);
    const levels = treeLevels(kernels, leaves);
    const above = record.upperNodes.subarray(subtree * HASH_LENGTH, (subtree + 1) * HASH_LENGTH);
    requireNodes(levels.at(-1)!, above, from, to);
    this.#subtrees.set(from, leaves);
    const path = [
      ...pathInLevels(levels, sequence - from),
      ...pathInLevels(treeLevels(kernels, record.upperNodes), subtree),
    ];
    const at = (sequence - from) * HASH_LENGTH;
    return {
      round,
      hash: digests.subarray(at, at + HASH_LENGTH).toHex(),
      leafHash: leaves.subarray(at, at + HASH_LENGTH).toHex(),
      sequence,
      pathJson: hashesJson(path.map((node) => node.toHex())),
    };
  }

  #hashLeaves(record: RoundRecord, first: number, digests: Bytes): Bytes {
    const { kernels, networkId } = this.#context;
    return roundLeaves(kernels, { networkId, timestamp: record.timestamp, first, digests });
  }
}

/** First sequence of the subtree that holds `sequence`. */
function startOfSubtree({ first }: RoundRecord, sequence: number): number {
  return sequence - (sequence - first) % SUBTREE_LEAVES;
}

/** Throws unless the digests [from, to) hash to the nodes of their round. */
function requireNodes(found: Bytes, required: Bytes, from: number, to: number): void {
  if (equalBytes(found, required)) return;
  throw new CountersignError(
    "store_corrupt",
    `Cannot use digests ${from} to ${to - 1} of the store: their round signs other digests`,
  );
}

function missingRound(sequence: number): CountersignError {
  return new CountersignError(
    "store_corrupt",
    `The store has no round for attestation ${sequence}`,
  );
}

function textsOf(levels: readonly Bytes[]): LevelTexts {
  return { levelsHex: levels.map((level) => level.toHex()), upperPaths: [] };
}

/** The attestation of `sequence` in a round with levels. */
function readOf(round: RoundTexts, sequence: number, hash: string): ReadAttestation {
  const levels = round.levels!;
  const index = sequence - round.record.first;
  const leafHash = levels.levelsHex[0]!.slice(index * HEX_LENGTH, (index + 1) * HEX_LENGTH);
  return { round, hash, leafHash, sequence, pathJson: pathJson(levels, index) };
}
