/**
 * Rebuilds signed rounds from their digests: the leaves, the signed message and the stored nodes.
 *
 * @module
 */

import { type Bytes, equalBytes, hexOf, isCount } from "../../base/bytes.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { roundLeaves } from "../../proof/merkle/round_tree.ts";
import { type RoundRecord, UPPER_NODE_HEIGHT } from "../../proof/format/records.ts";
import { encodeRoundMessage, MAX_ROUND_SIZE } from "../../proof/format/round.ts";
import type { BeaconChecker, BeaconOfRound } from "./beacon_check.ts";
import { Cursor } from "./cursor.ts";
import type { DigestRows } from "./digest_rows.ts";
import type { FaultLog } from "./faults.ts";
import type { SignatureCheck, SignedText } from "./signature_check.ts";
import { type Stored } from "./ports.ts";

/** Rounds per batch of signature verification, which shares a pairing in a `bls` network. */
const GROUP_ROUNDS = 64;

export interface RebuiltRound {
  readonly first: number;
  readonly end: number;
  /** Packed leaf hashes, if the witnesses' signatures over them verify. */
  readonly signedLeaves: Bytes | undefined;
  /** Leaf hashes of the stored digests, signed or not. */
  readonly leaves: Bytes | undefined;
}

interface UnverifiedRound {
  readonly first: number;
  readonly end: number;
  readonly leaves: Bytes | undefined;
  readonly text: SignedText | undefined;
  readonly beacon?: BeaconOfRound;
}

export interface RoundContext {
  readonly networkId: string;
  readonly kernels: Kernels;
  readonly rows: DigestRows;
  readonly signatures: SignatureCheck;
  readonly beacons: BeaconChecker;
  readonly faults: FaultLog;
}

/** Reads rounds in order. */
export class RoundReader {
  readonly #rounds: Cursor<Stored<RoundRecord>>;
  readonly #context: RoundContext;
  readonly #damaged = new Set<number>();
  #count = 0;
  #signed = 0;
  #end = 0;

  constructor(rounds: AsyncIterable<Stored<RoundRecord>>, context: RoundContext) {
    this.#rounds = new Cursor(rounds);
    this.#context = context;
  }

  /** Rounds that were read. */
  get count(): number {
    return this.#count;
  }

  /** Sequences in rounds with verified signatures. */
  get signed(): number {
    return this.#signed;
  }

  /** First sequences of the damaged records, which are skipped. */
  get damaged(): ReadonlySet<number> {
    return this.#damaged;
  }

  /** The rounds, ascending and without overlap. Skips damaged ones. */
  async *read(): AsyncGenerator<RebuiltRound> {
    for (;;) {
      const group: UnverifiedRound[] = [];
      while (group.length < GROUP_ROUNDS && await this.#rounds.peek() !== undefined) {
        const round = await this.#readOne();
        if (round !== undefined) group.push(round);
      }
      if (group.length === 0) return;
      yield* await this.#verify(group);
    }
  }

  async #verify(group: readonly UnverifiedRound[]): Promise<RebuiltRound[]> {
    const texts = group.map(({ text }) => text).filter((text) => text !== undefined);
    this.#context.beacons.check(group.flatMap(({ beacon }) => beacon ?? []));
    const verdicts = await this.#context.signatures.verify(texts);
    const verified = new Set(texts.filter((_, i) => verdicts[i]));
    return group.map(({ first, end, leaves, text }) => {
      const isSigned = text !== undefined && verified.has(text);
      if (isSigned) this.#signed += end - first;
      return { first, end, leaves, signedLeaves: isSigned ? leaves : undefined };
    });
  }

  /** The next round; `undefined` when it is damaged or overlaps the one before. */
  async #readOne(): Promise<UnverifiedRound | undefined> {
    const { rows, faults } = this.#context;
    const record = (await this.#rounds.next())!;
    this.#count++;
    const { key: first } = record;
    if ("damage" in record) {
      faults.add("round", first, `the record is damaged: ${record.damage}`);
      this.#damaged.add(first);
      return undefined;
    }
    const { value: round } = record;
    const end = first + round.size;
    if (!this.#isValid(first, round)) {
      this.#damaged.add(first);
      return undefined;
    }
    this.#end = end;
    const { timestamp, beacon } = round;
    const placed = beacon === null ? {} : { beacon: { place: first, timestamp, beacon } };
    const digests = await rows.read(first, end);
    if (digests === undefined) {
      if (rows.end < end && !rows.previousRowDamaged) {
        const problem = `the round ends at ${end}, the accepted digests end at ${rows.end}`;
        faults.add("round", first, problem);
      }
      // Otherwise the missing row was reported.
      return { first, end, leaves: undefined, text: undefined, ...placed };
    }
    return { ...this.#rebuild(first, round, digests), ...placed };
  }

  #isValid(first: number, { size, timestamp, attempts }: RoundRecord): boolean {
    const { faults } = this.#context;
    if (first < this.#end) {
      faults.add("round", first, `it overlaps the round before, which ends at ${this.#end}`);
      return false;
    }
    if (size < 1 || size > MAX_ROUND_SIZE) {
      faults.add("round", first, `size ${size} is not 1 to ${MAX_ROUND_SIZE}`);
      return false;
    }
    if (!isCount(timestamp)) {
      faults.add("round", first, `the time ${timestamp} is not below 2^53`);
      return false;
    }
    if (attempts < 1) faults.add("round", first, "it has 0 attempts");
    return true;
  }

  #rebuild(first: number, round: RoundRecord, digests: Bytes): UnverifiedRound {
    const { kernels, networkId, faults } = this.#context;
    const { size, timestamp, beacon, signatures, upperNodes } = round;
    const leaves = roundLeaves(kernels, { networkId, timestamp, first, digests });
    const upper = kernels.treeLevel(leaves, UPPER_NODE_HEIGHT);
    if (!equalBytes(upper, upperNodes)) {
      faults.add("upper_nodes", first, "the stored nodes are not those over the round's leaves");
    }
    const root = hexOf(kernels.treeLevel(upper, Infinity));
    const message = encodeRoundMessage({ network_id: networkId, timestamp, size, root, beacon });
    const text = { part: "round_signatures", place: first, message, signatures } as const;
    return { first, end: first + size, leaves, text };
  }
}
