/**
 * Monitors one log below the stores: compares each commit with the whole history at the moment it
 * is stored.
 *
 * @module
 */

import { type Bytes, concat, equalBytes, HASH_LENGTH } from "../../src/base/bytes.ts";
import { beaconTime } from "../../src/proof/crypto/drand.ts";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { roundLeaves } from "../../src/proof/merkle/round_tree.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import {
  addsSignatures,
  type IntakeRow,
  type RoundRecord,
  type SpentRow,
  type SthRecord,
} from "../../src/proof/format/records.ts";
import { encodeRoundMessage, MAX_ROUND_SIZE } from "../../src/proof/format/round.ts";
import type { HeadCommit } from "../../src/gateway/ports.ts";
import { rootOfEdges } from "../../src/proof/merkle/tile.ts";
import { treeRoot } from "../../src/proof/merkle/tree.ts";
import { CompactRange } from "../proof/merkle/compact_range.ts";
import { checkHeadSignatures, checkSignatures, hashesOf, LogFault } from "../gateway/checker.ts";
import { encodeRound, encodeSth } from "../../src/proof/format/record_codec.ts";
import { encodeSpentRow } from "../../src/storage/log/record_codec.ts";
import type { LogChange, MemoryLog } from "../gateway/memory_log.ts";
import { beaconVerifier, CHAIN } from "./relays.ts";
import type { Tokens } from "./tokens.ts";

/** One accepted digest. */
export interface Accepted {
  readonly hash: string;
  /** Unix seconds. */
  readonly acceptedAt: number;
  /** Of the round that signs it, after that round is stored. */
  round?: RoundRecord;
  leaf?: Bytes;
}

export class LogMonitor {
  readonly #network: NetworkConfiguration;
  readonly #tokens: Tokens;
  /** In sequence order. */
  readonly accepted: Accepted[] = [];
  readonly #sequences = new Map<string, number>();
  /** Hex root of each committed size, and of each published size. */
  readonly heads = new Map<number, string>();
  readonly published = new Map<number, SthRecord>();
  /** Written values in hex, by first sequence and by size. */
  readonly #written = new Map<number, string>();
  readonly #writtenSths = new Map<number, string>();
  readonly #writtenSpent = new Map<number, string>();
  /** Redeemed token ids in hex. */
  readonly #spent = new Set<string>();
  /** Rounds that the store lost, by each of their sequences. */
  readonly #lost = new Map<number, RoundRecord>();
  #confirmedEnd = 0;
  #range = CompactRange.empty();

  constructor(network: NetworkConfiguration, tokens: Tokens) {
    this.#network = network;
    this.#tokens = tokens;
  }

  /** An independent copy of the current state. */
  copy(): LogMonitor {
    const copy = new LogMonitor(this.#network, this.#tokens);
    for (const digest of this.accepted) copy.accepted.push({ ...digest });
    for (const [hash, sequence] of this.#sequences) copy.#sequences.set(hash, sequence);
    for (const [size, root] of this.heads) copy.heads.set(size, root);
    for (const [size, record] of this.published) copy.published.set(size, record);
    for (const [first, value] of this.#written) copy.#written.set(first, value);
    for (const [size, value] of this.#writtenSths) copy.#writtenSths.set(size, value);
    for (const [first, value] of this.#writtenSpent) copy.#writtenSpent.set(first, value);
    for (const id of this.#spent) copy.#spent.add(id);
    for (const [sequence, round] of this.#lost) copy.#lost.set(sequence, round);
    copy.#confirmedEnd = this.#confirmedEnd;
    copy.#range = this.#range.copy();
    return copy;
  }

  sequenceOf(hash: string): number | undefined {
    return this.#sequences.get(hash);
  }

  /** Number of redeemed token ids. */
  get spent(): number {
    return this.#spent.size;
  }

  /** Sequence after the contiguous signed prefix. */
  get confirmedEnd(): number {
    return this.#confirmedEnd;
  }

  /** Size of the tree. */
  get size(): number {
    return this.#range.size;
  }

  /** Size of the latest published head. */
  get publishedSize(): number {
    return Math.max(0, ...this.published.keys());
  }

  /** Throws a {@linkcode LogFault} if a record of `log` differs from the written one. */
  checkUnchanged(log: MemoryLog): void {
    let next = 0;
    for (const [first, { acceptedAt, digests }] of log.rows) {
      require(first === next, "rows", `a row at ${first} where ${next} was written`);
      for (const hash of hashesOf(digests)) {
        const written = this.accepted[next++];
        const isSame = written?.hash === hash && written.acceptedAt === acceptedAt;
        require(isSame, "rows", `another digest at ${next - 1}`);
      }
    }
    require(next === this.accepted.length, "rows", `an end at ${next}`);
    for (const [first, round] of log.rounds) {
      const written = this.#written.get(first);
      require(written === encodeRound(round).toHex(), "rounds", `another at ${first}`);
    }
    require(log.rounds.size === this.#written.size, "rounds", `${log.rounds.size} of them`);
    for (const [size, sth] of log.sths) {
      const isSame = this.#writtenSths.get(size) === encodeSth(sth).toHex();
      require(isSame, "sths", `another at ${size}`);
    }
    require(log.sths.size === this.#writtenSths.size, "sths", `${log.sths.size} of them`);
    for (const [first, row] of log.spent) {
      const isSame = this.#writtenSpent.get(first) === encodeSpentRow(row).toHex();
      require(isSame, "spent", `another row at ${first}`);
    }
    require(log.spent.size === this.#writtenSpent.size, "spent", `${log.spent.size} rows`);
  }

  /** Throws a {@linkcode LogFault} if `change` violates a rule of the log. */
  take(change: LogChange): void {
    switch (change.kind) {
      case "rows":
        change.rows.forEach((row) => this.#takeRow(row));
        this.#takeSpent(change.rows, change.spent);
        return change.rounds.forEach((round) => this.#takeRound(round));
      case "head":
        return this.#takeHead(change.change);
      case "sth":
        return this.#takeSth(change.record);
      case "signatures":
        return this.#takeSignatures(change.record);
    }
  }

  #takeRow({ first, acceptedAt, digests }: IntakeRow): void {
    const next = this.accepted.length;
    require(first === next, "rows", `a row at ${first} where ${next} is next`);
    for (const hash of hashesOf(digests)) {
      const stands = this.#sequences.get(hash);
      require(stands === undefined, "digests", `one at ${stands} and at ${this.accepted.length}`);
      this.#sequences.set(hash, this.accepted.length);
      this.accepted.push({ hash, acceptedAt });
    }
  }

  /**
   * Requires the tokens of each new digest to be tokens submitted with it, never redeemed before.
   */
  #takeSpent(rows: readonly IntakeRow[], spent: readonly SpentRow[]): void {
    const idsOf = new Map<string, string>();
    for (const row of spent) {
      require(row.first === this.#spent.size, "spent", `a row at ${row.first}`);
      this.#writtenSpent.set(row.first, encodeSpentRow(row).toHex());
      hashesOf(row.ids).forEach((id, i) => {
        const hash = this.accepted[row.intakeRow + row.offsets[i]!]?.hash;
        require(hash !== undefined, "spent", `${id} for no digest`);
        require(!this.#spent.has(id), "spent", `${id} again`);
        this.#spent.add(id);
        idsOf.set(hash, id);
      });
    }
    for (const hash of rows.flatMap(({ digests }) => hashesOf(digests))) {
      const id = idsOf.get(hash);
      require(
        this.#tokens.isOffered(hash, id),
        "spent",
        `${id} for a digest sent with another token`,
      );
      idsOf.delete(hash);
    }
    require(idsOf.size === 0, "spent", "something for a digest that was accepted before");
  }

  /** The store lost the round at `first`, which no head covers. Its sequences keep its text. */
  lose(first: number): void {
    this.#written.delete(first);
    for (const [sequence, one] of this.accepted.entries()) {
      if (one.round?.first !== first) continue;
      this.#lost.set(sequence, one.round);
      this.#confirmedEnd = Math.min(this.#confirmedEnd, sequence);
      delete one.round;
      delete one.leaf;
    }
  }

  /** Whether a lost round is not signed again yet. */
  get hasLosses(): boolean {
    return this.#lost.keys().some((sequence) => this.accepted[sequence]!.round === undefined);
  }

  #takeRound(round: RoundRecord): void {
    const { first, size, timestamp, beacon, signatures } = round;
    const part = this.accepted.slice(first, first + size);
    const isWhole = size >= 1 && size <= MAX_ROUND_SIZE && part.length === size;
    require(isWhole, "rounds", `one of ${size} at ${first} of ${this.accepted.length}`);
    require(part.every((one) => one.round === undefined), "rounds", `one within another: ${first}`);
    for (const sequence of part.keys()) {
      const lost = this.#lost.get(first + sequence);
      const isSame = lost === undefined || textOf(lost) === textOf(round);
      require(isSame, "rounds", `another text at ${first + sequence} than before a loss`);
    }
    const digests = Uint8Array.fromHex(part.map(({ hash }) => hash).join(""));
    const leaves = roundLeaves(kernels, { networkId: this.#network.id, timestamp, first, digests });
    const message = encodeRoundMessage({
      network_id: this.#network.id,
      timestamp,
      size,
      root: treeRoot(kernels, leaves).toHex(),
      beacon,
    });
    checkSignatures(this.#network, message, signatures, "round_signatures");
    const isOfBeacon = beacon === null ||
      (beaconVerifier.verify(beacon) && beaconTime(CHAIN, beacon.round) <= timestamp);
    require(isOfBeacon, "rounds", `one at ${first} with another beacon`);
    this.#written.set(first, encodeRound(round).toHex());
    part.forEach((one, i) => {
      one.round = round;
      one.leaf = leaves.slice(i * HASH_LENGTH, (i + 1) * HASH_LENGTH);
    });
    while (this.accepted[this.#confirmedEnd]?.round !== undefined) this.#confirmedEnd++;
  }

  #takeHead({ head: { size, root }, edges }: HeadCommit): void {
    const before = this.#range.size;
    require(size > before, "head", `one of ${size} after one of ${before}`);
    require(size <= this.#confirmedEnd, "head", `one of ${size} with ${this.#confirmedEnd} signed`);
    for (let at = before; at < size; at++) this.#range.append(kernels, this.accepted[at]!.leaf!);
    // Each head is a prefix of the next, because all are heads of this one tree.
    require(equalBytes(root, this.#range.root(kernels)), "head", `another root at ${size}`);
    require(equalBytes(root, rootOfEdges(kernels, edges)), "edges", `others at ${size}`);
    const tail = this.accepted.slice(size - size % 256, size).map(({ leaf }) => leaf!);
    require(
      equalBytes(edges[0] ?? new Uint8Array(), concat(...tail)),
      "edges",
      `leaves at ${size}`,
    );
    this.heads.set(size, root.toHex());
  }

  /** Requires all signatures that were stored for the head, and further ones. */
  #takeSignatures(record: SthRecord): void {
    const known = this.published.get(record.size);
    const isMore = known !== undefined && addsSignatures(known, record);
    require(isMore, "sths", `signatures at ${record.size} that do not add to those before`);
    checkHeadSignatures(this.#network, record);
    this.published.set(record.size, record);
    this.#writtenSths.set(record.size, encodeSth(record).toHex());
  }

  #takeSth(record: SthRecord): void {
    const { size, root } = record;
    require(size > this.publishedSize, "sths", `one at ${size} after ${this.publishedSize}`);
    require(this.heads.get(size) === root.toHex(), "sths", `one at ${size} that is no head`);
    checkHeadSignatures(this.#network, record);
    this.published.set(size, record);
    this.#writtenSths.set(size, encodeSth(record).toHex());
  }
}

/** What the round's signatures say, besides its digests. */
const textOf = ({ first, size, timestamp, beacon }: RoundRecord) =>
  `${first}+${size} ${timestamp} ${beacon?.signature}`;

function require(
  holds: boolean,
  part: ConstructorParameters<typeof LogFault>[0],
  found: string,
): asserts holds {
  if (!holds) throw new LogFault(part, found);
}
