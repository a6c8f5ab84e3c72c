/**
 * Modules with one broken constant. The generators of `wasm/` name the constants of a BLS module, and
 * their bytes locate them in the compiled module.
 *
 * @module
 */

import type { Bytes } from "../../src/base/bytes.ts";
import { BLS_MODULES } from "../../wasm/bls_modules.ts";
import { functionsOf, instructionsOf, Reader, SectionId, sectionsOf } from "./wasm_binary.ts";
import { Opcode } from "./wasm_opcodes.ts";

/** A constant in static memory. */
interface Table {
  readonly name: string;
  readonly bytes: Bytes;
  /** Bytes of a word: 8, or 1 for the digits of an exponent. */
  readonly wordLength: number;
}

export interface BrokenConstant {
  /** The names of the constants that begin with the same bytes. */
  readonly names: readonly string[];
  readonly module: Bytes;
}

const DECLARATION = /const (\w+): usize = memory\.data<(u8|u64)>\(\[([^\]]*)\]/g;

/** The texts that the generators write for a build. */
function generatedTexts(build: string): string[] {
  const module = BLS_MODULES.find(({ name }) => name === build);
  if (module === undefined) throw new RangeError(`Cannot find constants: no build ${build}`);
  const { "hashing/compress.ts": _, ...own } = module.generated ?? {};
  return Object.values(own).map((text) => text());
}

function tablesOf(build: string): Table[] {
  return generatedTexts(build).flatMap((text) =>
    [...text.matchAll(DECLARATION)].map(([, name, type, list]) => {
      const words = list!.split(",").map((word) => BigInt(word.trim()));
      const bytes = type === "u8"
        ? Uint8Array.from(words, Number)
        : new Uint8Array(BigUint64Array.from(words).buffer);
      return { name: name!, bytes, wordLength: type === "u8" ? 1 : 8 };
    })
  );
}

/** The optimizer leaves out long runs of zeros: the longest stretch between zero words. */
function longestStretch({ bytes, wordLength }: Table): Bytes {
  let [from, start, end] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at += wordLength) {
    const isZero = bytes.subarray(at, at + wordLength).every((byte) => byte === 0);
    if (isZero) from = at + wordLength;
    else if (at + wordLength - from > end - start) [start, end] = [from, at + wordLength];
  }
  while (bytes[start] === 0) start++;
  while (bytes[end - 1] === 0) end--;
  return bytes.slice(start, end);
}

function placesOf(module: Bytes, piece: Bytes): number[] {
  const data = sectionsOf(module).find(({ id }) => id === SectionId.data)!;
  const contents = Buffer.from(data.contents);
  const places: number[] = [];
  for (let at = contents.indexOf(piece); at >= 0; at = contents.indexOf(piece, at + 1)) {
    places.push(data.at + at);
  }
  return places;
}

function withByte(module: Bytes, at: number, bit: number): Bytes {
  return module.with(at, module[at]! ^ bit);
}

/** Every nth word of the table of small constants of products is broken. */
const PRODUCTS_STRIDE = 13;

/**
 * The bytes of a stretch to break, each with its bit: the fourth byte of a word, which is significant
 * in a double too.
 */
function breaksOf({ name, wordLength }: Table, stretch: Bytes): { at: number; bit: number }[] {
  // A digit is odd, and halved: its second bit counts.
  if (wordLength === 1) return [{ at: 4, bit: 2 }];
  // No known point has a y so close to p / 2 that the other bytes decide its sign.
  if (name === "HALF_MODULUS") return [{ at: stretch.length - 1, bit: 1 }];
  if (name !== "CONSTANTS") return [{ at: 3, bit: 1 }];
  const count = Math.ceil(stretch.length / 8 / PRODUCTS_STRIDE);
  return Array.from({ length: count }, (_, i) => ({ at: 8 * PRODUCTS_STRIDE * i + 3, bit: 1 }));
}

/** `module` with one word of each table broken, in each place that contains the bytes of the table. */
export function brokenTables(build: string, module: Bytes): BrokenConstant[] {
  // Tables that begin alike are found in each other's places.
  const sites = new Map<number, { bit: number; names: string[] }>();
  for (const table of tablesOf(build)) {
    const stretch = longestStretch(table);
    const places = placesOf(module, stretch);
    if (places.length === 0) throw new RangeError(`Cannot find constant ${table.name} in module`);
    for (const place of places) {
      for (const { at, bit } of breaksOf(table, stretch)) {
        const site = sites.get(place + at) ?? { bit, names: [] };
        site.names.push(table.name);
        sites.set(place + at, site);
      }
    }
  }
  return [...sites].map(([at, { bit, names }]) => ({
    names,
    module: withByte(module, at, bit),
  }));
}

/** Masks, biases and rounding constants, which other code also has or which have free bits. */
function isRound(value: bigint): boolean {
  return (value & (value - 1n)) === 0n || (value & (value + 1n)) === 0n;
}

/**
 * `module` with one operand in its code broken, for every long number in the generated products: limbs
 * of p and of the folding constants.
 */
export function brokenOperands(build: string, module: Bytes): BrokenConstant[] {
  const numbers = generatedTexts(build).join("\n").matchAll(/[ (](0x[0-9a-f]+|\d{6,})\b(?!n)/g);
  const wanted = new Set([...numbers].map(([, number]) => BigInt(number!)));
  const found = new Map<bigint, BrokenConstant>();
  for (const func of functionsOf(module)) {
    for (const { opcode, at } of instructionsOf(module, func)) {
      if (opcode !== Opcode.i64Const) continue;
      const value = new Reader(module, at + 1).signed();
      if (!wanted.has(value) || found.has(value) || isRound(value)) continue;
      found.set(value, { names: [`operand ${value}`], module: withByte(module, at + 2, 1) });
    }
  }
  return [...found.values()];
}
