/**
 * Finds duplicate digests in 8 to 12 bytes of memory per digest: keeps 61 bits of a hash of each, and
 * sorts them at the end. Equal fingerprints may be a coincidence or a client's choice, so the digests
 * are then read again and compared.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, hexOf } from "../../base/bytes.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import type { DigestSink } from "./digest_rows.ts";
import type { FaultLog, FaultPart } from "./faults.ts";

/** One for each first byte of the hash. */
const PARTITIONS = 256;
const FIRST_CAPACITY = 64;
const GROWTH = 1.5;
/** Digests per hash call. */
const GROUP = 1024;

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

  /** The numbers that occur more than once. Sorts in place. */
  repeated(): Set<number> {
    const found = new Set<number>();
    const sorted = this.#numbers.subarray(0, this.#count).sort();
    for (let i = 1; i < sorted.length; i++) {
      if (sorted[i] === sorted[i - 1]) found.add(sorted[i]!);
    }
    return found;
  }
}

/** The part of the log whose duplicates are faults. */
type FingerprintedPart = Extract<FaultPart, "digest" | "spent">;

/** The fingerprints of a log's digests, or of its spent ids. */
export class Fingerprints implements DigestSink {
  readonly #kernels: Kernels;
  readonly #part: FingerprintedPart;
  readonly #partitions = Array.from({ length: PARTITIONS }, () => new Partition());
  #pending: Bytes[] = [];
  #pendingCount = 0;

  constructor(kernels: Kernels, part: FingerprintedPart) {
    this.#kernels = kernels;
    this.#part = part;
  }

  add(_first: number, digests: Bytes): void {
    this.#pending.push(digests);
    this.#pendingCount += digests.length / HASH_LENGTH;
    if (this.#pendingCount >= GROUP) this.#flush();
  }

  /**
   * Reports each duplicate digest. `feed` passes all digests to a sink again; it is called only when two
   * fingerprints are equal.
   */
  async report(feed: (sink: DigestSink) => Promise<void>, faults: FaultLog): Promise<void> {
    this.#flush();
    const repeated = this.#partitions.map((partition) => partition.repeated());
    if (repeated.every((numbers) => numbers.size === 0)) return;
    await feed(new DuplicateFinder(this.#kernels, repeated, { part: this.#part, faults }));
  }

  #flush(): void {
    eachFingerprint(this.#kernels, concat(...this.#pending), (partition, number) => {
      this.#partitions[partition]!.add(number);
    });
    this.#pending = [];
    this.#pendingCount = 0;
  }
}

/** Compares the digests with equal fingerprints. */
class DuplicateFinder implements DigestSink {
  readonly #kernels: Kernels;
  readonly #repeated: readonly ReadonlySet<number>[];
  readonly #context: { readonly part: FaultPart; readonly faults: FaultLog };
  /** First sequence of each such digest, by hex. */
  readonly #seen = new Map<string, number>();

  constructor(
    kernels: Kernels,
    repeated: readonly ReadonlySet<number>[],
    context: { readonly part: FaultPart; readonly faults: FaultLog },
  ) {
    this.#kernels = kernels;
    this.#repeated = repeated;
    this.#context = context;
  }

  add(first: number, digests: Bytes): void {
    eachFingerprint(this.#kernels, digests, (partition, number, i) => {
      if (!this.#repeated[partition]!.has(number)) return;
      const hash = hexOf(digests.subarray(i * HASH_LENGTH, (i + 1) * HASH_LENGTH));
      const earlier = this.#seen.get(hash);
      if (earlier === undefined) {
        this.#seen.set(hash, first + i);
        return;
      }
      const { part, faults } = this.#context;
      faults.add(part, first + i, `${hash} is a duplicate of ${earlier}`);
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
