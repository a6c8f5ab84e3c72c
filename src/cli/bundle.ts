/**
 * `bundle`: the ProofBundle of a hash, for a file or a pipe.
 *
 * @module
 */

import { requireHash } from "./asked_hash.ts";
import type { CommandContext } from "./command_context.ts";

export interface BundleOptions {
  readonly hash: string;
}

/** Prints the bundle as it came, in either format: it is a document, and JSON is its form. */
export async function runBundle({ hash }: BundleOptions, context: CommandContext): Promise<number> {
  const { text, value } = await context.gateway.bundle(hash);
  requireHash(hash, value.signed_attestation.attestation.hash);
  context.output.document(text);
  return 0;
}
