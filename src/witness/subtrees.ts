/**
 * Cosigns subtrees of trees that the witness has cosigned (c2sp.org/tlog-witness, `sign-subtree`).
 *
 * @module
 */

import { verifyNative } from "../proof/crypto/ed25519_native.ts";
import type { Kernels } from "../proof/crypto/kernels.ts";
import { CountersignError } from "../base/errors.ts";
import { parseLogCheckpoint } from "../proof/format/log_checkpoint.ts";
import type { NoteKey } from "../proof/format/note_key.ts";
import { cosignatureLine, encodeSignatureLine } from "../proof/format/note_writer.ts";
import type { SignSubtree } from "../proof/format/sign_subtree.ts";
import { isSubtree, verifySubtreeConsistency } from "../proof/merkle/subtree_proof.ts";
import { verifyNote } from "../proof/verify/note.ts";
import type { MlDsaCosigner } from "./ml_dsa_cosigner.ts";

/** Of a witness with Ed25519 and ML-DSA-44 keys: it has no BLS lines to verify. */
const ED25519 = { ed25519: verifyNative, bls: { fastAggregateVerify: () => false } };

export interface SubtreeContext {
  /** The Ed25519 key. */
  readonly key: NoteKey;
  readonly mlDsa: MlDsaCosigner;
  readonly kernels: Kernels;
}

/**
 * The line for the subtree of a request, whose origin the witness follows. No time is signed, and nothing
 * is stored: the checkpoint was. Rejects, in this order of checks, with `malformed_text` (the range),
 * `log_signature_refused` without a valid cosignature by the witness, or `consistency_refused`.
 */
export async function cosignSubtree(
  { key, mlDsa, kernels }: SubtreeContext,
  { start, end, root, path, checkpoint }: SignSubtree,
): Promise<string> {
  const { origin, size, root: treeRoot } = parseLogCheckpoint(checkpoint.text);
  if (!isSubtree({ start, end }) || end > size) {
    throw refused("malformed_text", `[${start}, ${end}) is not a subtree of a tree of ${size}`);
  }
  if (!(await verifyNote(ED25519, [key, mlDsa.key], checkpoint)).valid) {
    throw refused(
      "log_signature_refused",
      "the checkpoint lacks a valid cosignature of this witness, or has an invalid one",
    );
  }
  const claim = { start, end, size, subtreeRoot: root, root: treeRoot, path };
  if (!verifySubtreeConsistency(kernels, claim)) {
    throw refused("consistency_refused", "the proof does not lead to the checkpoint");
  }
  const signature = await mlDsa.cosignSubtree({ timestamp: 0, origin, start, end, root });
  if (signature === undefined) throw refused("malformed_text", "the origin is too long");
  return encodeSignatureLine(cosignatureLine(mlDsa.key, 0, signature));
}

function refused(
  code: "malformed_text" | "log_signature_refused" | "consistency_refused",
  reason: string,
): CountersignError {
  return new CountersignError(code, `Cannot cosign subtree: ${reason}`);
}
