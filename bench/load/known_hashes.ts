/**
 * Hashes of attestations that are in the log, from its own entry bundles.
 *
 * @module
 */

import { textOf, utf8 } from "../../src/base/bytes.ts";
import { parseAttestation } from "../../src/proof/format/attestation.ts";
import { TILE_WIDTH, tilePath, tileWidth } from "../../src/proof/merkle/tile.ts";
import type { Asker } from "./asker.ts";
import { entriesOf } from "./entry_bundle.ts";
import { copyHex, HEX_LENGTH } from "./request_bytes.ts";

/** `recent`: the last 100,000. `all`: some of every part of the log. */
export type Spread = "recent" | "all";

const RECENT = 100_000;
/** Limits for a large log: the bundles that are read, and the hashes kept of each. */
const BUNDLES = 20_000;
const KEPT_OF_BUNDLE = 5;
/** Milliseconds to wait for a first head, which earlier submissions may still lack. */
const FIRST_HEAD_MS = 10_000;
/** Concurrent requests for bundles. */
const LANES = 8;

/** Hashes in random order, and the full tiles that they are in. */
export class KnownHashes {
  readonly fullTiles: readonly number[];
  readonly #digits: Uint8Array;
  #at = 0;

  /** `hashes` are in hex. */
  constructor(hashes: readonly string[], fullTiles: readonly number[]) {
    if (hashes.length === 0) throw new Error("Cannot look up hashes: a log with some required");
    this.fullTiles = fullTiles;
    this.#digits = utf8(shuffled(hashes).join(""));
  }

  get count(): number {
    return this.#digits.length / HEX_LENGTH;
  }

  /** At most `count` of them, in hex. */
  sample(count: number): string[] {
    const length = HEX_LENGTH * Math.min(count, this.count);
    return textOf(this.#digits.subarray(0, length)).match(/.{64}/g)!;
  }

  /** Writes the digits of the next hash; hashes repeat only after all others. */
  fill(target: Uint8Array, start: number): void {
    copyHex(this.#digits, this.#at, target, start);
    this.#at += HEX_LENGTH;
    if (this.#at === this.#digits.length) this.#at = 0;
  }
}

/** Reads hashes of the published log. */
export async function readKnownHashes(asker: Asker, spread: Spread): Promise<KnownHashes> {
  await asker.published(1, FIRST_HEAD_MS);
  const size = await asker.treeSize();
  const bundles = Math.ceil(size / TILE_WIDTH);
  const first = spread === "recent" ? Math.floor(Math.max(0, size - RECENT) / TILE_WIDTH) : 0;
  let chosen = Array.from({ length: bundles - first }, (_, i) => first + i);
  const kept = spread === "recent" || chosen.length <= BUNDLES ? TILE_WIDTH : KEPT_OF_BUNDLE;
  if (chosen.length > BUNDLES) chosen = shuffled(chosen).slice(0, BUNDLES);
  const hashes: string[] = [];
  let at = 0;
  const lane = async () => {
    while (at < chosen.length) {
      const index = chosen[at++]!;
      const path = `/${tilePath("entries", index, tileWidth(0, index, size))}`;
      const entries = shuffled(entriesOf(await asker.bytes(path))).slice(0, kept);
      for (const entry of entries) hashes.push(parseAttestation(textOf(entry)).hash);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return new KnownHashes(hashes, chosen.filter((index) => (index + 1) * TILE_WIDTH <= size));
}

/** Fisher and Yates. */
function shuffled<T>(values: readonly T[]): T[] {
  const result = [...values];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}
