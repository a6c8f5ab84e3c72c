/**
 * The permissions of the threads of a gateway with fronts.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { PROGRAM_SOURCES } from "../../base/program_files.ts";
import type { OperatorNetwork } from "../../config/operator_network.ts";
import type { DataPaths } from "../data_paths.ts";
import type { ServeOptions } from "./role_options.ts";
import { joinPermissions, permissionsOf, type RolePermissions } from "./role_permissions.ts";
import { frontReach, sequencerReach } from "./role_reach.ts";

/** By thread. */
export interface ThreadPermissions {
  readonly sequencer: RolePermissions;
  readonly front: RolePermissions;
  /**
   * Of the thread that starts the others: a worker has no more permissions than its parent, and is loaded
   * with those of its parent.
   */
  readonly supervisor: RolePermissions;
}

/** The sources of the program, from which workers are loaded. */
const SOURCES = PROGRAM_SOURCES.map((url) => fileURLToPath(url));

type ThreadOptions = Pick<
  ServeOptions,
  "host" | "port" | "operatorPort" | "eventSocketsPort" | "standby"
>;

/**
 * The permissions for the present configuration, which is absent if the trial network is not created
 * yet, and the next one, which is absent if none is prepared.
 */
export function threadPermissions(
  [operator, successor]: readonly [OperatorNetwork | undefined, (OperatorNetwork | undefined)?],
  options: ThreadOptions,
  paths: DataPaths,
): ThreadPermissions {
  const present = permissionsFor(operator, options, paths);
  if (successor === undefined) return present;
  const next = permissionsFor(successor, options, paths);
  return {
    sequencer: joinPermissions(present.sequencer, next.sequencer),
    front: joinPermissions(present.front, next.front),
    supervisor: joinPermissions(present.supervisor, next.supervisor),
  };
}

function permissionsFor(
  operator: OperatorNetwork | undefined,
  options: ThreadOptions,
  paths: DataPaths,
): ThreadPermissions {
  const reach = frontReach(operator, options, paths);
  const front = permissionsOf(reach);
  const sequencer = permissionsOf(sequencerReach(operator, options, paths));
  return {
    // As a standby it answers clients, like a front.
    sequencer: options.standby ? joinPermissions(sequencer, front) : sequencer,
    front,
    supervisor: permissionsOf({ ...reach, reads: [...reach.reads, ...SOURCES] }),
  };
}

/** Permissions of the supervisor until it has started the sequencer. */
export function startingPermissions(
  { supervisor, sequencer }: ThreadPermissions,
): RolePermissions {
  return joinPermissions(supervisor, sequencer);
}
