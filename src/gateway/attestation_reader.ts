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
import type { SignedAttestation } from "../format/bundle.ts";
import type { SignatureSet } from "../format/signature_set.ts";
import { pathInLevels, treeLevels } from "../merkle/tree.ts";
import type { ConfirmedRounds, RecentRound } from "./confirmed_rounds.ts";
import type { HashIndex } from "./hash_index.ts";
import {
  type PlacedSignatureSet,
  type RoundRecord,
  type RoundStore,
  UPPER_NODE_HEIGHT,
} from "./ports.ts";

const CORNER_LEAVES = 2 ** UPPER_NODE_HEIGHT;

/** What is particular to one attestation of a round. */
export interface ReadAttestation {
  readonly record: RoundRecord;
  /** Hex. */
  readonly hash: string;
  readonly sequence: number;
  /** Hex, leaf to root. */
  readonly path: readonly string[];
}

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

  constructor(context: ReaderContext) {
    this.#context = context;
  }

  /** The attestation of a sequence, or `undefined` while no round of it is stored. */
  read(sequence: number): ReadAttestation | undefined | Promise<ReadAttestation | undefined> {
    const round = this.#context.confirmed.find(sequence);
    if (round === undefined) return this.#readStored(sequence);
    const digest = this.#context.index.digests(sequence, sequence + 1);
    if (digest instanceof Promise) return this.#readStored(sequence);
    return {
      record: round.record,
      hash: digest.toHex(),
      sequence,
      path: recentPath(round, sequence - round.record.first),
    };
  }

  /** The wire resource of an attestation. */
  resourceOf(read: ReadAttestation): SignedAttestation {
    const { record, hash, sequence, path } = read;
    return {
      attestation: {
        hash,
        timestamp: record.timestamp,
        network_id: this.#context.networkId,
        sequence,
      },
      round: {
        index: sequence - record.first,
        size: record.size,
        inclusion_path: path,
        beacon: null,
      },
      ...this.signatureSetOf(record.signatures),
    };
  }

  /** Stored signatures with the names of their witnesses, in the shape of contract B3. */
  signatureSetOf(signatures: PlacedSignatureSet): SignatureSet {
    const { witnessIds } = this.#context;
    if ("witnesses" in signatures) {
      return {
        signature: signatures.signature.toHex(),
        signers: signatures.witnesses.map((place) => witnessIds[place]!),
      };
    }
    return {
      signatures: signatures.map(({ witness, signature }) => ({
        witness_id: witnessIds[witness]!,
        signature: signature.toHex(),
      })),
    };
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

  async #readStored(sequence: number): Promise<ReadAttestation | undefined> {
    const { rounds, kernels, index } = this.#context;
    const record = await rounds.roundBefore(sequence);
    if (record === undefined || sequence >= record.first + record.size) return undefined;
    const place = sequence - record.first;
    const corner = Math.floor(place / CORNER_LEAVES);
    const from = record.first + corner * CORNER_LEAVES;
    const to = Math.min(from + CORNER_LEAVES, record.first + record.size);
    const leaves = await this.#leavesOf(record, from, to);
    const digest = await index.digests(sequence, sequence + 1);
    const path = [
      ...pathInLevels(treeLevels(kernels, leaves), place % CORNER_LEAVES),
      ...pathInLevels(treeLevels(kernels, record.upperNodes), corner),
    ];
    return { record, hash: digest.toHex(), sequence, path: path.map((node) => node.toHex()) };
  }

  async #leavesOf(record: RoundRecord, from: number, to: number): Promise<Bytes> {
    const { index, kernels, networkId } = this.#context;
    const digests = await index.digests(from, to);
    return roundLeaves(kernels, { networkId, timestamp: record.timestamp, first: from, digests });
  }
}

/** RFC 9162 path of the leaf at `index`, cut from the hex of whole levels. */
function recentPath(round: RecentRound, index: number): string[] {
  const levels = round.levelsHex ??= round.tree.levels.map((level) => level.toHex());
  const path: string[] = [];
  for (let level = 0, at = index; level + 1 < levels.length; level++, at >>>= 1) {
    // A node without a neighbour is carried up: it adds nothing to the path.
    const sibling = (at ^ 1) * 2 * HASH_LENGTH;
    if (sibling < levels[level]!.length) {
      path.push(levels[level]!.slice(sibling, sibling + 2 * HASH_LENGTH));
    }
  }
  return path;
}
