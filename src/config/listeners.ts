/**
 * Listeners in configuration files.
 *
 * @module
 */

import type { Of } from "../proof/format/schema.ts";
import { integer, settings, words } from "./settings.ts";

export const PORT = integer(0, 65_535, "Port to listen on, 0 for any.");

/** Members of a listener. */
export const LISTENER_MEMBERS = { host: words("Address to listen on."), port: PORT } as const;

export const LISTENER = settings(LISTENER_MEMBERS);

export type ListenerAddress = Of<typeof LISTENER>;
