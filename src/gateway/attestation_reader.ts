/**
 * Signed attestations by sequence: of recent rounds from memory, of others from their record and
 * the few digests of their corner of the round.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError } from "../errors.ts";
import { type Attestation, roundLeaves } from "../format/attestation.ts";
import type { SignatureSet } from "../format/signature_set.ts";
import { pathInLevels, treeLevels } from "../merkle/tree.ts";
import type { ConfirmedRounds, RoundTexts } from "./confirmed_rounds.ts";
import type { HashIndex } from "./hash_index.ts";
import { hashesJson, sharedMembers } from "./job.ts";
import { namedSignatures } from "./named_signatures.ts";
import {
  type PlacedSignatureSet,
  type RoundRecord,
  type RoundStore,
  UPPER_NODE_HEIGHT,
} from "./ports.ts";
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
}

/** Reads confirmed attestations. */
export class AttestationReader {
  readonly #context: ReaderContext;
  readonly #stored = new StoredRounds();

  constructor(context: ReaderContext) {
    this.#context = context;
  }

  /**
   * The attestation of a sequence, or `undefined` while no round of it is stored. `hash` is that of
   * the sequence in hex, from whoever knows it.
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
    return digest instanceof Promise
      ? digest.then((digest) => readOf(round, sequence, digest.toHex()))
      : readOf(round, sequence, digest.toHex());
  }

  /** What an attestation's JSON shares with all others of its round: {@linkcode sharedMembers}. */
  sharedOf({ round }: ReadAttestation): string {
    const { beacon, signatures } = round.record;
    return round.sharedJson ??= sharedMembers(beacon, this.signatureSetOf(signatures));
  }

  /** Stored signatures with the names of their witnesses, in the shape of contract B3. */
  signatureSetOf(signatures: PlacedSignatureSet): SignatureSet {
    return namedSignatures(signatures, this.#context.witnessIds);
  }

  /** Packed leaf hashes of confirmed sequences [start, end). */
  async leaves(start: number, end: number): Promise<Bytes> {
    const recent = this.#context.confirmed.leaves(start, end);
    if (recent !== undefined) return recent;
    const leaves = new Uint8Array((end - start) * HASH_LENGTH);
    for await (const { record, from, to } of this.#roundsOf(start, end)) {
      leaves.set(await this.#leavesOf(record, from, to), (from - start) * HASH_LENGTH);
    }
    return leaves;
  }

  /** The attestations of confirmed sequences [start, end). */
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
        throw new CountersignError(
          "store_corrupt",
          `Cannot read attestation ${next}: a stored round of it required, found none`,
        );
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

  /** The stored round of `sequence`, from now on kept. */
  async #roundOf(sequence: number): Promise<StoredRound | undefined> {
    const record = await this.#context.rounds.roundBefore(sequence);
    const isOfIt = record !== undefined && sequence < record.first + record.size;
    return isOfIt ? this.#stored.add(record) : undefined;
  }

  async #readTree(round: StoredRound): Promise<void> {
    const { record } = round;
    const leaves = await this.#leavesOf(record, record.first, record.first + record.size);
    this.#stored.setTree(round, textsOf(treeLevels(this.#context.kernels, leaves)));
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
    const path = [
      ...pathInLevels(treeLevels(kernels, leaves), place % CORNER_LEAVES),
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

  async #leavesOf(record: RoundRecord, from: number, to: number): Promise<Bytes> {
    return this.#hashLeaves(record, from, await this.#context.index.digests(from, to));
  }

  #hashLeaves(record: RoundRecord, first: number, digests: Bytes): Bytes {
    const { kernels, networkId } = this.#context;
    return roundLeaves(kernels, { networkId, timestamp: record.timestamp, first, digests });
  }
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
