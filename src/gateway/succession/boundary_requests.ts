/**
 * Asks witnesses to end and to begin epochs. A refusal has the size to prove growth from.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { type Clock, withTimeLimit } from "../../base/clock.ts";
import { BLS_SIGNATURE_DST } from "../../proof/crypto/domains.ts";
import { CountersignError } from "../../base/errors.ts";
import type { SignatureScheme } from "../../proof/format/signature_set.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";
import type { EpochEndRequest } from "../../proof/format/witness_request.ts";
import type { PooledWitness, WitnessPool } from "../signing/witness_pool.ts";

/** Requests to one witness: each refusal has the size to prove growth from. */
const MAX_ASKS = 3;

/** Time limit for one answer of a witness. */
const TIMEOUT_MS = 5_000;

/** The answer of `ask` within the time that a witness has. */
export async function askInTime<T>(
  clock: Clock,
  signal: AbortSignal,
  ask: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  return await withTimeLimit(clock, TIMEOUT_MS, signal, ask);
}

export interface BoundaryRequestsContext {
  readonly crypto: VerifierCrypto;
  readonly consistencyPath: (first: number, second: number) => Promise<Bytes[]>;
}

type EndMembers = Omit<EpochEndRequest, "oldSize" | "consistencyPath">;

export class BoundaryRequests {
  readonly #context: BoundaryRequestsContext;

  constructor(context: BoundaryRequestsContext) {
    this.#context = context;
  }

  /** The witness's signature over the end, unverified. */
  async end(
    { id, client }: PooledWitness,
    request: EndMembers,
    signal: AbortSignal,
  ): Promise<Bytes> {
    const size = request.treeHead.tree_size;
    return await this.#withGrowth(id, size, async (growth) => {
      const answer = await client.epochs.end({ ...request, ...growth }, signal);
      return answer.kind === "cosigned" ? { done: answer.signature } : answer;
    });
  }

  /** The witness has begun the epoch of `link`. */
  async begin({ id, client }: PooledWitness, link: SuccessionLink, signal: AbortSignal) {
    await this.#withGrowth(id, link.end.tree_size, async (growth) => {
      const answer = await client.epochs.begin({ link, ...growth }, signal);
      return answer.kind === "begun" ? { done: undefined } : answer;
    });
  }

  /** Whether `signature` over an end is of the key. */
  async verifies(
    scheme: SignatureScheme,
    publicKey: Bytes,
    message: Uint8Array<ArrayBuffer>,
    signature: Bytes,
  ): Promise<boolean> {
    const { ed25519, bls } = this.#context.crypto;
    return scheme === "ed25519"
      ? await ed25519(publicKey, message, signature)
      : bls.verify(publicKey, message, signature, BLS_SIGNATURE_DST);
  }

  async #withGrowth<T>(
    id: string,
    size: number,
    ask: (
      growth: { readonly oldSize: number; readonly consistencyPath: readonly Bytes[] },
    ) => Promise<{ readonly done: T } | { readonly kind: "size_conflict"; readonly size: number }>,
  ): Promise<T> {
    let oldSize = size;
    for (let asks = 0; asks < MAX_ASKS; asks++) {
      const needsPath = oldSize > 0 && oldSize < size;
      const consistencyPath = needsPath ? await this.#context.consistencyPath(oldSize, size) : [];
      const answer = await ask({ oldSize, consistencyPath });
      if ("done" in answer) return answer.done;
      if (answer.size > size) break;
      oldSize = answer.size;
    }
    throw new CountersignError(
      "tree_size_conflict",
      `Witness ${id} has not stored size ${size}: it has cosigned another one`,
    );
  }
}

/** The witnesses of `pools` that are not armed with a succession and keep it from the threshold. */
export async function missingWitnesses(
  clock: Clock,
  pools: readonly WitnessPool[],
  digest: string,
  signal: AbortSignal,
): Promise<string[]> {
  const missing: string[] = [];
  for (const { witnesses, threshold } of pools) {
    const unarmed = await Promise.all(witnesses.map(async ({ id, client }) => {
      try {
        const { armed } = await askInTime(clock, signal, (limit) => client.epochs.state(limit));
        return armed === digest ? [] : [id];
      } catch {
        return [id];
      }
    }));
    const ids = unarmed.flat();
    if (witnesses.length - ids.length < threshold) missing.push(...ids);
  }
  return [...new Set(missing)];
}
