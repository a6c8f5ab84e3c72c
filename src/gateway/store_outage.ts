/**
 * What a gateway says and concludes when its store fails.
 *
 * @module
 */

import { hasCode } from "../errors.ts";
import type { GatewayParts } from "./gateway_parts.ts";
import type { LogStore } from "./ports.ts";
import type { StoreOutage } from "./settle.ts";

/** Reports each outage of the store once when it begins and once when it ends. */
export function outageReport(
  { clock, report }: Pick<GatewayParts, "clock" | "report">,
): (outage: StoreOutage | undefined) => void {
  let sinceMs = 0;
  return (outage) => {
    const nowMs = clock.nowMs();
    if (outage === undefined) {
      const seconds = Math.max(0, Math.round((nowMs - sinceMs) / 1000));
      return report(`The store takes writes again after ${seconds} s`, { level: "info" });
    }
    sinceMs = nowMs;
    report(
      `${outage.message}. The gateway is read-only until a write succeeds: reads go on, ` +
        "submissions get 503 storage_failed. Check free space, mount and permissions of the data folder",
      { level: "error", code: outage.code },
    );
  };
}

/**
 * `fence_lost` where that explains `error`: what another process writes beneath this one looks like a
 * damaged store.
 */
export async function unlessFenceLost(store: LogStore, error: unknown): Promise<unknown> {
  if (!hasCode(error, "store_corrupt")) return error;
  try {
    await store.checkFence();
  } catch (cause) {
    if (hasCode(cause, "fence_lost")) return cause;
  }
  return error;
}
