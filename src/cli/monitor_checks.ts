/**
 * What `config check` checks of a monitor's configuration: the files and secrets that it names.
 *
 * @module
 */

import { loadToken } from "../config/bearer_tokens.ts";
import type { MonitorNode } from "../config/monitor_node.ts";
import { monitoredLog } from "../server/monitor/monitored_logs.ts";
import type { CommandContext } from "./command_context.ts";

/** Each check rejects for a fault. */
export function monitorChecks(
  { logs, webhook }: MonitorNode,
  { io, crypto, process: { clock } }: CommandContext,
): (() => unknown)[] {
  return [
    ...logs.map((log) => () => monitoredLog({ crypto, clock }, log)),
    () => webhook && loadToken(webhook.secret, { env: (name) => io.env(name) }),
  ];
}
