/**
 * Tests what a log or a mirror serves against c2sp.org/tlog-tiles. Of a large log it reads only the right
 * edge and the first and last full tile of each level.
 *
 * @module
 */

import { type Bytes, concat, equalBytes, HASH_LENGTH } from "../../base/bytes.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { CountersignError } from "../../base/errors.ts";
import { readTile } from "../../client/tile_reader.ts";
import { entryLeaves, splitEntries } from "../../proof/format/entry_bundle.ts";
import type { LogCheckpoint } from "../../proof/format/log_checkpoint.ts";
import {
  fullTiles,
  partialWidth,
  rootOfEdges,
  TILE_WIDTH,
  type TileAddress,
  tilePath,
  tileWidth,
} from "../../proof/merkle/tile.ts";
import { verifyConsistency } from "../../proof/merkle/proof.ts";
import { TileProver } from "../../proof/merkle/tile_proof.ts";
import { treeRoot } from "../../proof/merkle/tree.ts";
import {
  cachingOf,
  checkpointOf,
  type LogTarget,
  type ServedCheckpoint,
} from "./checkpoint_checks.ts";
import { NO_KEYS, type SuiteContext } from "./cosignature_checks.ts";
import type { Exchange } from "./exchange.ts";
import type { Fault } from "./report.ts";

const FULL_BYTES = TILE_WIDTH * HASH_LENGTH;
/** More tiles than a log grows by during a run. */
const FAR_BEYOND = 1_000_000;
/** Below the first an answer is not long-lived, from the second on it is. Between them its clause is unclear. */
const LONG_LIVED_SECONDS = [60 * 60, 24 * 60 * 60] as const;
const OCTETS = /^application\/octet-stream$/i;

const PROOF_CACHES = { tiles: 16, sizes: 2 };
/** Clauses about entry bundles, which a log may have in another format. */
const BUNDLE_CLAUSES = [
  "entries-type",
  "entries-compressed",
  "entries-caching",
  "entries",
  "entry-hashes",
];

const isServed = ({ status }: Exchange) => status === 200;

/** A tile or entry bundle, and the exchange that it is from: of the full one if the partial one is gone. */
interface ReadTile {
  readonly exchange: Exchange;
  /** `undefined` if neither is served. */
  readonly bytes: Bytes | undefined;
}

export class LogChecks {
  readonly #target: LogTarget;
  readonly #context: SuiteContext;
  readonly #kernels: Kernels;

  constructor(target: LogTarget, context: SuiteContext, kernels: Kernels) {
    this.#target = target;
    this.#context = context;
    this.#kernels = kernels;
  }

  /** Returns notes on the run. Throws `gateway_refused` if nothing answers. */
  async run(): Promise<string[]> {
    const first = await this.#get("checkpoint");
    if (first.status === 0 && this.#context.findings.role === "log") {
      const { host } = this.#target.url;
      throw new CountersignError("gateway_refused", `Cannot test log: no answer from ${host}`);
    }
    const before = await checkpointOf(this.#target, first, this.#context);
    if (before === undefined) return ["No checkpoint can be read: nothing else was tested."];
    const { size } = before;
    const edges = size === 0 ? [] : await this.#checkTiles(before);
    if (size > 0) await this.#checkEntries(size);
    const after = await this.#checkpoint();
    if (after === undefined) return [];
    await this.#checkAbsent(size, after.size);
    if (after.size >= size) await this.#checkNotHashedUp(after.size);
    await this.#checkGrowth(before, after, edges);
    await this.#checkConsistency(before, after);
    return [`The checkpoint had size ${size} before the run, and ${after.size} after it.`];
  }

  async #checkpoint(): Promise<ServedCheckpoint | undefined> {
    return await checkpointOf(this.#target, await this.#get("checkpoint"), this.#context);
  }

  /** Returns the partial tiles, lowest level first. */
  async #checkTiles({ size, root }: LogCheckpoint): Promise<Bytes[]> {
    const edges: Bytes[] = [];
    let last: Exchange | undefined;
    for (let level = 0; TILE_WIDTH ** level <= size; level++) {
      const full = fullTiles(level, size);
      for (const index of new Set([0, full - 1])) {
        if (index >= 0 && index < full) await this.#checkFullTile(level, index, size);
      }
      const width = partialWidth(level, size);
      if (width === 0) {
        edges.push(new Uint8Array());
        continue;
      }
      const check = `the partial tile of level ${level}`;
      const { exchange, bytes: found } = await this.#read({ level, index: full, width });
      last = exchange;
      const absence = `status ${last.status}, and the full tile is not served either`;
      this.#judge("partial-tiles", check, found === undefined && absence, last);
      if (found === undefined) return edges;
      this.#judgeHeaders("tile", check, last);
      const bytes = width * HASH_LENGTH;
      const { length } = found;
      this.#judge(
        "partial-width",
        check,
        length !== bytes && `${length} bytes, not ${bytes}`,
        last,
      );
      edges.push(found.slice(0, bytes));
    }
    const isRoot = equalBytes(rootOfEdges(this.#kernels, edges), root);
    const fault = !isRoot && "the tiles do not hash to the root of the checkpoint";
    this.#judge("tile-hashes", "the partial tiles and the checkpoint", fault, last);
    return edges;
  }

  /** Tests a full tile and its hash in the level above. */
  async #checkFullTile(level: number, index: number, size: number): Promise<void> {
    const check = `full tile ${index} of level ${level}`;
    const tile = await this.#get(tilePath(level, index, TILE_WIDTH));
    for (const id of ["not-pruned", "minimum-zero"]) {
      if (!isServed(tile)) {
        this.#unclear(id, check, "it is not served: a policy has to permit the pruning", tile);
      } else if (index === 0) this.#judge(id, check, undefined, tile);
    }
    if (!isServed(tile)) return;
    const { length } = tile.body;
    const isFull = length === FULL_BYTES;
    this.#judge("full-tiles", check, !isFull && `${length} bytes`, tile);
    if (!isFull) return;
    this.#judgeHeaders("tile", check, tile);
    const parent = Math.floor(index / TILE_WIDTH);
    const above = await this.#get(tilePath(level + 1, parent, tileWidth(level + 1, parent, size)));
    // The check of that tile reports that it is missing.
    if (!isServed(above)) return;
    const at = (index % TILE_WIDTH) * HASH_LENGTH;
    const node = above.body.subarray(at, at + HASH_LENGTH);
    if (node.length < HASH_LENGTH) return;
    const isHashed = equalBytes(treeRoot(this.#kernels, tile.body), node);
    const reason = !isHashed && "its hash in the level above is another one";
    this.#judge("tile-hashes", check, reason, above);
  }

  async #checkEntries(size: number): Promise<void> {
    const full = fullTiles(0, size);
    const partial = partialWidth(0, size);
    const bundles = [[0, full > 0 ? TILE_WIDTH : 0], [full, partial]] as const;
    const wanted = bundles.filter(([, width]) => width > 0);
    const read = await Promise.all(
      wanted.map(([index, width]) => this.#read({ level: "entries", index, width })),
    );
    const isAnyServed = read.some(({ bytes }) => bytes !== undefined);
    const none = !isAnyServed && `status ${read[0]!.exchange.status}: no entry bundle is served`;
    this.#judge("also-bundles", "entry bundles", none, read[0]!.exchange);
    if (typeof none === "string") {
      for (const id of BUNDLE_CLAUSES) {
        this.#unclear(id, "entry bundles", none, read[0]!.exchange);
      }
      return;
    }
    for (const [i, [index, width]] of wanted.entries()) {
      const check = `entry bundle ${index} of ${width} entries`;
      const { exchange: bundle, bytes } = read[i]!;
      if (bytes === undefined) {
        const reason = `status ${bundle.status}`;
        if (width === TILE_WIDTH) this.#unclear("not-pruned", check, reason, bundle);
        else this.#judge("entries-type", check, reason, bundle);
        continue;
      }
      this.#judgeHeaders("entries", check, bundle);
      const encoding = bundle.headers.get("Content-Encoding");
      const uncompressed = encoding === null && "no Content-Encoding";
      this.#judge("entries-compressed", check, uncompressed, bundle);
      const entries = splitEntries(bytes);
      const count = entries?.length === width ? undefined : `${entries?.length ?? "no"} entries`;
      this.#judge("entries", check, count, bundle);
      if (entries === undefined || count !== undefined) continue;
      const { bytes: tile } = await this.#read({ level: 0, index, width });
      if (tile?.length !== width * HASH_LENGTH) continue;
      const isSame = equalBytes(entryLeaves(this.#kernels, entries), tile);
      this.#judge("entry-hashes", check, !isSame && "they do not hash to the tile", bundle);
    }
  }

  /** Tests paths at which a tree of `size` to `grown` leaves has no tile. */
  async #checkAbsent(size: number, grown: number): Promise<void> {
    const full = fullTiles(0, size);
    const first = full > 0 ? "" : `.p/${partialWidth(0, size)}`;
    const whole = fullTiles(0, grown);
    const rows: [string, string, string][] = [
      ["no-empty-tiles", "a tile beyond the tree", tilePath(0, whole + FAR_BEYOND, TILE_WIDTH)],
      ["no-empty-tiles", "a tile of width 0", `${tilePath(0, whole, TILE_WIDTH)}.p/0`],
      ["width", "a width of 256", `${tilePath(0, 0, TILE_WIDTH)}.p/256`],
      ["width", "a width with a leading zero", `tile/0/000.p/0${Math.min(size, TILE_WIDTH - 1)}`],
      ["level", "a level with a leading zero", `tile/00/000${first}`],
      ["level", "level 64", `tile/64/000${first}`],
      ["index", "an index of one digit", `tile/0/0${first}`],
      ["index", "an index of four digits", `tile/0/0000${first}`],
      ["index-x", "a further path element of zeros", `tile/0/x000/000${first}`],
      ["index-x", "a path element without an x", `tile/0/000/000${first}`],
    ];
    for (const [id, check, path] of rows) {
      const answer = await this.#get(path);
      const verb = isServed(answer) ? "served" : "not served";
      const { length } = answer.body;
      if (id !== "no-empty-tiles") {
        const reason = `it is ${verb}; the sentence defines paths and forbids no others`;
        this.#unclear(id, check, reason, answer);
      } else if (isServed(answer) && length > 0) {
        this.#unclear(id, check, `${length} bytes are served, which are no empty tile`, answer);
      } else this.#judge(id, check, isServed(answer) && "it is served", answer);
    }
  }

  /** Tests that level 1 has no hash of an incomplete tile. */
  async #checkNotHashedUp(size: number): Promise<void> {
    const count = fullTiles(0, size) + 1;
    const width = (count - 1) % TILE_WIDTH + 1;
    const answer = await this.#get(tilePath(1, Math.floor((count - 1) / TILE_WIDTH), width));
    const check = "a tile of level 1 with the hash of a partial tile";
    // The tile below may be full meanwhile, or before a checkpoint has it.
    const below = await this.#get(tilePath(0, count - 1, TILE_WIDTH));
    const isTile = answer.body.length === width * HASH_LENGTH;
    const isEarly = isServed(answer) && isTile && below.status === 404;
    if (!isServed(answer) || isEarly) {
      this.#judge("not-hashed-up", check, isEarly && "it is served", answer);
    } else this.#unclear("not-hashed-up", check, "it may have the hash of a full tile", answer);
  }

  async #checkGrowth(
    before: LogCheckpoint,
    after: LogCheckpoint,
    edges: readonly Bytes[],
  ): Promise<void> {
    if (after.size <= before.size) return;
    await this.#checkTiles(after);
    for (const [level, edge] of edges.entries()) {
      if (edge.length === 0) continue;
      const width = edge.length / HASH_LENGTH;
      const index = fullTiles(level, before.size);
      const old = await this.#get(tilePath(level, index, width));
      const isKept = isServed(old) || isServed(await this.#get(tilePath(level, index, TILE_WIDTH)));
      const fault = !isKept && `status ${old.status}`;
      this.#judge("partial-tiles", `the partial tile of level ${level} after growth`, fault, old);
    }
  }

  /**
   * A checkpoint contradicts another only if a signed root is not that of the other's tree. Tiles that are
   * missing or do not hash to a root prove nothing about it.
   */
  async #checkConsistency(before: ServedCheckpoint, after: ServedCheckpoint): Promise<void> {
    const clause = "tlog-checkpoint/consistent";
    const check = "the checkpoints before and after the run";
    const { findings } = this.#context;
    if (this.#target.keys.length === 0) return findings.unclear(clause, check, NO_KEYS);
    if (!before.isSigned || !after.isSigned) {
      return findings.unclear(clause, check, "no key of --vkey signed both");
    }
    const [first, second] = before.size <= after.size ? [before, after] : [after, before];
    if (first.size === second.size) {
      if (equalBytes(first.root, second.root)) {
        findings.unclear(clause, check, "the log did not grow");
      } else findings.judge(clause, check, "the same size has two roots");
      return;
    }
    if (first.size === 0) return findings.judge(clause, check, undefined);
    const nodes = async (level: number, index: number, width: number) => {
      const widest = tileWidth(level, index, second.size);
      const { exchange, bytes } = await this.#read({ level, index, width: widest });
      if (bytes !== undefined) return bytes.subarray(0, width * HASH_LENGTH);
      throw new CountersignError(
        "tile_not_found",
        `${tilePath(level, index, widest)}: status ${exchange.status}`,
      );
    };
    try {
      const prover = new TileProver(this.#kernels, { nodes }, PROOF_CACHES);
      const path = await prover.consistencyPath(first.size, second.size);
      const edges: Bytes[] = [];
      for (let level = 0; TILE_WIDTH ** level <= first.size; level++) {
        const width = partialWidth(level, first.size);
        const index = fullTiles(level, first.size);
        edges.push(width === 0 ? new Uint8Array() : concat(await nodes(level, index, width)));
      }
      const proves = (firstRoot: Bytes) =>
        verifyConsistency(this.#kernels, {
          first: first.size,
          second: second.size,
          firstRoot,
          secondRoot: second.root,
          path,
        });
      if (proves(first.root)) return findings.judge(clause, check, undefined);
      if (proves(rootOfEdges(this.#kernels, edges))) {
        const fault = `the tree of size ${second.size} has another root at size ${first.size}`;
        return findings.judge(clause, check, fault);
      }
      findings.unclear(clause, check, `the tiles do not hash to the root of size ${second.size}`);
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error;
      findings.unclear(clause, check, `a tile cannot be read: ${error.message}`);
    }
  }

  #judgeHeaders(kind: "tile" | "entries", check: string, exchange: Exchange): void {
    const { headers } = exchange;
    const type = headers.get("Content-Type") ?? "none";
    const fault = !OCTETS.test(type) && `the Content-Type is ${type}`;
    this.#judge(`${kind}-type`, check, fault, exchange);
    const { control, seconds = 0 } = cachingOf(exchange);
    const shown = `Cache-Control: ${control ?? "none"}`;
    const [brief, long] = LONG_LIVED_SECONDS;
    const isLong = /immutable/.test(control ?? "") || seconds >= long;
    if (!isLong && (headers.has("Expires") || seconds >= brief)) {
      this.#unclear(`${kind}-caching`, check, shown, exchange);
    } else this.#judge(`${kind}-caching`, check, !isLong && shown, exchange);
  }

  #judge(id: string, check: string, fault: Fault, exchange?: Exchange): void {
    this.#context.findings.judge(`tlog-tiles/${id}`, check, fault, exchange);
  }

  #unclear(id: string, check: string, reason: string, exchange: Exchange): void {
    this.#context.findings.unclear(`tlog-tiles/${id}`, check, reason, exchange);
  }

  async #read(address: TileAddress): Promise<ReadTile> {
    let exchange: Exchange | undefined;
    const bytes = await readTile({
      tile: async ({ level, index, width }) => {
        const answer = await this.#get(tilePath(level, index, width));
        if (isServed(answer)) exchange = answer;
        exchange ??= answer;
        return isServed(answer) ? answer.body : undefined;
      },
    }, address);
    return { exchange: exchange!, bytes };
  }

  async #get(path: string): Promise<Exchange> {
    const headers = { "Accept-Encoding": "gzip, identity" };
    return await this.#context.exchanger.send(new URL(path, this.#target.url), { headers });
  }
}
