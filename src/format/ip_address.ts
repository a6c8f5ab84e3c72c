/**
 * Addresses of both versions of IP, and ranges of them, as text: strict, since who is trusted and who
 * is counted depends on them.
 *
 * @module
 */

import { integerOf } from "../bytes.ts";

/**
 * Four words of 32 bits, the most significant first. IPv4 is its IPv4-mapped IPv6 address (RFC 4291
 * section 2.5.5.2), so that a host has one value whichever way its address is spelt.
 */
export type IpAddress = readonly [number, number, number, number];

/** All addresses whose first `bits` of 128 are those of `first`. */
export interface IpRange {
  readonly first: IpAddress;
  readonly bits: number;
}

const WORD_BITS = 32;
const ADDRESS_BITS = 4 * WORD_BITS;
const MAPPED_WORD = 0xffff;
/** The longest spelling: an IPv6 address whose end is spelt as IPv4. */
const MAX_LENGTH = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255".length;
const GROUPS = 8;
const GROUP = /^[0-9a-fA-F]{1,4}$/;

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const DOT = 0x2e;

/**
 * The address that is all of `text`: dotted decimal without leading zeros, or a form of RFC 4291
 * section 2.2 without a zone. `undefined` for any other text.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (text.includes(":")) return version6Of(text);
  const word = version4Of(text);
  return word === undefined ? undefined : [0, 0, MAPPED_WORD, word];
}

/**
 * The range of `text`, an address and the length of its prefix (RFC 4632 section 3.1, RFC 4291 section
 * 2.3), or an address alone. `undefined` for any other text, and where bits behind the prefix are set.
 */
export function parseIpRange(text: string): IpRange | undefined {
  const [address = "", length, ...rest] = text.split("/", 3);
  const first = parseIpAddress(address);
  if (first === undefined || rest.length > 0) return undefined;
  const outside = address.includes(":") ? 0 : ADDRESS_BITS - WORD_BITS;
  const bits = length === undefined
    ? ADDRESS_BITS
    : outside + (integerOf(length) ?? ADDRESS_BITS + 1);
  if (bits > ADDRESS_BITS) return undefined;
  return first.every((word, i) => (word & ~maskOf(bits, i)) === 0) ? { first, bits } : undefined;
}

/** True when `address` is one of `range`. */
export function isWithin(address: IpAddress, { first, bits }: IpRange): boolean {
  return first.every((word, i) => ((word ^ address[i]!) & maskOf(bits, i)) === 0);
}

/** True for an IPv4 address, however it was spelt. */
export function isVersion4(address: IpAddress): boolean {
  return address[0] === 0 && address[1] === 0 && address[2] === MAPPED_WORD;
}

/** Those bits of word `i` that are among the first `bits` of an address. */
function maskOf(bits: number, i: number): number {
  const within = Math.min(Math.max(bits - i * WORD_BITS, 0), WORD_BITS);
  // A shift by 32 is one by 0.
  return within === 0 ? 0 : -1 << (WORD_BITS - within);
}

/** The word of four decimal numbers up to 255. */
function version4Of(text: string): number | undefined {
  let word = 0;
  let dots = 0;
  let number = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      if (number < 0 || ++dots > 3) return undefined;
      word = word << 8 | number;
      number = -1;
    } else {
      if (code < DIGIT_0 || code > DIGIT_9 || number === 0) return undefined;
      number = 10 * Math.max(number, 0) + code - DIGIT_0;
      if (number > 255) return undefined;
    }
  }
  return number < 0 || dots !== 3 ? undefined : (word << 8 | number) >>> 0;
}

function version6Of(text: string): IpAddress | undefined {
  const [head = "", tail, ...rest] = text.split("::", 3);
  if (rest.length > 0) return undefined;
  const before = groupsOf(head, tail === undefined);
  const after = tail === undefined ? [] : groupsOf(tail, true);
  if (before === undefined || after === undefined) return undefined;
  const missing = GROUPS - before.length - after.length;
  // A double colon stands for at least one group.
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...before, ...new Array<number>(missing).fill(0), ...after];
  const word = (i: number) => (groups[2 * i]! << 16 | groups[2 * i + 1]!) >>> 0;
  return [word(0), word(1), word(2), word(3)];
}

/** Groups of 16 bits with colons between; where `endsAddress`, the last two may be spelt as IPv4. */
function groupsOf(text: string, endsAddress: boolean): number[] | undefined {
  if (text === "") return [];
  const parts = text.split(":", GROUPS + 1);
  if (endsAddress && parts.at(-1)!.includes(".")) {
    const word = version4Of(parts.pop()!);
    if (word === undefined) return undefined;
    parts.push((word >>> 16).toString(16), (word & 0xffff).toString(16));
  }
  return parts.every((part) => GROUP.test(part))
    ? parts.map((part) => parseInt(part, 16))
    : undefined;
}
