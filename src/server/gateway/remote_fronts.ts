/**
 * The fronts of a gateway on other machines.
 *
 * @module
 */

import { systemClock } from "../../clock.ts";
import { frontSettingsText } from "../../config/front_settings.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import { SocketFronts } from "../../transport/socket_fronts.ts";
import type { OpenedAnchoring } from "./anchoring_parts.ts";
import type { GatewayRun } from "./gateway_run.ts";

/** Fronts that follow `gateway`. The stack of the run disconnects them. */
export function openFronts(
  { operator: { network }, networkText, report, opened }: GatewayRun,
  gateway: Gateway,
  { start: anchors }: OpenedAnchoring,
): SocketFronts {
  const fronts = new SocketFronts({
    ...{ service: gateway.sequencer, report, clock: systemClock },
    settings: frontSettingsText(network, networkText, anchors),
    elapsedMs: () => performance.now(),
  });
  opened.defer(() => fronts.close());
  return fronts;
}
