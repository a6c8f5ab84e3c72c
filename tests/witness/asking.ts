/**
 * Cosign requests, and assertions about the answers.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { CosignRequest } from "../../src/proof/format/witness_request.ts";
import type { Witness } from "../../src/witness/witness.ts";
import { forkedTree, TestLog, testWitness, verifiesHead, withCode } from "./fixture.ts";
import { MemoryWitnessState } from "./memory_state.ts";

export const log = new TestLog();
/** Leaves of two trees with the same first 4 leaves. */
export const tree = forkedTree("tree", 4, 40);
export const fork = forkedTree("fork", 4, 40);

/** Asserts a cosignature over the request's head. */
export async function cosigned(witness: Witness, request: CosignRequest): Promise<void> {
  const answer = await witness.cosign(request);
  assert.equal(answer.kind, "cosigned");
  assert.ok(answer.kind === "cosigned" && verifiesHead(request.treeHead, answer.signature));
}

/** Asserts that the last cosigned size is `size`. */
export async function conflicts(
  witness: Witness,
  request: CosignRequest,
  size: number,
): Promise<void> {
  assert.deepEqual(await witness.cosign(request), { kind: "size_conflict", size });
}

/** Asserts a refusal with `code`. */
export async function refused(
  witness: Witness,
  request: CosignRequest,
  code: string,
): Promise<void> {
  await assert.rejects(witness.cosign(request), withCode(code));
}

/** A witness that has cosigned `tree` at `size`. */
export async function standingAt(size: number, state = new MemoryWitnessState()): Promise<Witness> {
  const witness = testWitness({ state });
  await cosigned(witness, log.request(tree, 0, size));
  return witness;
}
