/**
 * Finds digests that stand in a log twice, in 8 to 12 bytes of memory for each: of every digest 61
 * bits of a hash are kept, sorted at the end. Two that agree are no fault yet, since clients choose
 * the digests: whoever asks reads them again and compares.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH } from "../bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import type { DigestSink } from "./digest_rows.ts";
import type { FaultLog, FaultPart } from "./faults.ts";

/** Sorted by themselves, by the first byte of the hash. */
const PARTITIONS = 256;
const FIRST_CAPACITY = 64;
const GROWTH = 1.5;
/** Digests hashed in one call. */
const GROUP = 1024;

/** Numbers in one growing array. */
class Partition {
  #numbers = new Float64Array(FIRST_CAPACITY);
  #count = 0;

  add(number: number): void {
    if (this.#count === this.#numbers.length) {
      const larger = new Float64Array(Math.ceil(this.#count * GROWTH));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#count++] = number;
  }

  /** Each number that is there more than once. Sorts in place. */
  repeated(): Set<number> {
    const found = new Set<number>();
    const sorted = this.#numbers.subarray(0, this.#count).sort();
    for (let i = 1; i < sorted.length; i++) {
      if (sorted[i] === sorted[i - 1]) found.add(sorted[i]!);
    }
    return found;
  }
}

/** What is to stand once: the part of the log that it is of, and what one of it is called. */
export interface Unique {
  readonly part: FaultPart;
  readonly required: string;
}

/** A log accepts a digest once. */
export const UNIQUE_DIGEST: Unique = { part: "digest", required: "a digest that is accepted once" };
/** What was spent is spent. */
export const UNIQUE_SPENT: Unique = { part: "spent", required: "an id that is spent once" };

/** The fingerprints of a log's digests, or of what was spent. */
export class Fingerprints implements DigestSink {
  readonly #kernels: Kernels;
  readonly #unique: Unique;
  readonly #partitions = Array.from({ length: PARTITIONS }, () => new Partition());
  #pending: Bytes[] = [];
  #pendingCount = 0;

  constructor(kernels: Kernels, unique: Unique) {
    this.#kernels = kernels;
    this.#unique = unique;
  }

  add(_first: number, digests: Bytes): void {
    this.#pending.push(digests);
    this.#pendingCount += digests.length / HASH_LENGTH;
    if (this.#pendingCount >= GROUP) this.#flush();
  }

  /**
   * Reports each digest that stands at a second sequence. `feed` gives a sink every digest once more;
   * it is asked for only when two fingerprints agree.
   */
  async report(feed: (sink: DigestSink) => Promise<void>, faults: FaultLog): Promise<void> {
    this.#flush();
    const repeated = this.#partitions.map((partition) => partition.repeated());
    if (repeated.every((numbers) => numbers.size === 0)) return;
    await feed(new Twins(this.#kernels, repeated, { ...this.#unique, faults }));
  }

  #flush(): void {
    eachFingerprint(this.#kernels, concat(...this.#pending), (partition, number) => {
      this.#partitions[partition]!.add(number);
    });
    this.#pending = [];
    this.#pendingCount = 0;
  }
}

/** Compares the digests whose fingerprints agree. */
class Twins implements DigestSink {
  readonly #kernels: Kernels;
  readonly #repeated: readonly ReadonlySet<number>[];
  readonly #context: Unique & { readonly faults: FaultLog };
  /** First sequence of each such digest, by its hex. */
  readonly #seen = new Map<string, number>();

  constructor(
    kernels: Kernels,
    repeated: readonly ReadonlySet<number>[],
    context: Unique & { readonly faults: FaultLog },
  ) {
    this.#kernels = kernels;
    this.#repeated = repeated;
    this.#context = context;
  }

  add(first: number, digests: Bytes): void {
    eachFingerprint(this.#kernels, digests, (partition, number, i) => {
      if (!this.#repeated[partition]!.has(number)) return;
      const hash = digests.subarray(i * HASH_LENGTH, (i + 1) * HASH_LENGTH).toHex();
      const earlier = this.#seen.get(hash);
      if (earlier === undefined) {
        this.#seen.set(hash, first + i);
        return;
      }
      const { part, required, faults } = this.#context;
      faults.add(part, first + i, required, `${hash} again, which is at ${earlier}`);
    });
  }
}

/** The fingerprint of each digest: the first byte and the next 53 bits of its leaf hash. */
function eachFingerprint(
  kernels: Kernels,
  digests: Bytes,
  each: (partition: number, number: number, i: number) => void,
): void {
  const count = digests.length / HASH_LENGTH;
  const ends = Uint32Array.from({ length: count }, (_, i) => (i + 1) * HASH_LENGTH);
  const hashes = kernels.leafHashes(digests, ends);
  const view = new DataView(hashes.buffer, hashes.byteOffset, hashes.length);
  for (let i = 0; i < count; i++) {
    const at = i * HASH_LENGTH;
    const number = (view.getUint32(at + 4) >>> 11) * 2 ** 32 + view.getUint32(at + 8);
    each(hashes[at]!, number, i);
  }
}
