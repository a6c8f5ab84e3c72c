/**
 * The event stream of a running gateway: its feed over the log, over the list of anchors, and over the
 * file that keeps the order in which they were told.
 *
 * @module
 */

import { systemClock } from "../clock.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { EventFeed } from "../gateway/event_feed.ts";
import type { AnchorList } from "../gateway/event_ports.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { FEED_LIMITS } from "../http/limits.ts";
import type { Report } from "../report.ts";
import { openAnchorDatabase } from "../storage/anchor_database.ts";
import { KvEventCuts } from "../storage/kv_event_cuts.ts";
import type { DamageLog } from "../telemetry/damage_log.ts";
import { reportError } from "../telemetry/log_error.ts";
import { eventsFile } from "./data_places.ts";
import { networkDigest } from "./log_network.ts";

/** What the stream is made of. */
export interface EventsContext {
  readonly gateway: Gateway;
  readonly network: NetworkConfiguration;
  readonly dataFolder: string;
  /** Absent where nothing is anchored. */
  readonly anchorList?: AnchorList;
  readonly damage: DamageLog;
  readonly report: Report;
}

/** Opens the feed, which the stack stops before it closes what the feed reads. */
export async function openEvents(
  context: EventsContext,
  opened: AsyncDisposableStack,
): Promise<EventFeed> {
  const { gateway, network, dataFolder, anchorList, damage, report } = context;
  const database = await openAnchorDatabase(eventsFile(dataFolder), networkDigest(network));
  opened.defer(() => database.close());
  const feed = new EventFeed({
    log: gateway.eventLog,
    ...(anchorList !== undefined && { anchors: anchorList }),
    cuts: await KvEventCuts.open(database),
    clock: systemClock,
    report: (error) => damage.take(error) || reportError(report, error),
    limits: FEED_LIMITS,
  });
  opened.defer(() => feed.stop());
  return feed;
}
