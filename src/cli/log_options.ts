/**
 * The options of whatever serves that say how it logs.
 *
 * @module
 */

import { message } from "@optique/core/message";
import { optional } from "@optique/core/modifiers";
import { option } from "@optique/core/primitives";
import { choice } from "@optique/core/valueparser";
import { LOG_FORMATS, LOG_LEVELS } from "../telemetry/log_choice.ts";

/** See the module. */
export const logOptions = {
  logFormat: optional(option("--log-format", choice(LOG_FORMATS, { metavar: "FORMAT" }), {
    description: message`Log as text, pretty (default in a terminal) or json lines.`,
  })),
  logLevel: optional(option("--log-level", choice(LOG_LEVELS, { metavar: "LEVEL" }), {
    description: message`Least that is logged: debug, info (default), warning or error.`,
  })),
};
