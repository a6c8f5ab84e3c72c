/**
 * Verifies COSE receipts of our logs (steps 1 to 5 of "COSE receipt" in verification.md "Checks of the
 * other resources"). A receipt has the log's word alone: no witness has signed it.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../../base/bytes.ts";
import type { CoseReceipt } from "../format/cose_receipt.ts";
import { receiptMessage } from "../format/receipt_message.ts";
import { type NoteKey, noteKeyId } from "../format/note_key.ts";
import { rootFromInclusion, rootsFromConsistency } from "../merkle/proof.ts";
import type { Outcome } from "./reasons.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/** The root that the log signed, if the receipt is valid. */
export interface ReceiptResult extends Outcome {
  readonly root?: Bytes;
}

/** What a receipt is about: the leaf's hash of one of inclusion, the older root of one of consistency. */
export interface ReceiptSubject {
  readonly leafHash?: Bytes;
  readonly firstRoot?: Bytes;
}

/** `logKeys` are the Ed25519 keys of trusted logs. */
export async function verifyCoseReceipt(
  crypto: VerifierCrypto,
  logKeys: readonly NoteKey[],
  receipt: CoseReceipt,
  subject: ReceiptSubject,
): Promise<ReceiptResult> {
  const { origin, keyId, treeSize, proof, signature } = receipt;
  const key = logKeys.find((one) => one.name === origin && equalBytes(noteKeyId(one), keyId));
  if (key === undefined) return { valid: false, reason: "log_key_missing", field: "origin" }; // 1
  if (proof.size !== treeSize) return { valid: false, reason: "tree_size_mismatch" }; // 2
  const root = rootOf(crypto, receipt, subject);
  if (root === undefined) { // 3
    const reason = proof.kind === "inclusion" ? "inclusion_invalid" : "consistency_invalid";
    return { valid: false, reason, field: "proof" };
  }
  // 4. A wrong leaf or path leads to another root than the signed one.
  return await crypto.ed25519(key.publicKey, receiptMessage(receipt, root), signature)
    ? { valid: true, root }
    : { valid: false, reason: "log_signature_invalid", field: "signature" };
}

/** `undefined` unless the proof has the form that its sizes require, and begins at the subject. */
function rootOf(
  { kernels }: VerifierCrypto,
  { proof }: CoseReceipt,
  { leafHash, firstRoot }: ReceiptSubject,
): Bytes | undefined {
  if (proof.kind === "inclusion") {
    return leafHash && rootFromInclusion(kernels, { leafHash, ...proof });
  }
  if (firstRoot === undefined) return undefined;
  const { first, size: second, path } = proof;
  const roots = rootsFromConsistency(kernels, { first, second, firstRoot, path });
  return roots && equalBytes(roots.first, firstRoot) ? roots.second : undefined;
}
