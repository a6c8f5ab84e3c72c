/**
 * Timestamps of OpenTimestamps and `.ots` files (`opentimestamps/core/timestamp.py` of the reference
 * implementation):
 *
 *     file       magic 31 || version 0x01 || tag of the digest's operation || digest || timestamp
 *     timestamp  (0xff || item) ... || item
 *     item       0x00 || attestation  |  operation || timestamp of its result
 *
 * A timestamp is a tree. Its root is a message, which the encoding omits; operations compute the
 * others. Limits: 4,096 bytes for a message and 256 messages on a path, as in the reference, and 4 MiB
 * for all messages together.
 *
 * The proof of an anchor is `{"ots": "<base64>"}` with the `.ots` file of the anchored digest.
 *
 * @module
 */

import {
  base64Of,
  type Bytes,
  bytesOfBase64,
  concat,
  equalBytes,
  fromHex,
  utf8,
} from "../../../base/bytes.ts";
import type { JsonValue } from "../../../proof/format/strict_json.ts";
import {
  applyOperation,
  compareAttestations,
  compareOperations,
  digestLengthOf,
  encodeAttestation,
  encodeOperation,
  type Operation,
  OPERATION_TAG,
  type OtsAttestation,
  readAttestation,
  readOperation,
} from "./items.ts";
import { malformed, OtsReader } from "./reader.ts";

/** The attestations of a message, and the operations on it. One of the two is not empty. */
export interface Timestamp {
  /** Distinct and sorted. */
  readonly attestations: readonly OtsAttestation[];
  /** Sorted by operation, each distinct. */
  readonly branches: readonly Branch[];
}

/** An operation on a message, and the timestamp of its result. */
export interface Branch {
  readonly operation: Operation;
  readonly next: Timestamp;
}

/** The timestamp of the file that has this digest. */
export interface TimestampFile {
  /** Tag of the operation that computed `digest` from the content. */
  readonly hash: number;
  readonly digest: Bytes;
  readonly timestamp: Timestamp;
}

/** Messages on the longest path. */
const MAX_DEPTH = 256;
/**
 * Bytes of all messages together. Without a limit, each byte of a file could cost a message of 4,096
 * bytes. The proofs of a hundred calendars stay below it.
 */
const MAX_COMPUTED = 4_194_304;

const MAGIC = concat(
  utf8("\0OpenTimestamps\0\0Proof\0"),
  fromHex("bf89e2e884e89294"),
);
const VERSION = 1;
const FORK = 0xff;
const ATTESTATION = 0x00;

/** Builds a timestamp from distinct attestations and branches in any order. */
export function timestampOf(
  attestations: readonly OtsAttestation[],
  branches: readonly Branch[] = [],
): Timestamp {
  return {
    attestations: attestations.toSorted(compareAttestations),
    branches: branches.toSorted((a, b) => compareOperations(a.operation, b.operation)),
  };
}

/** Decodes a timestamp of `message` with its items in any order; `malformed_text`. */
export function decodeTimestamp(bytes: Uint8Array, message: Bytes): Timestamp {
  const reader = new OtsReader(bytes);
  const timestamp = new TimestampDecoder(reader).timestamp(message);
  reader.end();
  return timestamp;
}

/** Encodes a timestamp as the reference implementation does. */
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

/** Merges two timestamps of one message. */
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
 * Calls `visit` with every message under `timestamp` of `message`. It keeps no message: together they
 * can be thousands of times as long as the file.
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

/** Decodes an `.ots` file; `malformed_text` unless the reference would write the same bytes. */
export function decodeTimestampFile(bytes: Uint8Array): TimestampFile {
  const reader = new OtsReader(bytes);
  if (!equalBytes(reader.take(MAGIC.length), MAGIC)) throw malformed("it is not an .ots file");
  const version = reader.integer();
  if (version !== VERSION) throw malformed(`unknown version ${version}`);
  const hash = reader.byte();
  const length = digestLengthOf(hash);
  if (length === undefined) throw malformed(`operation ${hash} computes no digest`);
  const digest = reader.take(length);
  const file = { hash, digest, timestamp: new TimestampDecoder(reader).timestamp(digest) };
  reader.end();
  if (!equalBytes(encodeTimestampFile(file), bytes)) {
    throw malformed("its items are not in order");
  }
  return file;
}

/** Encodes an `.ots` file. */
export function encodeTimestampFile({ hash, digest, timestamp }: TimestampFile): Bytes {
  return concat(MAGIC, new Uint8Array([VERSION, hash]), digest, encodeTimestamp(timestamp));
}

/** Decodes one timestamp. */
class TimestampDecoder {
  readonly #reader: OtsReader;
  #computed = 0;

  constructor(reader: OtsReader) {
    this.#reader = reader;
  }

  /** @param depth number of messages on the path to `message` and with it */
  timestamp(message: Bytes, depth = 1): Timestamp {
    if (depth > MAX_DEPTH) throw malformed(`more than ${MAX_DEPTH} messages on a path`);
    this.#computed += message.length;
    if (this.#computed > MAX_COMPUTED) {
      throw malformed(`more than ${MAX_COMPUTED} bytes of messages`);
    }
    const attestations: OtsAttestation[] = [];
    const branches: Branch[] = [];
    let isLast: boolean;
    do {
      let tag = this.#reader.byte();
      isLast = tag !== FORK;
      if (!isLast) tag = this.#reader.byte();
      if (tag === ATTESTATION) attestations.push(readAttestation(this.#reader));
      else {
        const operation = readOperation(this.#reader, tag);
        // Applied while reading, so that a limit stops the decoder and no message is kept.
        const next = this.timestamp(applyOperation(operation, message), depth + 1);
        branches.push({ operation, next });
      }
    } while (!isLast);
    const timestamp = timestampOf(attestations, branches);
    requireDistinct(timestamp);
    return timestamp;
  }
}

/** The reference keeps one of two equal items; implementations differ in which one. */
function requireDistinct({ attestations, branches }: Timestamp): void {
  const twice =
    attestations.some((one, i) => i > 0 && compareAttestations(attestations[i - 1]!, one) === 0) ||
    branches.some(({ operation }, i) =>
      i > 0 && compareOperations(branches[i - 1]!.operation, operation) === 0
    );
  if (twice) throw malformed("an item occurs twice at a message");
}

/** Maximum bytes of a file. In base64 and JSON it stays below `MAX_PROOF_BYTES`. */
export const MAX_FILE_LENGTH = 44_000;

/** Encodes the proof with `timestamp` of `digest`. */
export function otsProof(digest: Bytes, timestamp: Timestamp): JsonValue {
  return { ots: base64Of(encodeTimestampFile({ hash: OPERATION_TAG.sha256, digest, timestamp })) };
}

/** Parses the timestamp of `digest`, 32 bytes, in `proof`; `malformed_text`. */
export function parseOtsProof(digest: Bytes, proof: JsonValue): Timestamp {
  const file = decodeTimestampFile(otsFile(proof));
  if (file.hash !== OPERATION_TAG.sha256 || !equalBytes(file.digest, digest)) {
    throw malformed("it is for another digest");
  }
  return file.timestamp;
}

/** The bytes of the `.ots` file in `proof`, not decoded; `malformed_text`. */
export function otsFile(proof: JsonValue): Bytes {
  const members = typeof proof === "object" && proof !== null ? Object.entries(proof) : [];
  const [name, value] = members[0] ?? [];
  if (members.length !== 1 || name !== "ots" || typeof value !== "string") {
    throw malformed("the text ots is not its only member");
  }
  // Four characters encode three bytes. A longer text is not decoded.
  const bytes = value.length <= MAX_FILE_LENGTH * 4 / 3 + 4 ? bytesOfBase64(value) : undefined;
  if (bytes === undefined || bytes.length > MAX_FILE_LENGTH) {
    throw malformed(`ots is not base64 of at most ${MAX_FILE_LENGTH} bytes`);
  }
  return bytes;
}

type AttestationOf<K extends OtsAttestation["kind"]> = Extract<
  OtsAttestation,
  { readonly kind: K }
>;

/** The attestations of `kind` under `timestamp` of `message`, each with its message. */
export function attestationsOf<K extends OtsAttestation["kind"]>(
  kind: K,
  message: Bytes,
  timestamp: Timestamp,
): { readonly message: Bytes; readonly attestation: AttestationOf<K> }[] {
  const found: ReturnType<typeof attestationsOf<K>> = [];
  visitMessages(message, timestamp, (message, { attestations }) => {
    for (const attestation of attestations) {
      if (attestation.kind !== kind) continue;
      found.push({ message, attestation: attestation as AttestationOf<K> });
    }
  });
  return found;
}
