/**
 * `bundle` and `proof`: print proofs about a hash. Only what is converted is verified.
 *
 * @module
 */

import { choice } from "@optique/core/valueparser";
import { CountersignError } from "../errors.ts";
import { parseBundle } from "../format/bundle.ts";
import { tlogProofOf } from "../format/tlog_proof.ts";
import { signersOfHead } from "../verify/followed_network.ts";
import { VERIFY_REASONS } from "../verify/reasons.ts";
import type { CommandContext } from "./command_context.ts";
import { defineCommand, type ValuesOf } from "./define_command.ts";
import { hashContent, readDocument } from "./input_file.ts";
import { BundleChecker, type BundleToCheck } from "./proofs/bundle_check.ts";
import { locateProof } from "./proofs/saved_proofs.ts";
import {
  FILE_OR_HASH,
  HASH,
  hashArgument,
  logSignatureOption,
  optional,
  positional,
  trustOptions,
} from "./options.ts";

const bundleOptions = {
  subject: positional(
    FILE_OR_HASH,
    "SHA-256 in 64 hexadecimal digits; or a file with a saved proof.",
  ),
  as: optional(
    "--as",
    choice(["tlog-proof"], { metavar: "FORMAT" }),
    "Convert to tlog-proof (c2sp.org/tlog-proof), after verification.",
  ),
  logSignature: logSignatureOption,
  ...trustOptions,
};

/** Prints the bundle as received, in either format, or converts it. */
export const bundle = defineCommand("bundle", {
  description:
    "With --as, a file's saved proof is converted offline if it has the log's signature.",
  options: bundleOptions,
  async run(options, context) {
    const { subject, as } = options;
    const isHash = HASH.parse(subject).success;
    if (isHash) {
      const hash = subject.toLowerCase();
      const withLog = options.logSignature || as !== undefined;
      const { text, value } = await context.gateway.bundle(hash, undefined, withLog);
      requireHash(hash, value.signed_attestation.attestation.hash);
      context.output.document(
        as === undefined
          ? text
          : await converted(context, options, { bundle: value, hashes: [hash], isAnswer: true }),
      );
      return 0;
    }
    if (as === undefined) throw usage("name a hash; a file's saved proof is a bundle already");
    const found = await locateProof(context, subject);
    const value = await readDocument(context, found.proof, "malformed_bundle", parseBundle);
    const hashes = found.content === undefined ? [] : [await hashContent(context, found.content)];
    context.output.document(await converted(context, options, { bundle: value, hashes }));
    return 0;
  },
});

/** The tlog-proof of a bundle; `proof_refused` unless its attestation and batch are verified. */
async function converted(
  context: CommandContext,
  { networkConfig, online }: ValuesOf<typeof bundleOptions>,
  given: BundleToCheck,
): Promise<string> {
  const checker = new BundleChecker(context, { networkConfig, online, mayAsk: false });
  const { verdict, trusted } = await checker.check(given);
  const { attestation, batch } = verdict.layers;
  const reason = attestation.reason ?? batch.reason;
  const { bundle: { batch_inclusion: inclusion } } = given;
  if (reason !== undefined || inclusion === null) {
    const why = reason === undefined ? "It is not in a batch yet." : VERIFY_REASONS[reason];
    throw new CountersignError("proof_refused", `Cannot convert bundle: ${why}`);
  }
  return tlogProofOf(
    signersOfHead(trusted.network, inclusion.sth.tree_head.tree_size)!,
    given.bundle,
  );
}

function usage(problem: string): CountersignError {
  return new CountersignError("usage", `Cannot print bundle: ${problem}`);
}

/** Prints the Merkle proof of a hash in its batch's tree. */
export const proof = defineCommand("proof", {
  options: { hash: hashArgument },
  async run({ hash }, { gateway, output }) {
    const { text, value: proof } = await gateway.merkleProof(hash);
    requireHash(hash, proof.hash);
    output.document(text, [
      `hash: ${proof.hash}`,
      `leaf hash: ${proof.leaf_hash}`,
      `leaf index: ${proof.leaf_index}`,
      `tree size: ${proof.tree_size}`,
      `root hash: ${proof.root_hash}`,
      `batch: ${proof.batch_id}`,
      ...proof.inclusion_path.map((node, i) => `inclusion path ${i}: ${node}`),
      "Not verified: this needs the signed tree head and attestation (verify-proof, log proof).",
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
