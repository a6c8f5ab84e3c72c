/**
 * Proofs of any log with their policies and entries, and our verdict on them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Bytes, hexOf, textOf } from "../../../src/base/bytes.ts";
import { leafHash } from "../../../src/proof/crypto/hashing.ts";
import { CountersignError } from "../../../src/base/errors.ts";
import { type LogPolicy, parseLogPolicy } from "../../../src/proof/format/log_policy.ts";
import { parseTlogProof } from "../../../src/proof/format/tlog_proof.ts";
import { verifyTlogProof } from "../../../src/proof/verify/tlog_proof.ts";
import { nativeCrypto } from "./test_network.ts";

/** The files that a verifier gets. */
export interface ForeignProof {
  readonly policy: Bytes;
  readonly entry: Bytes;
  readonly proof: Bytes;
}

/** A test gives one policy to thousands of proofs. */
const parsed = new Map<string, LogPolicy>();

/** Why the proof is refused; `undefined` if it is valid. */
export async function reasonOf(
  { policy, entry, proof }: ForeignProof,
): Promise<string | undefined> {
  try {
    const leaf = leafHash(nativeCrypto.kernels, entry);
    const read = parsed.getOrInsertComputed(hexOf(policy), () => parseLogPolicy(policy));
    const { valid, reason } = await verifyTlogProof(
      nativeCrypto,
      read,
      parseTlogProof(textOf(proof)),
      leaf,
    );
    assert.equal(valid, reason === undefined);
    return reason;
  } catch (error) {
    if (error instanceof CountersignError) return error.code;
    throw error;
  }
}

/** The proofs in the output of `tests/system/torchwood/main.go`. */
export function foreignProofs(lines: string): ForeignProof[] {
  return lines.trimEnd().split("\n").map((line) => {
    const { Policy, Entry, Proof } = JSON.parse(line);
    const [policy, entry, proof] = [Policy, Entry, Proof].map((text) =>
      Uint8Array.fromBase64(text)
    );
    return { policy: policy!, entry: entry!, proof: proof! };
  });
}
