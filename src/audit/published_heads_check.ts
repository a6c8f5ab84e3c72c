/**
 * The tree heads that a gateway publishes against the tree over its entries: each batch and the head
 * that closed it, and the latest checkpoint. Heads whose roots are all those of the one tree are
 * consistent with one another.
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
import type { VerifierCrypto } from "../verify/verifier_crypto.ts";
import { readBatches } from "./batch_reader.ts";
import { Cursor } from "./cursor.ts";
import type { FaultLog, FaultPart } from "./faults.ts";
import type { PublishedLog } from "./ports.ts";

/** What published heads are checked with. */
export interface PublishedHeadContext {
  readonly log: PublishedLog;
  readonly network: NetworkConfiguration;
  readonly crypto: VerifierCrypto;
  readonly faults: FaultLog;
}

/** A root that the gateway says the tree has at a size. */
interface ClaimedRoot {
  readonly part: Extract<FaultPart, "checkpoint" | "sth">;
  readonly size: number;
  /** Hex. */
  readonly root: string;
}

/** Checks heads as the tree grows past their sizes. */
export class PublishedHeadCheck {
  /** Size of the tree that the check is over. */
  readonly size: number;
  readonly #context: PublishedHeadContext;
  readonly #batches: Cursor<Batch>;
  /** Roots that are published beside the batches. */
  readonly #claims: readonly ClaimedRoot[];
  #count = 0;
  #previous: Pick<Batch, "id" | "period_end"> = { id: 0, period_end: 0 };
  /** Batches that were seen and not let go, ascending. */
  readonly #seen: Batch[] = [];

  private constructor(context: PublishedHeadContext, size: number, claims: ClaimedRoot[]) {
    this.#context = context;
    this.size = size;
    this.#batches = new Cursor(readBatches(context.log, size, context.faults));
    this.#claims = claims;
  }

  /**
   * Heads up to the `latest`, or where there is none up to the head in the text of the `checkpoint`;
   * the signatures of both are verified.
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

  /** The next size above `size` of which a root is published; Infinity for none. */
  async nextSize(size: number): Promise<number> {
    let batch = await this.#batches.peek();
    while (batch !== undefined && batch.id <= size) {
      await this.#take(undefined);
      batch = await this.#batches.peek();
    }
    const claims = this.#claims.map((claim) => claim.size).filter((claimed) => claimed > size);
    return Math.min(batch?.id ?? Infinity, ...claims);
  }

  /** Compares what is published of the tree of `size` leaves. */
  async reached(size: number, root: Bytes): Promise<void> {
    for (const claim of this.#claims) {
      if (claim.size !== size || claim.root === hexOf(root)) continue;
      this.#context.faults.add(claim.part, size, `root ${hexOf(root)}`, claim.root);
    }
    if ((await this.#batches.peek())?.id === size) await this.#take(root);
  }

  /** Checks what the tree did not reach. */
  async finish(): Promise<void> {
    for (const claim of this.#claims) {
      if (claim.size <= this.size) continue;
      const required = `a size up to that of the latest tree head, ${this.size}`;
      this.#context.faults.add(claim.part, claim.size, required, String(claim.size));
    }
    while (await this.#batches.peek() !== undefined) await this.#take(undefined);
  }

  /**
   * The batch that `sequence` is in; `undefined` when none is listed. Asked for in ascending order, and
   * when the tree has grown beyond it.
   */
  async batchOf(sequence: number): Promise<Batch | undefined> {
    while (this.#seen.length > 0 && this.#seen[0]!.id <= sequence) this.#seen.shift();
    return this.#seen[0] ?? await this.#batches.peek();
  }

  /** Takes the next batch, of whose size the tree has `root` where that is known. */
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

/** What a checkpoint claims, whether or not it is signed; nothing when the text is none. */
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
