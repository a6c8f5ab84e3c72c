/**
 * `bundle` and `proof`: print proofs about a hash. Only proofs that are converted are verified.
 *
 * @module
 */

import { choice } from "@optique/core/valueparser";
import { CountersignError, errorBuilder } from "../base/errors.ts";
import { coseReceiptOf } from "../proof/format/cose_receipt.ts";
import { tlogProofOf } from "../proof/format/tlog_proof.ts";
import { signersOfHead } from "../proof/verify/followed_network.ts";
import { VERIFY_REASONS } from "../proof/verify/reasons.ts";
import type { CommandContext } from "./command_context.ts";
import { defineCommand, type ValuesOf } from "./define_command.ts";
import { hashContent } from "./input_file.ts";
import { writeNewFile } from "../server/files.ts";
import { BundleChecker, type BundleToCheck } from "./proofs/bundle_check.ts";
import { locateProof, readBundle } from "./proofs/saved_proofs.ts";
import {
  FILE,
  FILE_OR_HASH,
  HASH,
  hashArgument,
  logSignatureOption,
  optional,
  positional,
  trustOptions,
} from "./options.ts";
import { fileWord } from "./shell_word.ts";

const usage = errorBuilder("usage", "Cannot print proof");

const bundleOptions = {
  subject: positional(
    FILE_OR_HASH,
    "SHA-256 in 64 hexadecimal digits; or a file with a saved proof.",
  ),
  as: optional(
    "--as",
    choice(["tlog-proof", "cose-receipt"], { metavar: "FORMAT" }),
    "Convert to tlog-proof (c2sp.org/tlog-proof) or cose-receipt (RFC 9942), after verification.",
  ),
  out: optional("--out", FILE, "New file for the converted proof. A COSE receipt needs one."),
  logSignature: logSignatureOption,
  ...trustOptions,
};

/** Prints the bundle as received, in either format, or converts it. */
export const bundle = defineCommand("bundle", {
  description:
    "With --as, a file's saved proof is converted offline if it has the log's signatures.",
  options: bundleOptions,
  async run(options, context) {
    const { subject, as, out } = options;
    if (as === "cose-receipt" && out === undefined) {
      throw usage("give --out FILE, because a COSE receipt is not text");
    }
    if (as === undefined && out !== undefined) throw usage("--out needs --as FORMAT");
    const isHash = HASH.parse(subject).success;
    if (isHash) {
      const hash = subject.toLowerCase();
      const withLog = options.logSignature || as !== undefined;
      const { text, value } = await context.gateway.bundle(hash, undefined, withLog);
      requireHash(hash, value.signed_attestation.attestation.hash);
      if (as === undefined) context.output.raw(text);
      else await convert(context, options, { bundle: value, hashes: [hash], isAnswer: true });
      return 0;
    }
    if (as === undefined) {
      throw usage("name a hash, or give --as FORMAT to convert the saved proof of a file");
    }
    const found = await locateProof(context, subject);
    const value = await readBundle(context, found.proof, {
      failure: "Cannot convert",
      instead: () => "name a file with a JSON proof, FILE.countersign.json",
    });
    const hashes = found.content === undefined ? [] : [await hashContent(context, found.content)];
    await convert(context, options, { bundle: value, hashes });
    return 0;
  },
});

/** Writes the bundle in another format; `proof_refused` unless its attestation and batch are verified. */
async function convert(
  context: CommandContext,
  { subject, networkConfig, online, as, out }: ValuesOf<typeof bundleOptions>,
  given: BundleToCheck,
): Promise<void> {
  const checker = new BundleChecker(context, { networkConfig, online, mayAsk: false });
  const { verdict, trusted } = await checker.check(given);
  const { attestation, batch } = verdict.layers;
  const reason = attestation.reason ?? batch.reason;
  const { witnessed: _, ...plain } = given.bundle;
  const { batch_inclusion: inclusion } = plain;
  if (reason !== undefined || inclusion === null) {
    const why = reason === undefined
      ? "It is not in the log yet (complete it later with countersign upgrade)."
      : VERIFY_REASONS[reason];
    throw new CountersignError("proof_refused", `Cannot convert the proof: ${why}`);
  }
  const network = signersOfHead(trusted.network, inclusion.sth.tree_head.tree_size)!;
  const { log_signature, receipt_signature } = inclusion.sth;
  const signature = as === "cose-receipt" ? receipt_signature : log_signature;
  // Without a log key, a later one has none either.
  if (signature === undefined && network.log_vkey !== undefined) {
    const fetched = context.commandLine(`upgrade --log-signature ${fileWord(subject)}`);
    throw new CountersignError(
      "proof_refused",
      `Cannot convert the proof: it has no signature of the log (fetch it with: ${fetched})`,
    );
  }
  const proof = as === "cose-receipt"
    ? coseReceiptOf(network, plain)
    : tlogProofOf(network, verdict.layers.witnessed?.status === "verified" ? given.bundle : plain);
  if (out !== undefined) await writeNewFile(context.io.resolvePath(out), proof, 0o644);
  else if (typeof proof === "string") context.output.raw(proof);
}

/** Prints the Merkle proof of a hash in its batch's tree. */
export const proof = defineCommand("proof", {
  options: { hash: hashArgument },
  async run({ hash }, context) {
    const { gateway, output } = context;
    const { text, value } = await gateway.merkleProof(hash);
    requireHash(hash, value.hash);
    const verifying = context.commandLine(`log proof --verify ${value.hash}`);
    output.document(text, value, (proof) => [
      `hash: ${proof.hash}`,
      `leaf hash: ${proof.leaf_hash}`,
      `leaf index: ${proof.leaf_index}`,
      `tree size: ${proof.tree_size}`,
      `root hash: ${proof.root_hash}`,
      `batch: ${proof.batch_id}`,
      ...proof.inclusion_path.map((node, i) => `inclusion path ${i}: ${node}`),
      `Not verified. To verify it: ${verifying}`,
    ]);
    return 0;
  },
});

/** Requires the answer to be about the requested hash; `proof_refused`. */
export function requireHash(requested: string, found: string): void {
  if (requested === found) return;
  throw new CountersignError(
    "proof_refused",
    `Cannot use the gateway's answer: it is about hash ${found} instead of ${requested}`,
  );
}
