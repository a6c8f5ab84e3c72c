/**
 * The succession beside `network.json`, as the running gateway takes it.
 *
 * @module
 */

import { parseOperatorNetwork } from "../../config/operator_network.ts";
import { checkSignatureLines } from "../../config/witnessing.ts";
import { readPrivateFile } from "../../config/private_file.ts";
import { CountersignError } from "../../base/errors.ts";
import { coreDigest, coreOf } from "../../proof/format/trust_core.ts";
import type { SuccessionSource } from "../../gateway/succession/ports.ts";
import { successorFile } from "../data_paths.ts";
import { requireReach } from "./signers_reach.ts";
import type { GatewayRun } from "./gateway_run.ts";
import { openLogSigner, openWitnesses, type WitnessContext } from "./opened_parts.ts";

/** Witnesses that are embedded in both epochs are opened once; `opened` closes the new ones. */
export function openedSuccession(
  { operator: { witnessing }, paths, options, crypto }: GatewayRun,
  context: WitnessContext,
  opened: AsyncDisposableStack,
): SuccessionSource {
  const file = successorFile(paths);
  return {
    read: context.armed,
    async open({ successor }) {
      const text = await readPrivateFile(file);
      const { insecure } = options;
      const operator = parseOperatorNetwork(text, file, { insecure, bls: crypto.bls });
      const { network } = operator;
      // Until the next start, requests go to the present foreign witnesses.
      checkSignatureLines(network, witnessing);
      if (successor === null || coreDigest(coreOf(network)) !== coreDigest(successor)) {
        throw new CountersignError(
          "invalid_configuration",
          `"${file}" has another configuration than the successor in succession.json`,
        );
      }
      await requireReach(operator, file);
      const logSigner = await openLogSigner(operator, context);
      return { network, logSigner, witnesses: await openWitnesses(operator, context, opened) };
    },
  };
}
