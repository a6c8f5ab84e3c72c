/**
 * Parses IPv4 and IPv6 addresses and ranges, strictly: trust in proxies and rate limits depend on
 * them.
 *
 * @module
 */

import { integerOf } from "../../base/bytes.ts";

/**
 * Four words of 32 bits, most significant first. An IPv4 address is stored as an IPv4-mapped IPv6
 * address (RFC 4291 section 2.5.5.2), so that every spelling of an address gives one value.
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
/** The longest spelling: an IPv6 address that ends in IPv4 notation. */
const MAX_LENGTH = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255".length;
const GROUPS = 8;

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const DOT = 0x2e;
const LETTER_A = 0x61;

/**
 * Parses dotted decimal without leading zeros, or a form of RFC 4291 section 2.2 without a zone;
 * `undefined` for any other text.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (text.includes(":")) return version6Of(text);
  const word = version4Of(text);
  return word === undefined ? undefined : [0, 0, MAPPED_WORD, word];
}

/**
 * Parses an address with an optional prefix length (RFC 4632 section 3.1, RFC 4291 section 2.3);
 * `undefined` for any other text, and if bits after the prefix are set.
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

/** True if `address` is in the range. */
export function isWithin(address: IpAddress, { first, bits }: IpRange): boolean {
  return first.every((word, i) => ((word ^ address[i]!) & maskOf(bits, i)) === 0);
}

/** True for an IPv4 address in any spelling. */
export function isVersion4(address: IpAddress): boolean {
  return address[0] === 0 && address[1] === 0 && address[2] === MAPPED_WORD;
}

/** The bits of word `i` that belong to a prefix of `bits` bits. */
function maskOf(bits: number, i: number): number {
  const within = Math.min(Math.max(bits - i * WORD_BITS, 0), WORD_BITS);
  // In JavaScript a shift by 32 is a shift by 0.
  return within === 0 ? 0 : -1 << (WORD_BITS - within);
}

/** The 32-bit number of a dotted decimal address. */
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

/** Parses an IPv6 address: 16-bit groups separated by colons; one `::` replaces groups of zeros. */
function version6Of(text: string): IpAddress | undefined {
  const groups = new Uint16Array(GROUPS);
  let count = 0;
  let gap = text.startsWith("::") ? 0 : -1;
  for (let at = gap < 0 ? 0 : 2; at < text.length;) {
    const colon = text.indexOf(":", at);
    if (colon < 0 && text.includes(".", at)) {
      const word = version4Of(text.slice(at));
      if (word === undefined || count > GROUPS - 2) return undefined;
      groups[count++] = word >>> 16;
      groups[count++] = word & 0xffff;
      break;
    }
    const end = colon < 0 ? text.length : colon;
    const group = groupOf(text, at, end);
    if (group === undefined || count === GROUPS) return undefined;
    groups[count++] = group;
    at = end + 1;
    if (text.startsWith(":", at)) {
      if (gap >= 0) return undefined;
      gap = count;
      at++;
    } else if (at === text.length) return undefined;
  }
  if (gap < 0 ? count !== GROUPS : count === GROUPS) return undefined;
  if (gap >= 0) {
    groups.copyWithin(gap + GROUPS - count, gap, count);
    groups.fill(0, gap, gap + GROUPS - count);
  }
  const word = (i: number) => (groups[2 * i]! << 16 | groups[2 * i + 1]!) >>> 0;
  return [word(0), word(1), word(2), word(3)];
}

/** One to four hexadecimal digits, from `start` to `end` of `text`. */
function groupOf(text: string, start: number, end: number): number | undefined {
  if (end === start || end - start > 4) return undefined;
  let group = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    // `| 0x20` makes letters lowercase.
    const digit = code <= DIGIT_9 ? code - DIGIT_0 : (code | 0x20) - LETTER_A + 10;
    if (digit < 0 || digit > 15 || (code > DIGIT_9 && digit < 10)) return undefined;
    group = 16 * group + digit;
  }
  return group;
}
