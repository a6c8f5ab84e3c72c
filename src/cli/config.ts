/**
 * `config`: the gateway's short configuration, without keys.
 *
 * @module
 */

import type { CommandContext } from "./command_context.ts";

export async function runConfig(context: CommandContext): Promise<number> {
  const { text, value } = await context.gateway.config();
  context.output.document(text, [
    `network: ${value.id}`,
    `scheme: ${value.signature_scheme}`,
    `threshold: ${value.threshold} of ${value.witness_count} witnesses`,
  ]);
  return 0;
}
