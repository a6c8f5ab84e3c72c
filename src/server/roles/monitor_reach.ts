/**
 * The resources that a monitor uses: a pure function of its configuration.
 *
 * @module
 */

import type { MonitorNode } from "../../config/monitor_node.ts";
import { COMMON_VARIABLES, type Reach } from "./role_reach.ts";

/** The reach of a monitor with its configuration in `file`. */
export function monitorReach(node: MonitorNode, file: string): Reach {
  const { stateFolder: folder, webhook, metrics, logs } = node;
  const places = logs.flatMap(({ views }) => views.map(({ place }) => place));
  const { secret } = webhook ?? {};
  return {
    listeners: metrics === undefined ? [] : [metrics],
    services: [
      ...places.flatMap((place) => "url" in place ? [place.url] : []),
      ...(webhook === undefined ? [] : [webhook.url]),
    ],
    reads: [
      file,
      ...places.flatMap((place) => "folder" in place ? [place.folder] : []),
      ...logs.map(({ trust }) => "policyFile" in trust ? trust.policyFile : trust.networkFile),
      ...(secret?.kind === "file" ? [secret.path] : []),
    ],
    writes: [folder],
    variables: [...COMMON_VARIABLES, ...(secret?.kind === "environment" ? [secret.name] : [])],
  };
}
