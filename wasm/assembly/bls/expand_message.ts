// expand_message_xmd of RFC 9380 section 5.3.1 with SHA-256.

import { append, finish, start } from "../hashing/message";

/** Bytes of a digest (b_in_bytes). */
const DIGEST: u32 = 32;

/** Bytes of a block of the hash (s_in_bytes). */
const BLOCK: u32 = 64;

/** A domain separation tag may have as many bytes, since its length is one. */
const TAG_LIMIT: u32 = 255;

// "H2C-OVERSIZE-DST-" of section 5.3.3.
const OVERSIZE: usize = memory.data<u8>([
  0x48, 0x32, 0x43, 0x2d, 0x4f, 0x56, 0x45, 0x52, 0x53, 0x49, 0x5a, 0x45, 0x2d, 0x44, 0x53, 0x54,
  0x2d,
]);
const OVERSIZE_LENGTH: u32 = 17;

const zeros: usize = memory.data(64);
const small: usize = memory.data(4);
const hashedTag: usize = memory.data(32, 8);
const first: usize = memory.data(32, 8);
const digest: usize = memory.data(32, 8);

let tag: usize = 0;
let tagLength: u32 = 0;

/**
 * Sets the tag of all following messages, at least one byte; tags longer than 255 bytes are hashed
 * (section 5.3.3). The bytes must stay at their address.
 */
export function setTag(bytes: usize, length: u32): void {
  tag = bytes;
  tagLength = length;
  if (length <= TAG_LIMIT) return;
  start();
  append(OVERSIZE, OVERSIZE_LENGTH);
  append(bytes, length);
  finish(hashedTag);
  tag = hashedTag;
  tagLength = DIGEST;
}

/** Begins a message, whose bytes `append` then takes. */
export function startExpansion(): void {
  start();
  append(zeros, BLOCK);
}

/** Ends it: dst = `length` uniform bytes of the message, a multiple of 32 up to 255 times 32. */
export function finishExpansion(dst: usize, length: u32): void {
  store<u16>(small, bswap<u16>(<u16>length));
  append(small, 2);
  appendNumberAndTag(0);
  finish(first);
  for (let i: u32 = 1; DIGEST * (i - 1) < length; i++) {
    start();
    if (i === 1) {
      append(first, DIGEST);
    } else {
      const before = dst - DIGEST;
      for (let at: usize = 0; at < DIGEST; at += 8) {
        store<u64>(digest + at, load<u64>(first + at) ^ load<u64>(before + at));
      }
      append(digest, DIGEST);
    }
    appendNumberAndTag(i);
    finish(dst);
    dst += DIGEST;
  }
}

// I2OSP(number, 1) || DST_prime.
function appendNumberAndTag(number: u32): void {
  store<u8>(small, number);
  append(small, 1);
  append(tag, tagLength);
  store<u8>(small, tagLength);
  append(small, 1);
}
