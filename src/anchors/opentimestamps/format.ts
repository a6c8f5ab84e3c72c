/**
 * Timestamps of OpenTimestamps, and the `.ots` files that hold one (`opentimestamps/core/timestamp.py`
 * of the reference implementation):
 *
 *     file       magic 31 || version 0x01 || tag of the digest's operation || digest || timestamp
 *     timestamp  (0xff || item) ... || item
 *     item       0x00 || attestation  |  operation || timestamp of its result
 *
 * A timestamp is a tree: its root is a message, here left out, and whatever follows is computed. Both
 * limits of the reference hold, 4,096 bytes for a message and 256 messages on a path, and one of ours:
 * 4 MiB for all messages together.
 *
 * @module
 */

import { type Bytes, concat, equalBytes, utf8 } from "../../bytes.ts";
import {
  type Attestation,
  compareAttestations,
  encodeAttestation,
  readAttestation,
} from "./attestation.ts";
import {
  applyOperation,
  compareOperations,
  digestLengthOf,
  encodeOperation,
  type Operation,
  readOperation,
} from "./operation.ts";
import { malformed, OtsReader } from "./reader.ts";

/** What attests a message, and what is made of it. One of the two is not empty. */
export interface Timestamp {
  /** Distinct, in the order in which they are written. */
  readonly attestations: readonly Attestation[];
  /** Of distinct operations, in the order in which they are written. */
  readonly branches: readonly Branch[];
}

/** An operation on a message, and the timestamp of its result. */
export interface Branch {
  readonly operation: Operation;
  readonly next: Timestamp;
}

/** A timestamp of a file, of which only the digest is known. */
export interface TimestampFile {
  /** Tag of the operation that makes `digest` of the file's content. */
  readonly hash: number;
  readonly digest: Bytes;
  readonly timestamp: Timestamp;
}

/** Messages on the longest path. */
const MAX_DEPTH = 256;
/**
 * Bytes of all messages together. A short file could have each of its bytes make one of 4,096; the
 * proofs of a hundred calendars together take less than this.
 */
const MAX_COMPUTED = 4_194_304;

const MAGIC = concat(
  utf8("\0OpenTimestamps\0\0Proof\0"),
  Uint8Array.fromHex("bf89e2e884e89294"),
);
const VERSION = 1;
const FORK = 0xff;
const ATTESTATION = 0x00;

/** The timestamp of distinct `attestations` and `branches`, in any order. */
export function timestampOf(
  attestations: readonly Attestation[],
  branches: readonly Branch[] = [],
): Timestamp {
  return {
    attestations: attestations.toSorted(compareAttestations),
    branches: branches.toSorted((a, b) => compareOperations(a.operation, b.operation)),
  };
}

/** The timestamp of `message` that `bytes` are, its items in any order; `malformed_text`. */
export function decodeTimestamp(bytes: Uint8Array, message: Bytes): Timestamp {
  const reader = new OtsReader(bytes);
  const timestamp = new TimestampDecoder(reader).timestamp(message);
  reader.end();
  return timestamp;
}

/** The serialization of `timestamp` that the reference implementation writes. */
export function encodeTimestamp({ attestations, branches }: Timestamp): Bytes {
  const items = [
    ...attestations.map((attestation) =>
      concat(new Uint8Array([ATTESTATION]), encodeAttestation(attestation))
    ),
    ...branches.map(({ operation, next }) =>
      concat(encodeOperation(operation), encodeTimestamp(next))
    ),
  ];
  const fork = new Uint8Array([FORK]);
  return concat(...items.flatMap((item, i) => i < items.length - 1 ? [fork, item] : [item]));
}

/** What both timestamps of one message say, each thing once. */
export function mergeTimestamps(a: Timestamp, b: Timestamp): Timestamp {
  const attestations = a.attestations.concat(
    b.attestations.filter((other) =>
      !a.attestations.some((one) => compareAttestations(one, other) === 0)
    ),
  );
  const branches = [...a.branches];
  for (const branch of b.branches) {
    const same = branches.findIndex(({ operation }) =>
      compareOperations(operation, branch.operation) === 0
    );
    if (same < 0) branches.push(branch);
    else {
      branches[same] = {
        operation: branch.operation,
        next: mergeTimestamps(branches[same]!.next, branch.next),
      };
    }
  }
  return timestampOf(attestations, branches);
}

/**
 * Calls `visit` with every message of `timestamp`, whose own is `message`, and what stands at it. No
 * message is kept: all of them at once could be thousands of times as long as the file.
 */
export function visitMessages(
  message: Bytes,
  timestamp: Timestamp,
  visit: (message: Bytes, timestamp: Timestamp) => void,
): void {
  visit(message, timestamp);
  for (const { operation, next } of timestamp.branches) {
    visitMessages(applyOperation(operation, message), next, visit);
  }
}

/** The `.ots` file of `bytes`; `malformed_text` for any that the reference would write otherwise. */
export function decodeTimestampFile(bytes: Uint8Array): TimestampFile {
  const reader = new OtsReader(bytes);
  if (!equalBytes(reader.take(MAGIC.length), MAGIC)) throw malformed("an .ots file", "another");
  const version = reader.integer();
  if (version !== VERSION) throw malformed(`version ${VERSION}`, String(version));
  const hash = reader.byte();
  const length = digestLengthOf(hash);
  if (length === undefined) throw malformed("an operation that makes a digest", `tag ${hash}`);
  const digest = reader.take(length);
  const file = { hash, digest, timestamp: new TimestampDecoder(reader).timestamp(digest) };
  reader.end();
  if (!equalBytes(encodeTimestampFile(file), bytes)) {
    throw malformed("items in the order of the reference implementation", "another order");
  }
  return file;
}

/** The bytes of an `.ots` file. */
export function encodeTimestampFile({ hash, digest, timestamp }: TimestampFile): Bytes {
  return concat(MAGIC, new Uint8Array([VERSION, hash]), digest, encodeTimestamp(timestamp));
}

/** Reads one timestamp. Owned by a single call. */
class TimestampDecoder {
  readonly #reader: OtsReader;
  #computed = 0;

  constructor(reader: OtsReader) {
    this.#reader = reader;
  }

  /** The timestamp of `message`, which is the one of `depth` on its path. */
  timestamp(message: Bytes, depth = 1): Timestamp {
    if (depth > MAX_DEPTH) throw malformed(`at most ${MAX_DEPTH} messages on a path`, "more");
    this.#computed += message.length;
    if (this.#computed > MAX_COMPUTED) {
      throw malformed(`at most ${MAX_COMPUTED} bytes of messages`, "more");
    }
    const attestations: Attestation[] = [];
    const branches: Branch[] = [];
    let isLast: boolean;
    do {
      let tag = this.#reader.byte();
      isLast = tag !== FORK;
      if (!isLast) tag = this.#reader.byte();
      if (tag === ATTESTATION) attestations.push(readAttestation(this.#reader));
      else {
        const operation = readOperation(this.#reader, tag);
        // Applied while it is read: what goes beyond a limit ends there, and no message is kept.
        const next = this.timestamp(applyOperation(operation, message), depth + 1);
        branches.push({ operation, next });
      }
    } while (!isLast);
    const timestamp = timestampOf(attestations, branches);
    requireDistinct(timestamp);
    return timestamp;
  }
}

/** The reference keeps one of two that are the same, and which one differs by implementation. */
function requireDistinct({ attestations, branches }: Timestamp): void {
  const twice =
    attestations.some((one, i) => i > 0 && compareAttestations(attestations[i - 1]!, one) === 0) ||
    branches.some(({ operation }, i) =>
      i > 0 && compareOperations(branches[i - 1]!.operation, operation) === 0
    );
  if (twice) throw malformed("distinct items at a message", "one twice");
}
