/**
 * Answers that depend on the present configuration alone.
 *
 * @module
 */

import type { GatewayService } from "../../gateway/gateway_service.ts";
import type { EpochChain } from "../../gateway/succession/epochs.ts";
import { type Answer, constantAnswer } from "../answer.ts";

/** Returns the answer of `make`, which is made once for each link of the chain. */
export function epochAnswer(
  { epochs }: Pick<GatewayService, "epochs">,
  make: (chain: EpochChain) => Answer,
): () => Answer {
  let made: { readonly chainJson: string; readonly answer: Answer } | undefined;
  return () => {
    const { chain, chainJson } = epochs;
    if (made?.chainJson !== chainJson) made = { chainJson, answer: constantAnswer(make(chain)) };
    return made.answer;
  };
}
