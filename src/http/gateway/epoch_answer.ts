/**
 * Answers that depend on the present configuration alone.
 *
 * @module
 */

import type { NetworkConfiguration } from "../../format/network.ts";
import type { GatewayService } from "../../gateway/gateway_service.ts";
import { type Answer, constantAnswer } from "../answer.ts";

/** Returns the answer of `make`, which is made once for each epoch. */
export function epochAnswer(
  service: Pick<GatewayService, "network">,
  make: (network: NetworkConfiguration) => Answer,
): () => Answer {
  let made: { readonly network: NetworkConfiguration; readonly answer: Answer } | undefined;
  return () => {
    const { network } = service;
    if (made?.network !== network) made = { network, answer: constantAnswer(make(network)) };
    return made.answer;
  };
}
