/**
 * {@linkcode Kernels} over an instance of the hashing module (`wasm/README.md`): copies inputs into
 * the module's memory regions and results out of them. Inputs larger than a region are processed in
 * parts.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../base/bytes.ts";
import type { Kernels, NumberedTexts } from "./kernels.ts";
import { writeNumbered } from "./numbered_texts.ts";
import { levelCounts, pathsInLevels } from "./packed_levels.ts";

/** The exports of both builds of the hashing module. Regions are byte offsets in its memory. */
export interface HashingExports {
  readonly memory: WebAssembly.Memory;
  inputRegion(): number;
  inputBytes(): number;
  endsRegion(): number;
  nodesRegion(): number;
  leafLimit(): number;
  beforeRegion(): number;
  betweenRegion(): number;
  afterRegion(): number;
  pieceLimit(): number;
  pathsRegion(): number;
  roundLimit(): number;
  /** State of the current message; a host copies it to interleave several messages. */
  streamRegion(): number;
  streamBytes(): number;
  startMessage(): void;
  appendInput(length: number): void;
  finishMessage(): void;
  leafHashes(count: number): void;
  numberedLeafHashes(
    count: number,
    first: number,
    before: number,
    between: number,
    after: number,
  ): void;
  treeLevel(count: number, height: number): number;
  treeLevels(count: number): number;
  inclusionPaths(count: number): number;
}

const LEAF_PREFIX = Uint8Array.of(0x00);
const NO_BYTES = new Uint8Array();

/** The hashing core of one instance; nothing else may use the instance. */
export function wasmKernels(exports: HashingExports): Kernels {
  return new WasmKernels(exports);
}

class WasmKernels implements Kernels {
  readonly #wasm: HashingExports;
  // The memory has a fixed size, so its views stay valid.
  readonly #bytes: Bytes;
  readonly #ends: Uint32Array<ArrayBuffer>;
  readonly #input: number;
  readonly #inputBytes: number;
  readonly #nodes: number;
  readonly #leafLimit: number;
  readonly #paths: number;

  constructor(wasm: HashingExports) {
    const buffer = wasm.memory.buffer as ArrayBuffer;
    this.#wasm = wasm;
    this.#bytes = new Uint8Array(buffer);
    this.#input = wasm.inputRegion();
    this.#inputBytes = wasm.inputBytes();
    this.#nodes = wasm.nodesRegion();
    this.#leafLimit = wasm.leafLimit();
    this.#ends = new Uint32Array(buffer, wasm.endsRegion(), this.#leafLimit);
    this.#paths = wasm.pathsRegion();
  }

  sha256(message: Uint8Array): Bytes {
    return this.#sha256Of(NO_BYTES, message);
  }

  leafHashes(entries: Uint8Array, ends: Uint32Array): Bytes {
    const leaves = new Uint8Array(ends.length * HASH_LENGTH);
    for (let first = 0; first < ends.length;) {
      const start = first === 0 ? 0 : ends[first - 1]!;
      const end = this.#lastThatFits(ends, first, start);
      if (end === first) {
        const entry = entries.subarray(start, ends[first]);
        leaves.set(this.#sha256Of(LEAF_PREFIX, entry), first * HASH_LENGTH);
        first++;
        continue;
      }
      this.#bytes.set(entries.subarray(start, ends[end - 1]), this.#input);
      if (start === 0) this.#ends.set(ends.subarray(first, end));
      else for (let i = first; i < end; i++) this.#ends[i - first] = ends[i]! - start;
      this.#wasm.leafHashes(end - first);
      leaves.set(this.#nodesView(end - first), first * HASH_LENGTH);
      first = end;
    }
    return leaves;
  }

  numberedLeafHashes(texts: NumberedTexts): Bytes {
    const { before, digests, between, first, after } = texts;
    const limit = this.#wasm.pieceLimit();
    if (Math.max(before.length, between.length, after.length) > limit) {
      const { entries, ends } = writeNumbered(texts);
      return this.leafHashes(entries, ends);
    }
    this.#bytes.set(before, this.#wasm.beforeRegion());
    this.#bytes.set(between, this.#wasm.betweenRegion());
    this.#bytes.set(after, this.#wasm.afterRegion());
    return this.#inParts(digests, this.#input, (count, start) => {
      const number = first + start;
      const { length } = before;
      this.#wasm.numberedLeafHashes(count, number, length, between.length, after.length);
      return count;
    });
  }

  nodeHash(left: Uint8Array, right: Uint8Array): Bytes {
    this.#bytes.set(left, this.#nodes);
    this.#bytes.set(right, this.#nodes + HASH_LENGTH);
    this.#wasm.treeLevel(2, 1);
    return this.#copyNodes(1);
  }

  treeLevel(nodes: Uint8Array, height = 1): Bytes {
    // A part is a subtree of the whole tree up to the height of the part's root.
    const step = Math.min(height, Math.log2(this.#leafLimit));
    const level = this.#inParts(
      nodes,
      this.#nodes,
      (count) => this.#wasm.treeLevel(count, step),
    );
    const isDone = step === height || level.length <= HASH_LENGTH;
    return isDone ? level : this.treeLevel(level, height - step);
  }

  treeLevels(leaves: Uint8Array): Bytes {
    const count = leaves.length / HASH_LENGTH;
    if (count > this.#leafLimit) return this.#largeTree(leaves);
    this.#bytes.set(leaves, this.#nodes);
    return this.#copyNodes(this.#wasm.treeLevels(count));
  }

  inclusionPaths(levels: Uint8Array, size: number): Bytes {
    if (size > this.#wasm.roundLimit()) return pathsInLevels(levels, size);
    this.#bytes.set(levels, this.#nodes);
    const end = this.#paths + this.#wasm.inclusionPaths(size) * HASH_LENGTH;
    return this.#bytes.slice(this.#paths, end);
  }

  /**
   * The index after the last leaf that fits the input region, from leaf `first` at offset `start`.
   */
  #lastThatFits(ends: Uint32Array, first: number, start: number): number {
    let end = Math.min(ends.length, first + this.#leafLimit);
    if (ends[end - 1]! - start <= this.#inputBytes) return end;
    end = first;
    while (ends[end]! - start <= this.#inputBytes) end++;
    return end;
  }

  #sha256Of(prefix: Uint8Array, message: Uint8Array): Bytes {
    this.#wasm.startMessage();
    if (prefix.length > 0) this.#append(prefix);
    for (let at = 0; at < message.length; at += this.#inputBytes) {
      this.#append(message.subarray(at, at + this.#inputBytes));
    }
    this.#wasm.finishMessage();
    return this.#copyNodes(1);
  }

  #append(part: Uint8Array): void {
    this.#bytes.set(part, this.#input);
    this.#wasm.appendInput(part.length);
  }

  /**
   * Copies packed nodes into `region` part by part, calls `work` with the number of nodes and the
   * index of the first, and concatenates the resulting nodes.
   */
  #inParts(
    nodes: Uint8Array,
    region: number,
    work: (count: number, start: number) => number,
  ): Bytes {
    const count = nodes.length / HASH_LENGTH;
    if (count <= this.#leafLimit) {
      this.#bytes.set(nodes, region);
      return this.#copyNodes(work(count, 0));
    }
    const results = new Uint8Array(nodes.length);
    let length = 0;
    for (let start = 0; start < count; start += this.#leafLimit) {
      const end = Math.min(start + this.#leafLimit, count);
      this.#bytes.set(nodes.subarray(start * HASH_LENGTH, end * HASH_LENGTH), region);
      const made = this.#nodesView(work(end - start, start));
      results.set(made, length);
      length += made.length;
    }
    return length === results.length ? results : results.slice(0, length);
  }

  /** Concatenates the levels of the parts, then adds the levels above the roots of the parts. */
  #largeTree(leaves: Uint8Array): Bytes {
    const count = leaves.length / HASH_LENGTH;
    const counts = levelCounts(count);
    const height = Math.log2(this.#leafLimit);
    const levels = new Uint8Array(counts.reduce((sum, nodes) => sum + nodes) * HASH_LENGTH);
    const roots = new Uint8Array(counts[height]! * HASH_LENGTH);
    for (let start = 0; start < count; start += this.#leafLimit) {
      const end = Math.min(start + this.#leafLimit, count);
      const part = this.treeLevels(leaves.subarray(start * HASH_LENGTH, end * HASH_LENGTH));
      const partCounts = levelCounts(end - start);
      let from = 0;
      let to = 0;
      for (let level = 0; level < height; level++) {
        // The root of a short last part is carried up into every level above it.
        const nodes = partCounts[level] ?? 1;
        if (level > 0 && level < partCounts.length) from += partCounts[level - 1]!;
        const row = part.subarray(from * HASH_LENGTH, (from + nodes) * HASH_LENGTH);
        levels.set(row, (to + start / 2 ** level) * HASH_LENGTH);
        to += counts[level]!;
      }
      roots.set(part.subarray(-HASH_LENGTH), start / this.#leafLimit * HASH_LENGTH);
    }
    levels.set(this.treeLevels(roots), levels.length - this.#packedLength(roots));
    return levels;
  }

  #packedLength(leaves: Uint8Array): number {
    const counts = levelCounts(leaves.length / HASH_LENGTH);
    return counts.reduce((sum, nodes) => sum + nodes, 0) * HASH_LENGTH;
  }

  #nodesView(count: number): Bytes {
    return this.#bytes.subarray(this.#nodes, this.#nodes + count * HASH_LENGTH);
  }

  #copyNodes(count: number): Bytes {
    return this.#bytes.slice(this.#nodes, this.#nodes + count * HASH_LENGTH);
  }
}
