/**
 * Signed attestations by sequence: of recent rounds from memory, of others from their record and
 * the few digests of their corner of the round. Data from the store is verified first: a round by
 * its signatures, once for as long as it is kept, and digests by the round's nodes.
 *
 * @module
 */

import { type Bytes, equalBytes, HASH_LENGTH } from "../../bytes.ts";
import type { Kernels } from "../../crypto/kernels.ts";
import { CountersignError } from "../../errors.ts";
import { type Attestation } from "../../format/attestation.ts";
import { roundLeaves } from "../../merkle/round_tree.ts";
import {
  type IndexedSignatureSet,
  namedSignatures,
  type RoundRecord,
  UPPER_NODE_HEIGHT,
} from "../../format/records.ts";
import type { SignatureSet } from "../../format/signature_set.ts";
import { pathInLevels, treeLevels } from "../../merkle/tree.ts";
import type { ConfirmedRounds, RoundTexts } from "./confirmed_rounds.ts";
import type { HashIndex } from "../index/hash_index.ts";
import { hashesJson, sharedMembers } from "../intake/job.ts";
import { type RoundStore } from "../ports.ts";
import type { RecordCheck } from "../record_check.ts";
import type { ReadAttestation } from "./read_attestation.ts";
import { type LevelTexts, pathJson } from "./round_paths.ts";
import { type StoredRound, StoredRounds } from "./stored_rounds.ts";

const HEX_LENGTH = 2 * HASH_LENGTH;
const CORNER_LEAVES = 2 ** UPPER_NODE_HEIGHT;

/** What the reader works with. */
export interface ReaderContext {
  readonly networkId: string;
  readonly witnessIds: readonly string[];
  readonly rounds: RoundStore;
  readonly index: HashIndex;
  readonly confirmed: ConfirmedRounds;
  readonly kernels: Kernels;
  readonly check: Pick<RecordCheck, "round">;
}

/** Reads confirmed attestations. */
export class AttestationReader {
  readonly #context: ReaderContext;
  readonly #stored = new StoredRounds();

  constructor(context: ReaderContext) {
    this.#context = context;
  }

  /**
   * The attestation of a sequence, or `undefined` while it is not confirmed. `hash` is that of the
   * sequence in hex, from whoever knows it. Rejects with `store_corrupt` when its round, or a digest
   * beside it, does not verify.
   */
  read(
    sequence: number,
    hash?: string,
  ): ReadAttestation | undefined | Promise<ReadAttestation | undefined> {
    const { confirmed, index } = this.#context;
    const recent = confirmed.find(sequence);
    if (recent !== undefined) recent.levels ??= textsOf(recent.tree.levels);
    const stored = recent === undefined ? this.#stored.find(sequence) : undefined;
    const round = recent ?? stored;
    if (round?.levels === undefined) return this.#readStored(sequence, stored);
    if (hash !== undefined) return readOf(round, sequence, hash);
    const digest = index.digests(sequence, sequence + 1);
    if (!(digest instanceof Promise)) return readOf(round, sequence, digest.toHex());
    return digest.then((digest) => {
      const read = readOf(round, sequence, digest.toHex());
      // It may have been damaged since the tree of its round was read.
      const leaf = this.#hashLeaves(round.record, sequence, digest);
      requireNodes(leaf, Uint8Array.fromHex(read.leafHash), sequence, sequence + 1);
      return read;
    });
  }

  /** Whether the job of an accepted sequence is read without the store. */
  isInMemory(sequence: number): boolean {
    const { confirmed, index } = this.#context;
    const round = confirmed.find(sequence);
    if (round === undefined && !confirmed.isConfirmed(sequence)) return true;
    return index.acceptedInMemory(sequence) !== undefined &&
      (round ?? this.#stored.find(sequence)?.levels) !== undefined;
  }

  /** What an attestation's JSON shares with all others of its round: {@linkcode sharedMembers}. */
  sharedOf({ round }: ReadAttestation): string {
    const { beacon, signatures } = round.record;
    return round.sharedJson ??= sharedMembers(beacon, this.signatureSetOf(signatures));
  }

  /**
   * Stored signatures with the names of their witnesses, in the shape of protocol.md "Resources".
   */
  signatureSetOf(signatures: IndexedSignatureSet): SignatureSet {
    return namedSignatures(signatures, this.#context.witnessIds);
  }

  /** Packed leaf hashes of confirmed sequences [start, end), each under its round's signatures. */
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

  /** The attestations of confirmed sequences [start, end), as stored: nothing of them is verified. */
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

  /**
   * The stored rounds that cover [start, end), and which part of it each covers; `store_corrupt`
   * when they leave a part out.
   */
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
    if (round === undefined) return undefined;
    if (this.#stored.wantsTree(round)) {
      await this.#readTree(round);
      if (round.levels !== undefined) return await this.read(sequence);
    }
    return await this.#readCorner(round, sequence);
  }

  /** The stored round of `sequence`, verified, and kept from now on. */
  async #roundOf(sequence: number): Promise<StoredRound | undefined> {
    const { rounds, confirmed, check } = this.#context;
    const record = await rounds.roundBefore(sequence);
    if (record === undefined || sequence >= record.first + record.size) {
      if (confirmed.isConfirmed(sequence)) throw missingRound(sequence);
      return undefined;
    }
    await check.round(record);
    return this.#stored.add(record);
  }

  async #readTree(round: StoredRound): Promise<void> {
    this.#stored.setTree(round, textsOf(await this.#levelsOf(round.record)));
  }

  /** The levels of a round's tree over its stored digests, which its upper nodes confirm. */
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

  async #readCorner(round: StoredRound, sequence: number): Promise<ReadAttestation> {
    const { kernels, index } = this.#context;
    const { record } = round;
    const place = sequence - record.first;
    const corner = Math.floor(place / CORNER_LEAVES);
    const from = record.first + corner * CORNER_LEAVES;
    const to = Math.min(from + CORNER_LEAVES, record.first + record.size);
    const digests = await index.digests(from, to);
    const leaves = this.#hashLeaves(record, from, digests);
    const levels = treeLevels(kernels, leaves);
    const above = record.upperNodes.subarray(corner * HASH_LENGTH, (corner + 1) * HASH_LENGTH);
    requireNodes(levels.at(-1)!, above, from, to);
    const path = [
      ...pathInLevels(levels, place % CORNER_LEAVES),
      ...pathInLevels(treeLevels(kernels, record.upperNodes), corner),
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

/** `store_corrupt` unless the digests [from, to) hash to the nodes that their round has above them. */
function requireNodes(found: Bytes, required: Bytes, from: number, to: number): void {
  if (equalBytes(found, required)) return;
  throw new CountersignError(
    "store_corrupt",
    `Cannot use digests ${from} to ${
      to - 1
    } of the store: those that their round signs required, ` +
      "found others",
  );
}

function missingRound(sequence: number): CountersignError {
  return new CountersignError(
    "store_corrupt",
    `Cannot read attestation ${sequence}: a stored round of it required, found none`,
  );
}

function textsOf(levels: readonly Bytes[]): LevelTexts {
  return { levelsHex: levels.map((level) => level.toHex()), rests: [] };
}

/** The attestation of `sequence` in a round whose levels are there. */
function readOf(round: RoundTexts, sequence: number, hash: string): ReadAttestation {
  const levels = round.levels!;
  const index = sequence - round.record.first;
  const leafHash = levels.levelsHex[0]!.slice(index * HEX_LENGTH, (index + 1) * HEX_LENGTH);
  return { round, hash, leafHash, sequence, pathJson: pathJson(levels, index) };
}
