/**
 * The operations of OpenTimestamps: the edges of a timestamp, from one message to the next. Tags and
 * limits are those of the reference implementation (`opentimestamps/core/op.py`).
 *
 * @module
 */

import { ripemd160, sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { type Bytes, concat, hexOf, utf8 } from "../../bytes.ts";
import { compareBytes, malformed, type OtsReader, otsSized } from "./reader.ts";

/** An operation. `argument` is empty for an operation that takes none. */
export interface Operation {
  readonly tag: number;
  readonly argument: Bytes;
}

/** Tags of all operations. */
export const OPERATION_TAG = {
  sha1: 0x02,
  ripemd160: 0x03,
  sha256: 0x08,
  keccak256: 0x67,
  append: 0xf0,
  prepend: 0xf1,
  reverse: 0xf2,
  hexlify: 0xf3,
} as const;

/** Maximum bytes of a message, argument or result. */
export const MAX_MESSAGE_LENGTH = 4096;

interface Rule {
  /** Minimum bytes of the message. */
  readonly min: number;
  readonly hasArgument?: boolean;
  /** Bytes of the result if it is a digest. */
  readonly digestLength?: number;
  readonly apply: (message: Bytes, argument: Bytes) => Uint8Array;
}

const digest = (digestLength: number, apply: (message: Bytes) => Uint8Array): Rule => ({
  min: 0,
  digestLength,
  apply,
});

const joined = (apply: (message: Bytes, argument: Bytes) => Bytes): Rule => ({
  min: 0,
  hasArgument: true,
  apply,
});

const RULES: ReadonlyMap<number, Rule> = new Map([
  [OPERATION_TAG.sha1, digest(20, sha1)],
  [OPERATION_TAG.ripemd160, digest(20, ripemd160)],
  [OPERATION_TAG.sha256, digest(32, sha256)],
  [OPERATION_TAG.keccak256, digest(32, keccak_256)],
  [OPERATION_TAG.append, joined((message, argument) => concat(message, argument))],
  [OPERATION_TAG.prepend, joined((message, argument) => concat(argument, message))],
  // An empty message would lead to itself.
  [OPERATION_TAG.reverse, { min: 1, apply: (message) => message.toReversed() }],
  [OPERATION_TAG.hexlify, { min: 1, apply: (message) => utf8(hexOf(message)) }],
]);

/** An operation without an argument. */
export function unary(tag: number): Operation {
  return { tag, argument: new Uint8Array() };
}

/** Reads the rest of an operation after its tag. */
export function readOperation(reader: OtsReader, tag: number): Operation {
  const rule = RULES.get(tag);
  if (rule === undefined) throw malformed(`unknown operation with tag ${tag}`);
  return rule.hasArgument ? { tag, argument: reader.sized(1, MAX_MESSAGE_LENGTH) } : unary(tag);
}

/** Encodes an operation. */
export function encodeOperation({ tag, argument }: Operation): Bytes {
  const rule = RULES.get(tag)!;
  return concat(new Uint8Array([tag]), rule.hasArgument ? otsSized(argument) : argument);
}

/** Applies an operation to `message`; `malformed_text` beyond a limit. */
export function applyOperation({ tag, argument }: Operation, message: Bytes): Bytes {
  const rule = RULES.get(tag)!;
  if (message.length < rule.min || message.length > MAX_MESSAGE_LENGTH) {
    throw malformed(`a message is not of ${rule.min} to ${MAX_MESSAGE_LENGTH} bytes`);
  }
  const result = rule.apply(message, argument);
  if (result.length > MAX_MESSAGE_LENGTH) {
    throw malformed(`a message is longer than ${MAX_MESSAGE_LENGTH} bytes`);
  }
  return result as Bytes;
}

/** Bytes of the digest that the operation of `tag` computes; `undefined` if it computes none. */
export function digestLengthOf(tag: number): number | undefined {
  return RULES.get(tag)?.digestLength;
}

/** The order of the operations on one message. */
export function compareOperations(a: Operation, b: Operation): number {
  return a.tag - b.tag || compareBytes(a.argument, b.argument);
}
