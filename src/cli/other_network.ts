/**
 * Names the network of a gateway that may be another one's: it does not know what is asked, and proves
 * nothing about the network that is meant.
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";
import { GatewayRefusal } from "../proof/format/gateway_refusal.ts";
import type { CommandContext } from "./command_context.ts";

/** `gateway_refused`: the gateway is of network `other`. */
export function otherNetwork({ gateway }: CommandContext, id: string, other: string) {
  return new CountersignError(
    "gateway_refused",
    `Cannot ask ${gateway.answering.href} about ${id}: it is a gateway of ${other} ` +
      `(name a gateway of ${id} with --gateway URL)`,
  );
}

/** `error`, or {@linkcode otherNetwork} if it is a 404 of a gateway that states another network. */
export async function namingNetwork(
  context: CommandContext,
  id: string,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof GatewayRefusal) || error.status !== 404) return error;
  try {
    const { value: { id: stated } } = await context.gateway.config();
    return stated === id ? error : otherNetwork(context, id, stated);
  } catch (failure) {
    if (failure instanceof CountersignError) return error;
    throw failure;
  }
}
