/**
 * The fronts of a gateway on other machines.
 *
 * @module
 */

import { systemClock } from "../../clock.ts";
import { frontSettingsText } from "../../config/front_settings.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import type { FrontSettingsStore } from "../../gateway/held_lease.ts";
import { type ReportedTables, SHARED_BUDGETS } from "../../http/reported_tables.ts";
import { SocketFronts } from "../../transport/socket_fronts.ts";
import type { AnchorsStart } from "../anchoring/front_anchors.ts";
import type { DirectoryFeed } from "./directory_feed.ts";
import type { GatewayRun } from "./gateway_run.ts";

/**
 * Fronts that follow `gateway`; `storage_failed` if `store` cannot store what they need. The stack of the run
 * disconnects them.
 */
export async function openFronts(
  { operator: { network, apiKeys }, networkText, report, opened }: GatewayRun,
  gateway: Gateway,
  { store, anchors, directories, tables }: {
    readonly store: FrontSettingsStore;
    readonly tables: ReportedTables;
    readonly anchors: AnchorsStart | undefined;
    readonly directories: DirectoryFeed | undefined;
  },
): Promise<SocketFronts> {
  const settings = frontSettingsText(network, networkText, {
    ...(anchors !== undefined && { anchors }),
    ...(apiKeys !== undefined && { keyedRoutes: apiKeys.routes }),
  });
  await store.setFrontSettings(settings);
  const fronts = new SocketFronts({
    service: gateway.sequencer,
    report,
    clock: systemClock,
    settings,
    ...(directories !== undefined && { directories }),
    elapsedMs: () => performance.now(),
    budgets: { count: SHARED_BUDGETS.length, charged: (charges) => tables.charged(charges) },
  });
  opened.defer(() => fronts.close());
  return fronts;
}
