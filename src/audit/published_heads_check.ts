/**
 * Checks published tree heads against the tree over the entries: the head of each batch, the latest
 * head and the checkpoint. Heads with the roots of one tree are consistent with each other.
 *
 * @module
 */

import { type Bytes, hexOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { Batch } from "../format/bundle.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import type { SignedTreeHead, TreeHead } from "../format/tree_head.ts";
import { verifyCheckpoint } from "../verify/note.ts";
import { VERIFY_REASONS } from "../verify/reasons.ts";
import { verifySignedTreeHead } from "../verify/tree_head.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import { Cursor } from "./cursor.ts";
import type { FaultLog, FaultPart } from "./faults.ts";
import { BATCH_PAGE, type PublishedLog } from "./ports.ts";

export interface PublishedHeadContext {
  readonly log: PublishedLog;
  readonly network: NetworkConfiguration;
  readonly crypto: CryptoSuite;
  readonly faults: FaultLog;
}

/** A root that the tree must have at a size. */
interface ClaimedRoot {
  readonly part: Extract<FaultPart, "checkpoint" | "sth">;
  readonly size: number;
  /** Hex. */
  readonly root: string;
}

/** Checks heads as the tree grows past their sizes. */
export class PublishedHeadCheck {
  /** Size of the audited tree. */
  readonly size: number;
  readonly #context: PublishedHeadContext;
  readonly #batches: Cursor<Batch>;
  /** Roots of the latest head and the checkpoint. */
  readonly #claims: readonly ClaimedRoot[];
  #count = 0;
  #previous: Pick<Batch, "id" | "period_end"> = { id: 0, period_end: 0 };
  /** Batches that `batchOf()` may still return, ascending. */
  readonly #seen: Batch[] = [];

  private constructor(context: PublishedHeadContext, size: number, claims: ClaimedRoot[]) {
    this.#context = context;
    this.size = size;
    this.#batches = new Cursor(readBatches(context.log, size, context.faults));
    this.#claims = claims;
  }

  /**
   * Checks heads up to `latest` or, without it, up to the head in `checkpoint`. Verifies the signatures
   * of both.
   */
  static async open(
    context: PublishedHeadContext,
    latest: SignedTreeHead | undefined,
    checkpoint: string | undefined,
  ): Promise<PublishedHeadCheck> {
    const claims: ClaimedRoot[] = [];
    if (checkpoint !== undefined) claims.push(...await checkCheckpoint(context, checkpoint));
    if (latest !== undefined) {
      const { tree_size: size, root_hash: root } = latest.tree_head;
      await checkSigned(context, latest);
      claims.push({ part: "sth", size, root });
    }
    const size = latest?.tree_head.tree_size ?? claims[0]?.size ?? 0;
    return new PublishedHeadCheck(context, size, claims);
  }

  /** Heads that were read. */
  get count(): number {
    return this.#count;
  }

  /** The next size above `size` with a head; Infinity when there is none. */
  async nextSize(size: number): Promise<number> {
    let batch = await this.#batches.peek();
    while (batch !== undefined && batch.id <= size) {
      await this.#take(undefined);
      batch = await this.#batches.peek();
    }
    const claims = this.#claims.map((claim) => claim.size).filter((claimed) => claimed > size);
    return Math.min(batch?.id ?? Infinity, ...claims);
  }

  /** Compares the heads of `size` with the tree's root. */
  async reached(size: number, root: Bytes): Promise<void> {
    for (const claim of this.#claims) {
      if (claim.size !== size || claim.root === hexOf(root)) continue;
      this.#context.faults.add(claim.part, size, `root ${hexOf(root)}`, claim.root);
    }
    if ((await this.#batches.peek())?.id === size) await this.#take(root);
  }

  /** Checks the heads beyond the tree. */
  async finish(): Promise<void> {
    for (const claim of this.#claims) {
      if (claim.size <= this.size) continue;
      const required = `a size up to that of the latest tree head, ${this.size}`;
      this.#context.faults.add(claim.part, claim.size, required, String(claim.size));
    }
    while (await this.#batches.peek() !== undefined) await this.#take(undefined);
  }

  /**
   * The batch of `sequence`; `undefined` when none is listed. Call it in ascending order, after the tree
   * has grown beyond `sequence`.
   */
  async batchOf(sequence: number): Promise<Batch | undefined> {
    while (this.#seen.length > 0 && this.#seen[0]!.id <= sequence) this.#seen.shift();
    return this.#seen[0] ?? await this.#batches.peek();
  }

  /** Checks the next batch, against `root` if known. */
  async #take(root: Bytes | undefined): Promise<void> {
    const { log, faults } = this.#context;
    const batch = (await this.#batches.next())!;
    this.#seen.push(batch);
    this.#count++;
    this.#checkChain(batch);
    this.#previous = batch;
    const { id: size } = batch;
    const sth = await log.sth(size);
    if (sth === undefined || "damage" in sth) {
      faults.add("sth", size, "the signed tree head of its batch", sth?.damage ?? "none");
      return;
    }
    const { value } = sth;
    this.#checkRepeated(batch, value.tree_head);
    const found = value.tree_head.root_hash;
    if (root !== undefined && found !== hexOf(root)) {
      faults.add("sth", size, `root ${hexOf(root)}`, found);
    }
    await checkSigned(this.#context, value);
  }

  /** A batch is the growth between two consecutive published heads (protocol.md "Resources"). */
  #checkChain(batch: Batch): void {
    const { id: first, period_end: start } = this.#previous;
    this.#requireFields(batch.id, [
      ["network_id", this.#context.network.id, batch.network_id],
      ["tree_size", batch.id, batch.tree_size],
      ["first_index", first, batch.first_index],
      ["attestation_count", batch.id - first, batch.attestation_count],
      ["period_start", start, batch.period_start],
    ]);
  }

  #checkRepeated(batch: Batch, head: TreeHead): void {
    this.#requireFields(batch.id, [
      ["tree_size", head.tree_size, batch.id],
      ["root_hash", head.root_hash, batch.root_hash],
      ["period_end", head.timestamp, batch.period_end],
    ]);
  }

  #requireFields(
    id: number,
    fields: readonly (readonly [name: string, required: string | number, found: string | number])[],
  ): void {
    for (const [name, required, found] of fields) {
      if (required === found) continue;
      this.#context.faults.add("batch", id, `${name} ${required}`, String(found));
    }
  }
}

async function checkSigned(
  { network, crypto, faults }: PublishedHeadContext,
  sth: SignedTreeHead,
): Promise<void> {
  const { valid, reason } = await verifySignedTreeHead(crypto, network, sth);
  if (valid || reason === undefined) return;
  const required = `valid signatures of ${network.threshold} or more witnesses`;
  faults.add("sth_signatures", sth.tree_head.tree_size, required, VERIFY_REASONS[reason]);
}

/** The root of a checkpoint, signed or not; empty when the text is malformed. */
async function checkCheckpoint(
  { network, crypto, faults }: PublishedHeadContext,
  text: string,
): Promise<ClaimedRoot[]> {
  try {
    const { valid, reason, head } = await verifyCheckpoint(crypto, network, text);
    if (!valid && reason !== undefined) {
      const required = "signatures of the log and of the threshold";
      faults.add("checkpoint", head.tree_size, required, VERIFY_REASONS[reason]);
    }
    return [{ part: "checkpoint", size: head.tree_size, root: head.root_hash }];
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    faults.add("checkpoint", "latest", "a signed note over a tree head", error.message);
    return [];
  }
}

/** Leaves of a window: at most so many batches are in memory. */
const WINDOW = 2 ** 14;

/**
 * The batches of ids in (0, `size`], ascending. The gateway lists them from the latest back, so they
 * are read in windows, and each window is reversed. An unreadable list is a fault.
 */
async function* readBatches(
  log: PublishedLog,
  size: number,
  faults: FaultLog,
): AsyncGenerator<Batch> {
  for (let start = 0; start < size; start += WINDOW) {
    const end = Math.min(start + WINDOW, size);
    const batches: Batch[] = [];
    for (let before = end + 1; before > start + 1;) {
      const page = await log.batches(before);
      if (page === undefined || "damage" in page) {
        faults.add("batch", `below ${before}`, "a list of batches", page?.damage ?? "none");
        return;
      }
      for (const batch of page.value) {
        if (batch.id >= before || batch.id < 1) {
          faults.add("batch", batch.id, `an id below ${before}, the one listed before it`, "more");
          return;
        }
        before = batch.id;
        if (batch.id > start) batches.push(batch);
      }
      if (page.value.length < BATCH_PAGE) break;
    }
    yield* batches.reverse();
  }
}
