/**
 * `network --list` and `--unpin`; the pin of a log that has ended, as a pin of the next one.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { fingerprintOf } from "../format/trust_core.ts";
import type { FollowedNetwork } from "../verify/followed_network.ts";
import { endOfLog } from "../verify/log_end.ts";
import type { CommandContext } from "./command_context.ts";
import { tableLines } from "./output.ts";

export async function listPins({ trust, output }: CommandContext): Promise<number> {
  const pins = await Promise.all((await trust.pins()).map(async (network) => ({
    id: network.id,
    fingerprint: fingerprintOf(network),
    threshold: network.threshold,
    witness_count: network.witnesses.length,
    gateways: await trust.gatewaysOf(network.id),
  })));
  output.result(
    pins,
    pins.length === 0
      ? ["No network is pinned. Pin one with: countersign network --pin FILE"]
      : tableLines(
        ["network", "threshold", "fingerprint", "gateways"],
        pins.map(({ id, threshold, witness_count, fingerprint, gateways }) => [
          id,
          `${threshold} of ${witness_count}`,
          fingerprint,
          gateways.join(" "),
        ]),
      ),
  );
  return 0;
}

export async function removePin({ trust, output }: CommandContext, id: string): Promise<number> {
  if (!await trust.unpin(id)) {
    throw new CountersignError(
      "configuration_missing",
      `Cannot unpin ${id}: it is not pinned (list the pinned networks with: countersign network --list)`,
    );
  }
  output.result({ id, pinned: false }, [`${id} is no longer trusted`]);
  return 0;
}

/**
 * The pinned log that has ended and that `network` continues, if any: its witnesses signed the digest of
 * this configuration. `pin_differs` if they signed another one for this name.
 */
export async function continuedLog(
  { trust }: CommandContext,
  network: FollowedNetwork,
): Promise<string | undefined> {
  const first = network.epochs?.[0]?.network ?? network;
  // Without a chain, the configuration that was named is unknown.
  if ((first.epoch ?? 0) > 0) return undefined;
  for (const pin of await trust.pins()) {
    const next = endOfLog(pin)?.next;
    if (next?.origin !== network.id) continue;
    const found = fingerprintOf(first);
    if (next.core === found) return pin.id;
    throw new CountersignError(
      "pin_differs",
      `Cannot pin ${network.id}: it continues ${pin.id}, whose witnesses named a configuration with ` +
        `fingerprint ${next.core}, and this one has ${found}`,
    );
  }
  return undefined;
}
