/**
 * The tree of a log that is audited. Nothing is trusted but its head, and a damaged tile does not end
 * the audit: it is reported once, and replaced by what the entries below it hash to.
 *
 * @module
 */

import { type Bytes, concat } from "../../../base/bytes.ts";
import { TILE_HEIGHT, TILE_WIDTH } from "../../../proof/merkle/tile.ts";
import type { WalkedTile } from "../../publishing/log_walk.ts";
import {
  edgesOf,
  readEntries,
  readNodes,
  type TreeReading,
  type TreeRoot,
  UnverifiedData,
  VerifiedTree,
} from "../../publishing/verified_tree.ts";
import type { FaultLog } from "../faults.ts";
import { compareNodes } from "../tree_rebuild.ts";

/** The tree of `head`. */
export async function openMended(
  reading: TreeReading,
  head: TreeRoot,
  faults: FaultLog,
): Promise<VerifiedTree> {
  return await new TreeMender(reading, faults).open(head);
}

/** What `read` returns, or why it cannot be used. */
export async function usable<T>(read: () => Promise<T>): Promise<T | UnverifiedData> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnverifiedData) return error;
    throw error;
  }
}

class TreeMender {
  readonly #reading: TreeReading;
  readonly #faults: FaultLog;
  /** A tile is read again when it is no longer in the cache. */
  readonly #reported = new Set<string>();

  constructor(reading: TreeReading, faults: FaultLog) {
    this.#reading = { ...reading, mend: (...damage) => this.#mend(...damage) };
    this.#faults = faults;
  }

  async open(head: TreeRoot): Promise<VerifiedTree> {
    const tree = await usable(() => VerifiedTree.open(this.#reading, head));
    if (!(tree instanceof UnverifiedData)) return tree;
    const edges: (Bytes | undefined)[] = [];
    for (const address of edgesOf(head.size)) {
      edges.push(address.width === 0 ? new Uint8Array() : await this.#mendEdge(address));
    }
    return new VerifiedTree(this.#reading, head.size, edges);
  }

  /** An edge that was read, if nothing is known about it from below. */
  async #mendEdge(address: WalkedTile): Promise<Bytes | undefined> {
    const read = await usable(() => readNodes(this.#reading, address));
    const mended = await this.#fromBelow(address);
    if (mended === undefined) {
      if (!(read instanceof UnverifiedData)) return read;
      this.#report(address, read.reason);
      return undefined;
    }
    const found = read instanceof UnverifiedData ? { damage: read.reason } : { value: read };
    compareNodes(this.#faults, "tile", placeOf(address), mended, found);
    return mended;
  }

  async #mend(
    fault: UnverifiedData,
    address: WalkedTile,
    check: (nodes: Bytes) => Promise<void>,
  ): Promise<Bytes> {
    this.#report(address, fault.reason);
    const mended = await this.#fromBelow(address);
    if (mended === undefined) throw fault;
    const wrong = await usable(() => check(mended));
    // They are used all the same, so that what is below is compared with them.
    if (wrong instanceof UnverifiedData) {
      this.#report(address, "the entries below it do not hash to the root either");
    }
    return mended;
  }

  /**
   * The nodes that the entries below hash to. Where entries are lost, their tile stands for them;
   * `undefined` if that is lost too.
   */
  async #fromBelow({ level, index, width }: WalkedTile): Promise<Bytes | undefined> {
    if (level === 0) {
      const entries = await usable(() => readEntries(this.#reading, index, width));
      return entries instanceof UnverifiedData ? undefined : entries.leaves;
    }
    const nodes: Bytes[] = [];
    for (let i = 0; i < width; i++) {
      const child = { level: level - 1, index: index * TILE_WIDTH + i, width: TILE_WIDTH };
      let below = await this.#fromBelow(child);
      if (below === undefined) {
        const read = await usable(() => readNodes(this.#reading, child));
        if (read instanceof UnverifiedData) return undefined;
        below = read;
      }
      nodes.push(this.#reading.kernels.treeLevel(below, TILE_HEIGHT));
    }
    return concat(...nodes);
  }

  #report(address: WalkedTile, problem: string): void {
    const place = placeOf(address);
    const key = `${place} ${problem}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#faults.add("tile", place, problem);
  }
}

function placeOf({ level, index }: WalkedTile): string {
  return `${level}/${index}`;
}
