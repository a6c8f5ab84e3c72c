/**
 * `config`: the gateway's short configuration, without keys.
 *
 * @module
 */

import type { CommandContext } from "./command_context.ts";

/** Prints it, and notes where it is not that of the pinned network of the same id. */
export async function runConfig(context: CommandContext): Promise<number> {
  const { text, value } = await context.gateway.config();
  context.output.document(text, [
    `network: ${value.id}`,
    `scheme: ${value.signature_scheme}`,
    `threshold: ${value.threshold} of ${value.witness_count} witnesses`,
  ]);
  const pin = await context.trust.pin(value.id);
  const isOther = pin !== undefined && (
    pin.threshold !== value.threshold || pin.signature_scheme !== value.signature_scheme ||
    pin.witnesses.length !== value.witness_count
  );
  if (isOther) context.output.note(`WARNING: another configuration is pinned for ${value.id}`);
  return 0;
}
