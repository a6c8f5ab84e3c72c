/**
 * Closes an epoch: its witnesses sign the tree with which it ends.
 *
 * @module
 */

import { fromHex, hexOf, utf8 } from "../../base/bytes.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import type { WitnessSignature } from "../../proof/format/signature_set.ts";
import {
  encodeEpochEnd,
  type Succession,
  type SuccessionLink,
} from "../../proof/format/succession.ts";
import { encodeCheckpointBody } from "../../proof/format/tree_head.ts";
import { verifyLink } from "../../proof/verify/succession_link.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";
import type { LogSigner } from "../ports.ts";
import type { WitnessPool } from "../signing/witness_pool.ts";
import { askInTime, type BoundaryRequests } from "./boundary_requests.ts";

export interface EpochClosingContext {
  readonly crypto: VerifierCrypto;
  readonly clock: Clock;
  /** Witnesses of the epoch that ends. */
  readonly pool: () => WitnessPool;
  readonly logSigner: () => LogSigner;
  readonly publishedRoot: (size: number) => Promise<string>;
  readonly attestedAt: (sequence: number) => Promise<number>;
  readonly inclusionPath: (sequence: number, size: number) => Promise<string[]>;
}

/** A closed link, or the witnesses that keep it from the threshold. */
export type Closed =
  | { readonly link: SuccessionLink }
  | { readonly waitsFor: readonly string[]; readonly reason: string };

export class EpochClosing {
  readonly #context: EpochClosingContext;
  readonly #requests: BoundaryRequests;

  constructor(context: EpochClosingContext, requests: BoundaryRequests) {
    this.#context = context;
    this.#requests = requests;
  }

  /** One attempt to have the tree of `boundary` leaves signed as the end; the tree is published. */
  async close(
    { succession, digest }: { readonly succession: Succession; readonly digest: string },
    boundary: number,
    signal: AbortSignal,
  ): Promise<Closed> {
    const { clock, crypto, logSigner, publishedRoot, attestedAt, inclusionPath } = this.#context;
    const { id: network_id, epoch, signature_scheme: scheme } = succession.predecessor;
    const root_hash = await publishedRoot(boundary);
    const timestamp = await attestedAt(boundary - 1);
    const inclusion_path = await inclusionPath(boundary - 1, boundary);
    const treeHead = { network_id, tree_size: boundary, root_hash, timestamp: unixSeconds(clock) };
    const message = utf8(encodeEpochEnd(succession, treeHead));
    const request = {
      treeHead,
      logSignature: await logSigner().sign(utf8(encodeCheckpointBody(treeHead))),
      succession: digest,
      attestedAt: timestamp,
      inclusionPath: inclusion_path.map((hash) => fromHex(hash)),
      ...(epoch > 0 && { epoch }),
    };
    const pool = this.#context.pool();
    const failed = new Map<string, string>();
    const signatures: WitnessSignature[] = [];
    await Promise.all(pool.witnesses.map(async (witness) => {
      const { id, publicKey } = witness;
      try {
        const signature = await askInTime(
          clock,
          signal,
          (limit) => this.#requests.end(witness, request, limit),
        );
        if (await this.#requests.verifies(scheme, publicKey, message, signature)) {
          signatures.push({ witness_id: id, signature: hexOf(signature) });
        } else failed.set(id, "witness_refused");
      } catch (error) {
        failed.set(id, error instanceof CountersignError ? error.code : "witness_unreachable");
      }
    }));
    if (signatures.length < pool.threshold) {
      const causes = Array.from(failed, ([id, code]) => `${id}: ${code}`).join(", ");
      return {
        waitsFor: [...failed.keys()],
        reason: `too few witnesses end the epoch at size ${boundary} (${causes})`,
      };
    }
    signatures.sort((a, b) => a.witness_id < b.witness_id ? -1 : 1);
    const end = { tree_size: boundary, root_hash, timestamp, inclusion_path, signatures };
    const link = { ...succession, end };
    const failure = await verifyLink(crypto, link);
    if (failure === undefined) return { link };
    throw new CountersignError(
      "store_corrupt",
      `Cannot close the epoch: its link does not verify: ${failure.reason} (${failure.field})`,
    );
  }
}
