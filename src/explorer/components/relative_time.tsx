/**
 * Times relative to the reader's clock, with the exact time.
 *
 * @module
 */

import { useNow } from "../hooks.ts";
import { momentText } from "../../base/moment_text.ts";
import { relativeText } from "../text.ts";

interface RelativeTimeProps {
  /** Unix seconds. */
  readonly time: number;
}

/** "5 min ago". */
export function RelativeTime({ time }: RelativeTimeProps) {
  const now = useNow();
  const exact = momentText(time);
  return (
    <time dateTime={exact.replace(" UTC", "Z").replace(" ", "T")} title={exact}>
      {relativeText(time, now)}
    </time>
  );
}

/** "2026-11-21 22:20:05 UTC (5 min ago)". */
export function FullTime({ time }: RelativeTimeProps) {
  const now = useNow();
  return (
    <span class="full-time">
      <span class="nowrap">{momentText(time)}</span>{" "}
      <span class="muted nowrap">({relativeText(time, now)})</span>
    </span>
  );
}
