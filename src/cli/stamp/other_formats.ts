/**
 * `stamp --proofs all`: writes the proofs of a bundle in standard formats too.
 *
 * @module
 */

import type { ProofBundle } from "../../format/bundle.ts";
import { coseReceiptOf } from "../../format/cose_receipt.ts";
import { tlogProofOf } from "../../format/tlog_proof.ts";
import { replaceFile } from "../../server/files.ts";
import { type FollowedNetwork, signersOfHead } from "../../verify/followed_network.ts";
import type { CommandContext } from "../command_context.ts";
import { OTHER_FORMATS } from "../proofs/file_walk.ts";
import { saveAnchors } from "../saved_anchors.ts";

/**
 * Writes a tlog-proof, a COSE receipt if the head has a receipt signature, and the external anchors into a
 * folder. Returns the names. `bundle` is batched and verified under `network`.
 */
export async function saveOtherFormats(
  context: CommandContext,
  name: string,
  { bundle, network }: { readonly bundle: ProofBundle; readonly network: FollowedNetwork },
): Promise<string[]> {
  const { sth } = bundle.batch_inclusion!;
  const signers = signersOfHead(network, sth.tree_head.tree_size)!;
  const proofs = [
    { file: `${name}${OTHER_FORMATS.tlogProof}`, content: tlogProofOf(signers, bundle) },
    ...(sth.receipt_signature === undefined
      ? []
      : [{ file: `${name}${OTHER_FORMATS.receipt}`, content: coseReceiptOf(signers, bundle) }]),
  ];
  for (const { file, content } of proofs) {
    await replaceFile(context.io.resolvePath(file), content, 0o644);
  }
  const anchors = bundle.external_anchors.length === 0 ? [] : await saveAnchors(context, {
    hash: bundle.signed_attestation.attestation.hash,
    text: JSON.stringify(bundle.external_anchors),
    folder: `${name}${OTHER_FORMATS.anchors}`,
    replacesPending: true,
  }).then(({ files }) => files.map(({ path }) => path));
  return [...proofs.map(({ file }) => file), ...anchors];
}
