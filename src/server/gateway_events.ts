/**
 * Opens the event feed of a running gateway.
 *
 * @module
 */

import { systemClock } from "../clock.ts";
import { EventFeed } from "../gateway/event_feed.ts";
import type { AnchorList } from "../gateway/event_ports.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { FEED_LIMITS } from "../http/limits.ts";
import type { Report } from "../report.ts";
import type { DamageLog } from "../telemetry/damage_log.ts";
import { reportError } from "../telemetry/log_error.ts";

export interface EventsContext {
  readonly gateway: Gateway;
  /** Absent where nothing is anchored. */
  readonly anchorList?: AnchorList;
  readonly damage: DamageLog;
  readonly report: Report;
}

/** `opened` stops the feed before it closes the stores. */
export function openEvents(context: EventsContext, opened: AsyncDisposableStack): EventFeed {
  const { gateway, anchorList, damage, report } = context;
  const feed = new EventFeed({
    log: gateway.eventLog,
    ...(anchorList !== undefined && { anchors: anchorList }),
    clock: systemClock,
    report: (error) => damage.take(error) || reportError(report, error),
    limits: FEED_LIMITS,
  });
  opened.defer(() => feed.stop());
  return feed;
}
