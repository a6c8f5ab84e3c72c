// The exports. The host writes bytes to a region, calls, and reads the result from a region. A size
// beyond a region traps, because only a bug of the host can cause it.

import { append } from "../hashing/message";
import {
  addGroup as addGroupOf,
  combinationHolds as holds,
  finishSlots as finish,
  GROUP_LIMIT,
  keepHash as keepHashOf,
  keepSignatures as keepSignaturesOf,
  startCombination as start,
} from "./combination";
import { setTag, startExpansion } from "./expand_message";
import { g1Encode } from "./g1_codec";
import { g1ToAffine } from "./g1";
import { g1MultiplySecret } from "./g1_secret";
import { g2Decode, g2Encode } from "./g2_codec";
import { g2MultiplyGenerator } from "./g2_secret";
import { hashToG1 as hash } from "./hash_to_g1";
import { addToKeySum, finishKeySum as finishKeys, startKeySum as startKeys } from "./key_sum";
import {
  COEFFICIENTS,
  KEY,
  KEY_POINT,
  MESSAGE,
  MESSAGE_BYTES,
  SECRET,
  SIGNATURE,
  SLOT_LIMIT,
  SLOTS,
  TAG,
  TAG_BYTES,
} from "./regions";
import { SCALAR, takeSecret, wipeSecret } from "./secret_key";
import {
  addToSignatureSum,
  finishSignatureSum as finishSignatures,
  startSignatureSum as startSignatures,
} from "./signature_sum";
import { verifies } from "./verification";

const point: usize = memory.data(384, 16);
const affine: usize = memory.data(256, 16);

function require(holds: bool): void {
  if (!holds) unreachable();
}

export function messageRegion(): usize { return MESSAGE; }
export function messageBytes(): u32 { return MESSAGE_BYTES; }
export function tagRegion(): usize { return TAG; }
export function tagBytes(): u32 { return TAG_BYTES; }
export function secretRegion(): usize { return SECRET; }
export function signatureRegion(): usize { return SIGNATURE; }
export function keyRegion(): usize { return KEY; }
export function pointRegion(): usize { return KEY_POINT; }
export function slotsRegion(): usize { return SLOTS; }
export function slotLimit(): u32 { return SLOT_LIMIT; }
export function groupLimit(): u32 { return GROUP_LIMIT; }
export function coefficientsRegion(): usize { return COEFFICIENTS; }

/** Begins the message that the next operation hashes, under the tag region's first bytes. */
export function startMessage(tagLength: u32): void {
  require(tagLength <= TAG_BYTES);
  setTag(TAG, tagLength);
  startExpansion();
}

/** Appends bytes of the message region to it. */
export function appendMessage(length: u32): void {
  require(length <= MESSAGE_BYTES);
  append(MESSAGE, length);
}

/** Decodes the key region into the point region; false if KeyValidate fails. */
export function decodeKey(): bool {
  return g2Decode(KEY_POINT, KEY);
}

/** Encodes the point region into the key region. */
export function encodeKey(): void {
  g2Encode(KEY, KEY_POINT);
}

/** Begins a sum of keys. */
export function startKeySum(): void {
  startKeys();
}

/** Adds the point region. */
export function addKey(): void {
  addToKeySum(KEY_POINT);
}

/** The sum into the point region; false for the identity. */
export function finishKeySum(): bool {
  return finishKeys(KEY_POINT);
}

/** Begins a sum of signatures. */
export function startSignatureSum(): void {
  startSignatures();
}

/** Adds the first one or two of the signature region; false when one is refused. */
export function addSignatures(count: u32): bool {
  require(count === 1 || count === 2);
  return addToSignatureSum(SIGNATURE, count);
}

/** The sum into the signature region; false for the identity. */
export function finishSignatureSum(): bool {
  return finishSignatures(SIGNATURE);
}

/** The message's point into the signature region. */
export function hashToG1(): void {
  hash(point);
  g1ToAffine(affine, point);
  g1Encode(SIGNATURE, affine, 0);
}

/** The secret region's signature of the message into the signature region; false outside [1, r-1]. */
export function sign(): bool {
  if (!takeSecret(SECRET)) return false;
  hash(point);
  g1MultiplySecret(affine, point, SCALAR);
  wipeSecret();
  g1Encode(SIGNATURE, affine, 0);
  return true;
}

/** The secret region's public key into the key region; false outside [1, r-1]. */
export function skToPk(): bool {
  if (!takeSecret(SECRET)) return false;
  g2MultiplyGenerator(KEY_POINT, SCALAR);
  wipeSecret();
  g2Encode(KEY, KEY_POINT);
  return true;
}

/** Whether the signature region is one of the message under the point region. */
export function verify(): bool {
  return verifies(SIGNATURE, KEY_POINT);
}

/** Keeps the first one or two of the signature region in slots; bit i for each that is valid. */
export function keepSignatures(slot: u32, count: u32): u32 {
  require((count === 1 || count === 2) && slot + count <= SLOT_LIMIT);
  return keepSignaturesOf(slot, SIGNATURE, count);
}

/** Keeps the message's point in a slot that has its signature. */
export function keepHash(slot: u32): void {
  require(slot < SLOT_LIMIT);
  keepHashOf(slot);
}

/** Prepares the first `count` slots; false if a hash is the identity. */
export function finishSlots(count: u32): bool {
  require(count <= SLOT_LIMIT);
  return finish(count);
}

/** Begins a combination of slots. */
export function startCombination(): void {
  start();
}

/** Adds `count` slots, by the slots and coefficients regions, under the point region's key. */
export function addGroup(count: u32): void {
  require(count <= SLOT_LIMIT);
  addGroupOf(SLOTS, COEFFICIENTS, count, KEY_POINT);
}

/** Whether the combination of all groups, at least one and at most the limit, holds. */
export function combinationHolds(): bool {
  return holds();
}
