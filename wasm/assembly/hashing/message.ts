// SHA-256 of one message, whole or in parts (FIPS 180-4 sections 5 and 6.2).

import { compress } from "./compress";
import { BLOCK, TOTAL } from "./layout";
import { loadBlock, startOne, storeDigest } from "./words";

/** Begins a message. */
export function start(): void {
  startOne();
  store<u64>(TOTAL, 0);
}

/** Appends the `length` bytes at `from`. */
export function append(from: usize, length: u32): void {
  const total = load<u64>(TOTAL);
  store<u64>(TOTAL, total + length);
  let filled = <u32>total & 63;
  const end = from + length;
  if (filled > 0) {
    while (filled < 64 && from < end) store<u8>(BLOCK + filled++, load<u8>(from++));
    if (filled < 64) return;
    compressAt(BLOCK);
  }
  for (; end - from >= 64; from += 64) compressAt(from);
  for (let at = BLOCK; from < end; at++) store<u8>(at, load<u8>(from++));
}

/** Ends the message: a one bit, zeros, and the length in bits (section 5.1.1). Digest to `to`. */
export function finish(to: usize): void {
  const total = load<u64>(TOTAL);
  const filled = <u32>total & 63;
  store<u8>(BLOCK + filled, 0x80);
  for (let i: usize = filled + 1; i < 64; i++) store<u8>(BLOCK + i, 0);
  if (filled > 55) {
    compressAt(BLOCK);
    for (let i: usize = 0; i < 56; i += 8) store<u64>(BLOCK + i, 0);
  }
  store<u64>(BLOCK, bswap<u64>(total << 3), 56);
  compressAt(BLOCK);
  storeDigest(to);
}

// @ts-ignore: decorator
@inline
function compressAt(block: usize): void {
  loadBlock(block);
  compress();
}

/** Appends one byte: the prefix of a leaf. */
export function appendByte(byte: u32): void {
  store<u8>(BLOCK + (<u32>load<u64>(TOTAL) & 63), byte);
  store<u64>(TOTAL, load<u64>(TOTAL) + 1);
}
