/**
 * `anchors`: the external anchors of a hash, as the gateway lists them.
 *
 * @module
 */

import { type Answer } from "../transport/gateway_client.ts";
import type { AnchorSummary } from "../transport/answers.ts";
import { GatewayRefusal } from "../transport/gateway_refusal.ts";
import type { CommandContext } from "./command_context.ts";
import { timeText } from "./output.ts";
import { tableLines } from "./table.ts";

export interface AnchorsOptions {
  readonly hash: string;
}

/** A 404 shows as empty (contract A8), which does not show that the hash is known. */
export async function runAnchors(
  { hash }: AnchorsOptions,
  context: CommandContext,
): Promise<number> {
  const { text, value: anchors } = await anchorsOrNone(context, hash);
  context.output.document(
    text,
    anchors.length === 0
      ? ["No external anchors. This does not show that the gateway knows the hash."]
      : [
        ...await tableLines(
          ["provider", "status", "time"],
          anchors.map(({ provider, status, timestamp }) => [
            provider,
            status,
            timeText(timestamp),
          ]),
        ),
        "Not verified: as the gateway lists them.",
      ],
  );
  return 0;
}

async function anchorsOrNone(
  { gateway }: CommandContext,
  hash: string,
): Promise<Answer<readonly AnchorSummary[]>> {
  try {
    return await gateway.anchors(hash);
  } catch (error) {
    if (error instanceof GatewayRefusal && error.status === 404) return { text: "[]", value: [] };
    throw error;
  }
}
