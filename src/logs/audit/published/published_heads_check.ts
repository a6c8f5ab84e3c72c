/**
 * Checks published tree heads against the tree over the entries: the head of each batch, the latest
 * head and the checkpoint.
 *
 * @module
 */

import { type Bytes, bytesOfHex, HASH_LENGTH } from "../../../base/bytes.ts";
import { expectedError } from "../../../base/errors.ts";
import type { Batch } from "../../../proof/format/bundle.ts";
import type { NetworkConfiguration } from "../../../proof/format/network.ts";
import type { SignedTreeHead, TreeHead } from "../../../proof/format/tree_head.ts";
import { verifyCheckpoint } from "../../../proof/verify/checkpoint.ts";
import { VERIFY_REASONS } from "../../../proof/verify/reasons.ts";
import { verifySignedTreeHead } from "../../../proof/verify/tree_head.ts";
import type { CryptoSuite } from "../../../proof/crypto/crypto_suite.ts";
import type { FaultLog } from "../faults.ts";
import { type ClaimedRoot, compareRoots, HeadWalk } from "../head_walk.ts";
import { emptyRoot } from "../../../proof/merkle/tree.ts";
import type { TreeRoot } from "../../publishing/verified_tree.ts";
import { BATCH_PAGE, damageOf, isDamaged, type PublishedRecords } from "./gateway_records.ts";

export interface PublishedHeadContext {
  readonly records: PublishedRecords | undefined;
  readonly network: NetworkConfiguration;
  readonly crypto: CryptoSuite;
  readonly faults: FaultLog;
}

export class PublishedHeadCheck {
  /** The head that is audited. */
  readonly head: TreeRoot;
  readonly walk: HeadWalk<Batch>;
  readonly #context: PublishedHeadContext;
  #previous: Pick<Batch, "id" | "period_end"> = { id: 0, period_end: 0 };
  /** Batches that `batchOf()` may still return, ascending. */
  readonly #seen: Batch[] = [];

  private constructor(context: PublishedHeadContext, claims: readonly ClaimedRoot[]) {
    this.#context = context;
    this.head = claims.at(-1) ?? { size: 0, root: emptyRoot(context.crypto.kernels) };
    this.walk = new HeadWalk({
      heads: readBatches(context.records, this.head.size, context.faults),
      sizeOf: ({ id }) => id,
      check: (batch, root) => this.#check(batch, root),
      claims,
      faults: context.faults,
    });
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
      await checkSigned(context, latest);
      claims.push(claimOf("sth", latest.tree_head));
    }
    return new PublishedHeadCheck(context, claims);
  }

  /**
   * The batch of `sequence`; `undefined` when none is listed. Call it in ascending order, after the tree
   * has grown beyond `sequence`.
   */
  async batchOf(sequence: number): Promise<Batch | undefined> {
    while (this.#seen.length > 0 && this.#seen[0]!.id <= sequence) this.#seen.shift();
    return this.#seen[0] ?? await this.walk.peek();
  }

  /** A batch is the growth between two consecutive published heads (protocol.md "Resources"). */
  async #check(batch: Batch, root: Bytes | undefined): Promise<void> {
    const { records, network, faults } = this.#context;
    const { id: size } = batch;
    const { id: first, period_end: start } = this.#previous;
    this.#seen.push(batch);
    this.#previous = batch;
    this.#checkFields(size, [
      ["network_id", batch.network_id, network.id],
      ["tree_size", batch.tree_size, size],
      ["first_index", batch.first_index, first],
      ["attestation_count", batch.attestation_count, size - first],
      ["period_start", batch.period_start, start],
    ]);
    const sth = await records?.sth(size);
    if (isDamaged(sth)) {
      return faults.add("sth", size, `cannot read the tree head of the batch: ${damageOf(sth)}`);
    }
    const { tree_head: head } = sth.value;
    this.#checkFields(size, [
      ["tree_size", size, head.tree_size],
      ["root_hash", batch.root_hash, head.root_hash],
      ["period_end", batch.period_end, head.timestamp],
    ]);
    if (root !== undefined) compareRoots(faults, { ...claimOf("sth", head), place: size }, root);
    await checkSigned(this.#context, sth.value);
  }

  #checkFields(
    id: number,
    fields: readonly (readonly [name: string, found: string | number, required: string | number])[],
  ): void {
    for (const [name, found, required] of fields) {
      if (required === found) continue;
      this.#context.faults.add("batch", id, `${name} is ${found}, not ${required}`);
    }
  }
}

function claimOf(
  part: "sth" | "checkpoint",
  { tree_size: size, root_hash }: Pick<TreeHead, "tree_size" | "root_hash">,
): ClaimedRoot {
  return { part, place: size, size, root: bytesOfHex(root_hash, HASH_LENGTH)! };
}

async function checkSigned(
  { network, crypto, faults }: PublishedHeadContext,
  sth: SignedTreeHead,
): Promise<void> {
  const { reason } = await verifySignedTreeHead(crypto, network, sth);
  if (reason === undefined) return;
  faults.add("sth_signatures", sth.tree_head.tree_size, VERIFY_REASONS[reason]);
}

/** The root of a checkpoint, signed or not; empty when the text is malformed. */
async function checkCheckpoint(
  { network, crypto, faults }: PublishedHeadContext,
  text: string,
): Promise<ClaimedRoot[]> {
  try {
    const { reason, head } = await verifyCheckpoint(crypto, network, text);
    if (reason !== undefined) faults.add("checkpoint", head.tree_size, VERIFY_REASONS[reason]);
    return [claimOf("checkpoint", head)];
  } catch (error) {
    faults.add("checkpoint", "latest", expectedError(error).message);
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
  records: PublishedRecords | undefined,
  size: number,
  faults: FaultLog,
): AsyncGenerator<Batch> {
  if (records === undefined) return;
  for (let start = 0; start < size; start += WINDOW) {
    const end = Math.min(start + WINDOW, size);
    const batches: Batch[] = [];
    for (let before = end + 1; before > start + 1;) {
      const page = await records.batches(before);
      if (isDamaged(page)) {
        const problem = `cannot read the list of batches: ${damageOf(page)}`;
        return faults.add("batch", `below ${before}`, problem);
      }
      for (const batch of page.value) {
        if (batch.id >= before || batch.id < 1) {
          return faults.add("batch", batch.id, `listed after the batch ${before}`);
        }
        before = batch.id;
        if (batch.id > start) batches.push(batch);
      }
      if (page.value.length < BATCH_PAGE) break;
    }
    yield* batches.reverse();
  }
}
